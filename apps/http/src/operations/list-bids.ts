import { AuctionId } from '@auction/domain/ids'
import { accepted, refused } from '@auction/domain/result'
import { validationFailed } from '@auction/domain/validation'
import * as v from 'valibot'
import { BidResource, bidResource, pageSchema } from '../answers/resources.ts'
import { bidCursor, readBidCursor } from '../requests/cursors.ts'
import { cursor, cursorRule, Limit } from '../requests/query.ts'
import { defineOperation } from './define-operation.ts'
import { failure, success } from './example.ts'
import { automaticBid, secondBid } from './example-data.ts'

export const listBids = defineOperation({
  name: 'listBids',
  method: 'GET',
  path: '/api/Auctions/{id}/Bids',
  tag: 'Bids',
  permission: 'Bids.Read',
  summary: 'List the bids of an auction',
  description: 'Newest first. A page never skips or repeats a bid because others arrived meanwhile.',
  parameters: { id: v.pipe(AuctionId, v.description('The auction.')) },
  query: v.object({ limit: Limit, cursor: cursor(readBidCursor) }),
  success: { status: 200, description: 'A page of bids.', data: pageSchema(BidResource) },
  refusals: { 'auction-not-found': 'There is no such auction.' },
  run: async (listBids, { parameters: { id }, query: { limit, cursor: after }, signal, viewer }) => {
    if (after !== undefined && after.auctionId !== id) {
      return refused(validationFailed({ pointer: '/cursor', message: cursorRule }))
    }
    const found = await listBids(id, { limit, signal, ...(after && { before: after.place }) })
    if (!found.ok) return found
    const items = found.value.items.map((bid) => bidResource(bid, viewer))
    const place = found.value.next
    const nextCursor = place === undefined ? null : bidCursor({ auctionId: id, place })
    return accepted({ message: `Bids, newest first: ${items.length}.`, data: { items, nextCursor } })
  },
  examples: [
    {
      summary: 'The newest bid, and where the others are',
      request: { parameters: { id: 1 }, query: { limit: '1' } },
      answer: success(200, 'Bids, newest first: 1.', {
        items: [secondBid],
        nextCursor: 'Ymlkcy8xIDI',
      }),
    },
    {
      summary: 'A bid that the service made, for a bidder with a maximum',
      request: { parameters: { id: 2 }, query: { limit: '1' } },
      answer: success(200, 'Bids, newest first: 1.', { items: [automaticBid], nextCursor: 'Ymlkcy8yIDIgMQ' }),
    },
    {
      summary: 'A cursor of another list',
      request: { parameters: { id: 1 }, query: { cursor: 'YmlkcyAy' } },
      answer: failure('validation-failed', 'One field is missing or invalid.', {
        errors: [{ pointer: '/cursor', message: 'must be a nextCursor that this list has answered' }],
      }),
    },
  ],
})
