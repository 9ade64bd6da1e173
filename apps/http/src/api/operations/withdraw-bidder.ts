import { parseWithdrawal, WithdrawalFields } from '@auction/domain/parsing'
import { refused } from '@auction/domain/result'
import { editorOf, hiddenBidder, maySeeBids } from '../callers/caller.ts'
import { jsonBody } from '../requests/json-body.ts'
import { AuctionPath } from '../requests/parameters.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { AuctionViewResource } from '../responses/resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'
import { readAuctionResponse } from './read-auction.ts'

export const withdrawBidder = defineOperation({
  route: {
    name: 'withdrawBidder',
    method: 'POST',
    path: '/api/Auctions/{id}/Withdrawal',
    permissions: allOf('Auctions.Manage'),
    isRepair: true,
  },
  docs: {
    tag: 'Repairs',
    summary: 'Withdraw the bids of a bidder, block or unblock the bidder',
    description:
      'Withdraws all bids of one bidder, until the result is recorded. The bids and maximums of the others are decided again in their order, as if the bidder had not bid: price, leader and number of bids are then those. The price never rises; the auction may have no bids again, or no longer meet its reserve. Extensions stay, and so do the terms: the auction cannot be corrected afterwards. All readers see the reason. The bids stay readable, with `withdrawn`. The bidder may bid again, unless `block` is true.\n\n`block`: true also blocks a user who has no bids, and then changes nothing else. `block`: false only lets a blocked user bid again, and withdraws no bids; of a user who is not blocked it is refused with `no-bids-of-bidder`. If the service hides the ids of bidders, the caller also needs `Bidders.Read`.',
    success: 'The bids were withdrawn, or the user was blocked or unblocked.',
  },
  schemas: {
    parameters: AuctionPath,
    body: jsonBody(WithdrawalFields, parseWithdrawal),
    data: AuctionViewResource,
    isTagged: true,
  },
  refusals: {
    ...reasonsOf('auction-not-found', 'auction-cancelled', 'too-many-repairs', 'no-bids-of-bidder'),
    'auction-ended': 'The result of the auction is recorded.',
  },
  handle: async ({ input: { parameters, body, retry }, caller, viewer, service, arrivedAtMs }) => {
    // Otherwise a refusal would say who has bid.
    if (!maySeeBids(viewer, body.bidderId)) return refused(hiddenBidder)
    const request = { auctionId: parameters.id, withdrawal: body, editor: editorOf(caller) }
    const withdrawn = await service.withdrawBidder(request, retry, arrivedAtMs)
    return responseTo(withdrawn, (view) => readAuctionResponse(view, viewer))
  },
  examples: {
    'A bid by mistake': {
      parameters: { id: 1 },
      headers: { 'Idempotency-Key': 'slip-1' },
      body: { bidderId: 3, reason: 'The bidder typed one digit too many.' },
    },
  },
})
