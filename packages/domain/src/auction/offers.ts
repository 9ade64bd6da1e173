import * as v from 'valibot'
import { NonNegativeDecimal } from '../values/amount.ts'
import { type Checked, createMark } from '../values/checked.ts'
import { type AuctionId, UserId } from '../values/ids.ts'
import type { Decimal } from '../values/money.ts'
import { missingField, parseObject } from '../values/parsing.ts'
import { textUpTo } from '../values/primitives.ts'
import { accepted } from '../values/result.ts'
import type { Parsed } from '../values/validation.ts'
import type { WithAdmission } from './admission.ts'
import type { Role } from './life-events.ts'

// The commands that the format of an auction decides.

/** A reason that all readers of an auction see: a string of 1 to 500 code points. */
export const Reason = textUpTo(500)

/** Who changes an auction: a user id, or another name of up to 100 characters. */
export type Edited = { readonly editor: string }

/** Whether the owner or staff send a command. Absent if an earlier version recorded it: no rule for a role applies. */
export type Sent = { readonly by?: Role | undefined }

export const maximumBelowAmount = 'must be at least amount'

/** A new bid, in the currency of the auction. */
export type NewBid = {
  readonly auctionId: AuctionId
  readonly bidderId: UserId
  readonly amount: Decimal
  /** The limit up to which the service bids for the bidder; at least the amount. */
  readonly maximumAmount?: Decimal
}

export type PlaceBidCommand = Omit<NewBid, 'auctionId'> & WithAdmission & { readonly type: 'place-bid' }

export type BuyNowCommand = Purchase & WithAdmission & { readonly type: 'buy-now' }

export type LowerReserveCommand = ReserveReduction & Edited & Sent & { readonly type: 'lower-reserve' }

/** A bidder withdraws their own bids. */
export type WithdrawOwnBidCommand = OwnWithdrawal & {
  readonly type: 'withdraw-own-bid'
  /** Whether the bidder has a bid that counts, in the state in which it is decided. */
  readonly hasBids: boolean
}

export type OfferCommand = PlaceBidCommand | BuyNowCommand | LowerReserveCommand | WithdrawOwnBidCommand

export const OwnWithdrawalFields = v.object(
  { bidderId: v.pipe(UserId, v.description('The user who withdraws their own bids.')) },
  missingField,
)

export type OwnWithdrawal = { readonly bidderId: UserId }

const checkedOwnWithdrawal = createMark<OwnWithdrawal>('parseOwnWithdrawal')

/** Parses the JSON of a bidder's own withdrawal strictly, and reports every error. */
export function parseOwnWithdrawal(input: unknown): Parsed<Checked<OwnWithdrawal>> {
  const parsed = parseObject(OwnWithdrawalFields, input)
  return parsed.ok ? accepted(checkedOwnWithdrawal(parsed.value)) : parsed
}

export const PurchaseFields = v.object(
  {
    buyerId: v.pipe(UserId, v.description('The user who buys, who must not be the owner.')),
    atMost: v.nullish(
      v.pipe(
        NonNegativeDecimal,
        v.description(
          'The most that the buyer pays, for an auction whose price falls. It is required there, and must be omitted for others.',
        ),
      ),
    ),
  },
  missingField,
)

export type Purchase = {
  readonly buyerId: UserId
  /** The most that the buyer pays, if the price of the auction falls. */
  readonly atMost?: Decimal
}

const checkedPurchase = createMark<Purchase>('parsePurchase')

/** Parses the JSON of a purchase strictly, and reports every error. */
export function parsePurchase(input: unknown): Parsed<Checked<Purchase>> {
  const parsed = parseObject(PurchaseFields, input)
  if (!parsed.ok) return parsed
  const { buyerId, atMost } = parsed.value
  return accepted(checkedPurchase(atMost == null ? { buyerId } : { buyerId, atMost }))
}

export const ReserveReductionFields = v.object(
  {
    reservePrice: v.pipe(NonNegativeDecimal, v.description('The new reserve, below the current one; 0 removes it.')),
    reason: v.nullish(
      v.pipe(Reason, v.description('The reason, visible to all readers of the auction. Only the owner may omit it.')),
    ),
  },
  missingField,
)

export type ReserveReduction = { readonly reservePrice: Decimal; readonly reason?: string }

const checkedReduction = createMark<ReserveReduction>('parseReserveReduction')

/** Parses the JSON of a lower reserve strictly, and reports every error that does not depend on the auction. */
export function parseReserveReduction(input: unknown): Parsed<Checked<ReserveReduction>> {
  const parsed = parseObject(ReserveReductionFields, input)
  if (!parsed.ok) return parsed
  const { reservePrice, reason } = parsed.value
  return accepted(checkedReduction(reason == null ? { reservePrice } : { reservePrice, reason }))
}
