import { CancellationFields, parseCancellation } from '@auction/domain/auction/cancellation-fields'
import { AuctionId } from '@auction/domain/ids'
import { accepted } from '@auction/domain/result'
import * as v from 'valibot'
import { AuctionViewResource, auctionLocation, auctionViewResource } from '../answers/resources.ts'
import { defineOperation } from './define-operation.ts'
import { failure, success } from './example.ts'
import { cancelledLamp } from './example-data.ts'

export const cancelAuction = defineOperation({
  name: 'cancelAuction',
  method: 'POST',
  path: '/api/Auctions/{id}/Cancellation',
  tag: 'Auctions',
  permission: 'Auctions.Cancel',
  summary: 'Cancel an auction',
  description:
    'Cancels an auction, before its start too: until its first bid, or until its end where it was created with `cancellableUntilEnd`. Where callers are bound to their users, only the owner can. One that is cancelled already stays as it is, with the reason that it has, and is answered 201 again. The body may be left out.',
  parameters: { id: v.pipe(AuctionId, v.description('The auction.')) },
  body: { schema: CancellationFields, ignored: new Set(), parse: parseCancellation, isOptional: true },
  needsRequester: true,
  success: { status: 201, description: 'The auction is cancelled.', data: AuctionViewResource },
  refusals: {
    'auction-not-found': 'There is no such auction.',
    forbidden: 'The permission is missing, or the caller acts for another than the owner.',
    'auction-ended': 'The auction is over: its time is, or it was bought.',
    'auction-has-bids': 'The auction has bids, and was not created with `cancellableUntilEnd`.',
  },
  run: async (cancelAuction, { parameters, fields, retry, viewer, requesterId }) => {
    const cancelled = await cancelAuction(
      { auctionId: parameters.id, ...fields, ...(requesterId !== undefined && { requesterId }) },
      retry,
    )
    if (!cancelled.ok) return cancelled
    const view = cancelled.value
    return accepted({
      message: `Auction ${view.auction.id} is cancelled.`,
      data: auctionViewResource(view, viewer),
      location: auctionLocation(view.auction),
    })
  },
  examples: [
    {
      summary: 'The lamp is broken',
      request: {
        parameters: { id: 3 },
        headers: { 'Idempotency-Key': 'no-lamp' },
        body: { reason: 'Broken in transport' },
      },
      answer: success(201, 'Auction 3 is cancelled.', cancelledLamp),
    },
    {
      summary: 'Once more, and without a reason',
      request: { parameters: { id: 3 } },
      answer: success(201, 'Auction 3 is cancelled.', cancelledLamp),
    },
    {
      summary: 'An auction that has bids',
      request: { parameters: { id: 1 } },
      answer: failure(
        'auction-has-bids',
        'The auction has bids, so it runs until its end; only one that is created with cancellableUntilEnd can be cancelled then.',
      ),
    },
  ],
})
