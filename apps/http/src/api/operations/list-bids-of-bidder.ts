import { bidderCursor, readBidderCursor } from '@auction/domain/cursors'
import { UserId } from '@auction/domain/ids'
import { missingField } from '@auction/domain/parsing'
import { refused } from '@auction/domain/result'
import * as v from 'valibot'
import { hiddenBidder, maySeeBids, readingAs } from '../callers/caller.ts'
import { cursor, foreignCursor, Limit } from '../requests/parameters.ts'
import { BidderBidResource, bidderBidResource } from '../responses/bid-resources.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { pageSchema } from '../responses/resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

export const listBidsOfBidder = defineOperation({
  route: { name: 'listBidsOfBidder', method: 'GET', path: '/api/Bids', permissions: allOf('Bids.Read') },
  docs: {
    tag: 'Bids',
    summary: 'List the bids of a bidder',
    description:
      'Lists the bids that a user placed in all auctions, and their purchases, newest first, each with its auction and the `standing` of the user there. Automatic bids and raised maximums are not listed; `standing` includes their effect. The list cannot be restricted to one item per auction or to one standing. Sealed bids are only in the list that the user reads. If the service hides the ids of bidders, only the user and callers with `Bidders.Read` can read it.',
    success: 'A page of bids.',
  },
  schemas: {
    query: v.object(
      {
        bidderId: v.pipe(UserId, v.description('The user who placed the bids.')),
        limit: Limit,
        cursor: cursor(readBidderCursor),
      },
      missingField,
    ),
    data: pageSchema(BidderBidResource),
  },
  refusals: reasonsOf('unsupported', 'sealed-bids-unavailable'),
  handle: async ({ input: { query }, viewer, service, signal }) => {
    const { bidderId, limit, cursor: after } = query
    if (!maySeeBids(viewer, bidderId)) return refused(hiddenBidder)
    if (after !== undefined && after.bidderId !== bidderId) return foreignCursor
    const listed = await service.listBidsOfBidder(bidderId, {
      limit,
      signal,
      after: after?.position,
      ...readingAs(viewer),
    })
    return responseTo(listed, ({ items, next }) => ({
      message: `Bids on this page: ${items.length}, newest first.`,
      data: {
        items: items.map((bid) => bidderBidResource(bid, viewer)),
        nextCursor: next === undefined ? null : bidderCursor({ bidderId, position: next }),
      },
    }))
  },
  examples: {
    'The newest bid of a user, with a cursor': { query: { bidderId: '2', limit: '1' } },
  },
})
