import { CancellationFields, parseCancellation } from '@auction/domain/parsing'
import { AuctionViewResource, auctionLocation, auctionViewResource } from '../answers/resources.ts'
import { AuctionPath } from '../requests/parameters.ts'
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
    'Cancels an auction before its first bid, or before its end if it was created with `cancellableUntilEnd`. If callers are bound to users, only the owner can cancel. Cancelling a cancelled auction changes nothing, keeps the first reason, and returns 201. The body is optional.',
  parameters: AuctionPath,
  body: { schema: CancellationFields, ignored: new Set(), parse: parseCancellation, isOptional: true },
  success: { status: 201, description: 'The auction is cancelled.', data: AuctionViewResource },
  refusals: {
    'auction-not-found': 'The auction does not exist.',
    forbidden: 'The token lacks the permission, or does not identify the owner.',
    'auction-ended': 'The auction has ended: its time is over, or it was bought.',
    'auction-has-bids': 'The auction has bids and was created without `cancellableUntilEnd`.',
  },
  call: (cancelAuction, { parameters, fields, retry, requesterId }) =>
    cancelAuction({ auctionId: parameters.id, ...fields, ...(requesterId !== undefined && { requesterId }) }, retry),
  answer: (view, { viewer }) => ({
    message: `Auction ${view.auction.id} was cancelled.`,
    data: auctionViewResource(view, viewer),
    location: auctionLocation(view.auction),
  }),
  examples: [
    {
      summary: 'A cancellation with a reason',
      request: {
        parameters: { id: 3 },
        headers: { 'Idempotency-Key': 'no-lamp' },
        body: { reason: 'Broken in transport' },
      },
      answer: success(201, 'Auction 3 was cancelled.', cancelledLamp),
    },
    {
      summary: 'A second cancellation, without a reason',
      request: { parameters: { id: 3 } },
      answer: success(201, 'Auction 3 was cancelled.', cancelledLamp),
    },
    {
      summary: 'An auction with bids',
      request: { parameters: { id: 1 } },
      answer: failure(
        'auction-has-bids',
        'The auction has bids and was created without cancellableUntilEnd, so it cannot be cancelled.',
      ),
    },
  ],
})
