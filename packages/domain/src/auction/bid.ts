import * as v from 'valibot'
import { PositiveDecimal } from '../values/amount.ts'
import { type Checked, createMark } from '../values/checked.ts'
import { AuctionId, type BidId, UserId } from '../values/ids.ts'
import type { AmountMinor, Currency, Decimal } from '../values/money.ts'
import { missingField, parseObject } from '../values/parsing.ts'
import { accepted } from '../values/result.ts'
import type { Parsed } from '../values/validation.ts'

export const maximumBelowAmount = 'must be at least amount'

const fields = v.object(
  {
    auctionId: v.pipe(AuctionId, v.description('The auction to bid on.')),
    bidderId: v.pipe(UserId, v.description('The user who bids.')),
    amount: v.pipe(
      PositiveDecimal,
      v.description(
        'The amount in the currency of the auction: at least `minimumNextBid`, at most `maximumNextBid`, and below the `buyNowPrice` while that is offered. A lower one is no bid; with it, the leader can send a higher `maximumAmount`.',
      ),
    ),
    maximumAmount: v.nullish(
      v.pipe(
        PositiveDecimal,
        v.description(
          'The limit up to which the service bids for the bidder; at least `amount`, even above the `buyNowPrice`. Visible only to the bidder.',
        ),
      ),
    ),
  },
  missingField,
)

/** The JSON of a new bid. Its amounts are in the currency of the auction, which the bid does not contain. */
export const NewBidFields = v.pipe(
  fields,
  v.forward(
    v.partialCheck(
      [['amount'], ['maximumAmount']],
      ({ amount, maximumAmount }) => maximumAmount == null || maximumAmount >= amount,
      maximumBelowAmount,
    ),
    ['maximumAmount'],
  ),
)

/** A new bid, in the currency of the auction. */
export type NewBid = {
  readonly auctionId: AuctionId
  readonly bidderId: UserId
  readonly amount: Decimal
  /** The limit up to which the service bids for the bidder; at least the amount. */
  readonly maximumAmount?: Decimal
}

/** An accepted bid, or what reads show like one. */
export type Bid = {
  readonly id: BidId
  readonly auctionId: AuctionId
  readonly bidderId: UserId
  readonly amountMinor: AmountMinor
  readonly currency: Currency
  readonly timestampMs: number
  /** The maximum that this bid set. Only the bidder may see it. */
  readonly maximumMinor?: AmountMinor
  /** Set if the service placed the bid for a bidder with a maximum. */
  readonly automatic?: true
  /** The amount of the automatic bid that the bid's own maximum made at once, if any. */
  readonly raisedToMinor?: AmountMinor
  /** The amount of the automatic bid that the leader's maximum made in reply, if any. */
  readonly outbidAtMinor?: AmountMinor
  /**
   * Set if the bid was withdrawn, so that it does not count: it, or the bid that it replied to. Only reads and lists
   * know it.
   */
  readonly isWithdrawn?: true
  /** Set if this is not a bid but a higher maximum of the leader. Lists omit it; its amount is the leader's bid. */
  readonly raisesMaximum?: true
  /**
   * Set if this is not a bid but a purchase for the buy-now price, which is its amount. Only the list of a user's bids and
   * the read by its id have it.
   */
  readonly isPurchase?: true
}

/** Fields that the service assigns. The parser ignores them, so that clients can send a resource back. */
export const assignedToBids = new Set([
  'id',
  'status',
  'timestamp',
  'automatic',
  'raisesMaximum',
  'withdrawn',
  'purchase',
  'leaderId',
  'youLead',
  'yourMaximum',
  'yourPseudonym',
])

const checked = createMark<NewBid>('parseNewBid')

/** Parses the JSON of a new bid strictly, and reports every error. */
export function parseNewBid(input: unknown): Parsed<Checked<NewBid>> {
  const parsed = parseObject(NewBidFields, input, assignedToBids)
  if (!parsed.ok) return parsed
  const { auctionId, bidderId, amount, maximumAmount } = parsed.value
  const bid = { auctionId, bidderId, amount }
  return accepted(checked(maximumAmount == null ? bid : { ...bid, maximumAmount }))
}
