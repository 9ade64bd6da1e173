import { parseReserveReduction, ReserveReductionFields } from '@auction/domain/parsing'
import { refused } from '@auction/domain/result'
import { editorOf, ownerUnknownFor } from '../callers/caller.ts'
import { jsonBody } from '../requests/json-body.ts'
import { AuctionPath } from '../requests/parameters.ts'
import { ownersOnly, reasonsOf } from '../responses/refusals.ts'
import { AuctionViewResource } from '../responses/resources.ts'
import { anyOf, defineOperation, responseTo } from './define-operation.ts'
import { readAuctionResponse } from './read-auction.ts'

export const lowerReserve = defineOperation({
  route: {
    name: 'lowerReserve',
    method: 'POST',
    path: '/api/Auctions/{id}/Reserve',
    permissions: anyOf('Auctions.Update', 'Auctions.Manage'),
    isRepair: true,
  },
  docs: {
    tag: 'Repairs',
    summary: 'Lower the reserve of an auction',
    description:
      'Lowers the reserve, or removes it with 0. If the maximum of the leader now covers the reserve, the service bids the reserve for the leader. The reserve stays secret: readers see only `reserveMet`, and the bid.\n\nWith `Auctions.Update`, only the owner can lower it, once, before the end, and only if staff have not lowered it; callers must be bound to users. With `Auctions.Manage` and a `reason`, any caller can, more than once, and after the end until the result is recorded a few seconds later. A caller who may not read the reserve of the auction can only remove it.',
    success: 'The reserve was lowered or removed.',
  },
  schemas: {
    parameters: AuctionPath,
    body: jsonBody(ReserveReductionFields, parseReserveReduction),
    data: AuctionViewResource,
    isTagged: true,
  },
  refusals: {
    ...reasonsOf('auction-not-found', 'auction-cancelled', 'too-many-repairs', 'reserve-lowered-before'),
    ...reasonsOf('not-in-format'),
    ...ownersOnly,
    'auction-ended': 'The result is recorded, the auction was bought, or, for its owner, its time is over.',
  },
  handle: async ({ input: { parameters, body, retry }, caller, viewer, userBinding, service, arrivedAtMs }) => {
    const mayLowerAny = viewer.permissions.has('Auctions.Manage')
    const requester = userBinding.requesterOf(caller)
    if (!mayLowerAny && !requester.ok) return requester
    if (!mayLowerAny && viewer.userId === undefined)
      return refused(ownerUnknownFor('lowering a reserve', 'Auctions.Manage'))
    const lowered = await service.lowerReserve(
      {
        auctionId: parameters.id,
        reduction: body,
        requesterId: viewer.userId,
        mayLowerAny,
        mayReadReserve: viewer.permissions.has('Auctions.Reserve.Read'),
        editor: editorOf(caller),
      },
      retry,
      arrivedAtMs,
    )
    return responseTo(lowered, (view) => readAuctionResponse(view, viewer))
  },
  examples: {
    'No reserve any more': {
      parameters: { id: 4 },
      headers: { 'Idempotency-Key': 'reserve-1' },
      body: { reservePrice: 0, reason: 'The coin has a scratch.' },
    },
  },
})
