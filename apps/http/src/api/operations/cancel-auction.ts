import { CancellationFields, parseCancellation } from '@auction/domain/parsing'
import { refused } from '@auction/domain/result'
import { readingAs } from '../callers/caller.ts'
import { jsonBody, optional } from '../requests/json-body.ts'
import { AuctionPath } from '../requests/parameters.ts'
import { ownersOnly, reasonsOf, sendReason } from '../responses/refusals.ts'
import { AuctionViewResource, auctionLocation, auctionViewResource } from '../responses/resources.ts'
import { anyOf, defineOperation, responseTo } from './define-operation.ts'

export const cancelAuction = defineOperation({
  route: {
    name: 'cancelAuction',
    method: 'POST',
    path: '/api/Auctions/{id}/Cancellation',
    permissions: anyOf('Auctions.Cancel', 'Auctions.Cancel.Any'),
  },
  docs: {
    tag: 'Auctions',
    summary: 'Cancel an auction',
    description:
      'Cancels an auction before its first bid, or before its end if it was created with `cancellableUntilEnd`. If callers are bound to users, only the owner can cancel. Cancelling a cancelled auction changes nothing, keeps the first reason, and returns 201.\n\nWith a `reason`, a caller with `Auctions.Cancel.Any` can cancel any auction before its end, even after bids.',
    success: 'The auction is cancelled.',
  },
  schemas: {
    parameters: AuctionPath,
    body: optional(jsonBody(CancellationFields, parseCancellation)),
    data: AuctionViewResource,
  },
  refusals: {
    ...reasonsOf('auction-not-found', 'auction-ended'),
    ...ownersOnly,
    'auction-has-bids':
      'The auction has had bids and was created without `cancellableUntilEnd`. Callers with `Auctions.Cancel.Any` need a `reason`.',
    'auction-started':
      'An auction whose price falls has started and was created without `cancellableUntilEnd`. Callers with `Auctions.Cancel.Any` need a `reason`.',
  },
  handle: async ({ input: { parameters, body, retry }, caller, viewer, userBinding, service, arrivedAtMs }) => {
    const mayForce = viewer.permissions.has('Auctions.Cancel.Any')
    const requester = userBinding.requesterOf(caller)
    if (!requester.ok && !mayForce) return requester
    // Staff need no user, but a reason.
    if (!requester.ok && body.reason === undefined) {
      return refused({ ...requester.refusal, message: `${requester.refusal.message} ${sendReason}` })
    }
    const requesterId = requester.ok ? requester.value : undefined
    const { seesPrivate } = readingAs(viewer)
    const cancelled = await service.cancelAuction(
      { auctionId: parameters.id, cancellation: body, requesterId, mayForce, seesPrivate },
      retry,
      arrivedAtMs,
    )
    return responseTo(cancelled, (view) => ({
      message: `Auction ${view.auction.id} was cancelled.`,
      data: auctionViewResource(view, viewer),
      location: auctionLocation(view.auction),
    }))
  },
  examples: {
    'A cancellation with a reason': {
      parameters: { id: 3 },
      headers: { 'Idempotency-Key': 'no-lamp' },
      body: { reason: 'Broken in transport' },
    },
    'A second cancellation, without a reason': { parameters: { id: 3 } },
    'An auction with bids': { parameters: { id: 1 } },
  },
})
