import * as v from 'valibot'
import { reasonsOf } from '../answers/refusals.ts'
import { BidResource, bidResource, pageSchema } from '../answers/resources.ts'
import { bidCursor, readBidCursor } from '../requests/cursors.ts'
import { AuctionPath, cursor, foreignCursor, Limit } from '../requests/parameters.ts'
import { defineOperation } from './define-operation.ts'

export const listBids = defineOperation({
  name: 'listBids',
  method: 'GET',
  path: '/api/Auctions/{id}/Bids',
  tag: 'Bids',
  permission: 'Bids.Read',
  isPublic: true,
  summary: 'List the bids of an auction',
  description: 'Lists the newest bids first.',
  parameters: AuctionPath,
  query: v.object({ limit: Limit, cursor: cursor(readBidCursor) }),
  success: { status: 200, description: 'A page of bids.', data: pageSchema(BidResource) },
  refusals: reasonsOf('auction-not-found'),
  call: async (listBids, { parameters: { id }, query: { limit, cursor: after }, signal }) => {
    if (after !== undefined && after.auctionId !== id) return foreignCursor
    return listBids(id, { limit, signal, ...(after && { before: after.position }) })
  },
  answer: ({ items, next }, { parameters: { id }, viewer }) => ({
    message: `Bids on this page: ${items.length}, newest first.`,
    data: {
      items: items.map((bid) => bidResource(bid, viewer)),
      nextCursor: next === undefined ? null : bidCursor({ auctionId: id, position: next }),
    },
  }),
  examples: {
    'The newest bid, with a cursor': { parameters: { id: 1 }, query: { limit: '1' } },
    'An automatic bid': { parameters: { id: 2 }, query: { limit: '1' } },
    'A cursor of another list': { parameters: { id: 1 }, query: { cursor: 'YmlkcyAy' } },
  },
})
