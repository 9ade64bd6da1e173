import { bidCursor, readBidCursor } from '@auction/domain/cursors'
import * as v from 'valibot'
import { readingAs } from '../callers/caller.ts'
import { AuctionPath, cursor, foreignCursor, Limit } from '../requests/parameters.ts'
import { BidResource, bidResource } from '../responses/bid-resources.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { pageSchema } from '../responses/resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

export const listBids = defineOperation({
  route: {
    name: 'listBids',
    method: 'GET',
    path: '/api/Auctions/{id}/Bids',
    permissions: allOf('Bids.Read'),
    isPublic: true,
  },
  docs: {
    tag: 'Bids',
    summary: 'List the bids of an auction',
    description:
      'Lists the newest bids first. Of sealed bids, callers see only their own, with a token that identifies them, and after the result, with `reveal`: `bids`, the last bid of each bidder that was not withdrawn.',
    success: 'A page of bids.',
  },
  schemas: {
    parameters: AuctionPath,
    query: v.object({ limit: Limit, cursor: cursor(readBidCursor) }),
    data: pageSchema(BidResource),
  },
  refusals: reasonsOf('auction-not-found', 'sealed-bids-unavailable'),
  handle: async ({ input: { parameters, query }, viewer, service, signal }) => {
    const { id } = parameters
    const { limit, cursor: after } = query
    if (after !== undefined && after.auctionId !== id) return foreignCursor
    const listed = await service.listBids(id, { limit, signal, before: after?.position, ...readingAs(viewer) })
    return responseTo(listed, ({ items, next }) => ({
      message: `Bids on this page: ${items.length}, newest first.`,
      data: {
        items: items.map((bid) => bidResource(bid, viewer)),
        nextCursor: next === undefined ? null : bidCursor({ auctionId: id, position: next }),
      },
    }))
  },
  examples: {
    'The newest bid, with a cursor': { parameters: { id: 1 }, query: { limit: '1' } },
    'An automatic bid': { parameters: { id: 2 }, query: { limit: '1' } },
  },
})
