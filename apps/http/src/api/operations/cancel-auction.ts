import { CancellationFields, parseCancellation } from '@auction/domain/parsing'
import { accepted, refused } from '@auction/domain/result'
import { reasonsOf, sendReason } from '../answers/refusals.ts'
import { AuctionViewResource, auctionLocation, auctionViewResource } from '../answers/resources.ts'
import type { Viewer } from '../callers/viewer.ts'
import { AuctionPath } from '../requests/parameters.ts'
import { defineOperation } from './define-operation.ts'

const mayForce = ({ permissions }: Viewer): boolean => permissions.has('Auctions.Cancel.Any')

export const cancelAuction = defineOperation({
  name: 'cancelAuction',
  method: 'POST',
  path: '/api/Auctions/{id}/Cancellation',
  tag: 'Auctions',
  permission: 'Auctions.Cancel',
  staffPermission: 'Auctions.Cancel.Any',
  summary: 'Cancel an auction',
  description:
    'Cancels an auction before its first bid, or before its end if it was created with `cancellableUntilEnd`. If callers are bound to users, only the owner can cancel. Cancelling a cancelled auction changes nothing, keeps the first reason, and returns 201.\n\nWith a `reason`, a caller with `Auctions.Cancel.Any` can cancel any auction before its end, even after bids.',
  parameters: AuctionPath,
  body: { schema: CancellationFields, ignored: new Set(), parse: parseCancellation, isOptional: true },
  success: { status: 201, description: 'The auction is cancelled.', data: AuctionViewResource },
  refusals: {
    ...reasonsOf('auction-not-found', 'auction-ended'),
    forbidden: 'The token lacks the permission, or does not identify the owner.',
    'auction-has-bids':
      'The auction has bids and was created without `cancellableUntilEnd`. Callers with `Auctions.Cancel.Any` need a `reason`.',
  },
  // Staff need no user, but a reason.
  requester(bound, { reason }, viewer) {
    if (bound.ok || !mayForce(viewer)) return bound
    if (reason !== undefined) return accepted(undefined)
    const { refusal } = bound
    return refused({ ...refusal, message: `${refusal.message} ${sendReason}` })
  },
  call: (cancelAuction, { parameters, fields, retry, arrivedAtMs, requesterId, viewer }) =>
    cancelAuction(
      {
        auctionId: parameters.id,
        ...fields,
        ...(requesterId !== undefined && { requesterId }),
        mayForce: mayForce(viewer),
      },
      retry,
      arrivedAtMs,
    ),
  answer: (view, { viewer }) => ({
    message: `Auction ${view.auction.id} was cancelled.`,
    data: auctionViewResource(view, viewer),
    location: auctionLocation(view.auction),
  }),
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
