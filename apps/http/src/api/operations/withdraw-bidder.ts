import type { OwnWithdrawal, Withdrawal } from '@auction/domain/auction'
import {
  type Checked,
  type Parsed,
  parseOwnWithdrawal,
  parseWithdrawal,
  validationFailed,
  WithdrawalFields,
} from '@auction/domain/parsing'
import { accepted, refused } from '@auction/domain/result'
import * as v from 'valibot'
import { editorOf, type Forbidden, hiddenBidder, maySeeBids } from '../callers/caller.ts'
import { jsonBody } from '../requests/json-body.ts'
import { AuctionPath } from '../requests/parameters.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { AuctionViewResource } from '../responses/resources.ts'
import { anyOf, defineOperation, responseTo } from './define-operation.ts'
import { readAuctionResponse, readWithoutBidResponse } from './read-auction.ts'

const fields = v.object({ ...WithdrawalFields.entries, reason: v.optional(WithdrawalFields.entries.reason) })

type Body =
  | { readonly by: 'staff'; readonly withdrawal: Checked<Withdrawal> }
  | { readonly by: 'bidder'; readonly withdrawal: Checked<OwnWithdrawal> }

/** A body that has only the bidder is that of the bidder. */
function parseBody(input: unknown): Parsed<Body> {
  const isByStaff = ['reason', 'block'].some((name) => Object.hasOwn(Object(input), name))
  const by = isByStaff ? 'staff' : 'bidder'
  const parsed = isByStaff ? parseWithdrawal(input) : parseOwnWithdrawal(input)
  // The cast: the parser is that of the requester.
  return parsed.ok ? accepted({ by, withdrawal: parsed.value } as Body) : parsed
}

const reasonNeeded = validationFailed({
  pointer: '/reason',
  message: 'is required; only bidders withdraw their own sealed bids without one',
})

const needs = (what: string, permission: string): Forbidden => ({
  code: 'forbidden',
  message: `${what} needs the permission ${permission}.`,
})

export const withdrawBidder = defineOperation({
  route: {
    name: 'withdrawBidder',
    method: 'POST',
    path: '/api/Auctions/{id}/Withdrawal',
    permissions: anyOf('Auctions.Manage', 'Bids.Create'),
    isRepair: true,
  },
  docs: {
    tag: 'Repairs',
    summary: 'Withdraw the bids of a bidder, block or unblock the bidder',
    description:
      'Withdraws all bids of one bidder, until the result is recorded. The bids and maximums of the others are decided again in their order, as if the bidder had not bid: price, leader and number of bids are then those. The price never rises; the auction may have no bids again, or no longer meet its reserve. Extensions stay, and so do the terms: the auction cannot be corrected afterwards. All readers see the reason. The bids stay readable, with `withdrawn`. The bidder may bid again, unless `block` is true.\n\n`block`: true also blocks a user who has no bids, and then changes nothing else. `block`: false only lets a blocked user bid again, and withdraws no bids; of a user who is not blocked it is refused with `no-bids-of-bidder`. If the service hides the ids of bidders, the caller also needs `Bidders.Read`.\n\nWith only a `bidderId`, bidders withdraw their own sealed bids, until the end, with the permission `Bids.Create`; if callers are bound to users, only their own. Without `reason`, other requests are refused.',
    success: 'The bids were withdrawn, or the user was blocked or unblocked.',
  },
  schemas: {
    parameters: AuctionPath,
    body: jsonBody(fields, parseBody),
    data: AuctionViewResource,
    isTagged: true,
  },
  refusals: {
    ...reasonsOf('auction-not-found', 'auction-not-started', 'auction-cancelled', 'too-many-repairs'),
    ...reasonsOf('no-bids-of-bidder', 'not-in-format'),
    'auction-ended': 'The result of the auction is recorded; for bidders: the auction has ended.',
  },
  handle: async ({ input: { parameters, body, retry }, caller, viewer, userBinding, service, arrivedAtMs }) => {
    const { permissions } = viewer
    const auctionId = parameters.id
    const isStaff = permissions.has('Auctions.Manage')
    if (body.by === 'staff') {
      if (!isStaff) return refused(needs('A withdrawal with a reason or a block', 'Auctions.Manage'))
      const { withdrawal } = body
      // Otherwise a refusal would say who has bid.
      if (!maySeeBids(viewer, withdrawal.bidderId)) return refused(hiddenBidder)
      const withdrawn = await service.withdrawBidder(
        { auctionId, withdrawal, editor: editorOf(caller) },
        retry,
        arrivedAtMs,
      )
      return responseTo(withdrawn, (view) => readAuctionResponse(view, viewer))
    }
    const { withdrawal } = body
    const forbidden = permissions.has('Bids.Create')
      ? userBinding.refusalIfNotUser(caller, 'bidderId', withdrawal.bidderId)
      : needs('A withdrawal of own bids', 'Bids.Create')
    if (forbidden !== undefined) return refused(isStaff ? reasonNeeded : forbidden)
    const withdrawn = await service.withdrawOwnBid({ auctionId, withdrawal }, retry, arrivedAtMs)
    if (isStaff && !withdrawn.ok && withdrawn.refusal.code === 'not-in-format') return refused(reasonNeeded)
    return responseTo(withdrawn, (view) => readWithoutBidResponse(view, viewer))
  },
  examples: {
    'A bid by mistake': {
      parameters: { id: 1 },
      headers: { 'Idempotency-Key': 'slip-1' },
      body: { bidderId: 3, reason: 'The bidder typed one digit too many.' },
    },
  },
})
