import { parseReserveReduction, ReserveReductionFields } from '@auction/domain/parsing'
import { accepted, refused } from '@auction/domain/result'
import { reasonsOf } from '../answers/refusals.ts'
import { AuctionViewResource } from '../answers/resources.ts'
import { anyOf } from '../callers/requirement.ts'
import { editorOf, ownerUnknownFor } from '../callers/user-binding.ts'
import { jsonBody } from '../requests/json-body.ts'
import { AuctionPath } from '../requests/parameters.ts'
import { defineOperation } from './define-operation.ts'
import { readAuctionAnswer } from './read-auction.ts'

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
    forbidden: 'The token lacks the permission, or does not identify the owner.',
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
    if (!lowered.ok) return lowered
    return accepted({ ...readAuctionAnswer(lowered.value, viewer), isRepeated: lowered.isRepeated })
  },
  examples: {
    'A caller who may not read the reserve, without a reason': { parameters: { id: 4 }, body: { reservePrice: 40 } },
    'No reserve any more': {
      parameters: { id: 4 },
      headers: { 'Idempotency-Key': 'reserve-1' },
      body: { reservePrice: 0, reason: 'The coin has a scratch.' },
    },
    'An auction without a reserve': { parameters: { id: 1 }, body: { reservePrice: 0, reason: 'Agreed.' } },
  },
})
