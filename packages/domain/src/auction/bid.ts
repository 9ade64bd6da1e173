import * as v from 'valibot'
import { PositiveDecimal } from '../amount.ts'
import { AuctionId, type BidId, UserId } from '../ids.ts'
import type { AmountMinor, Currency, Decimal } from '../money.ts'
import { accepted } from '../result.ts'
import { missingField, type Parsed, parseObject } from '../validation.ts'

/** Says what is wrong with a maximum that is too low to be one. */
export const maximumBelowAmount = 'must be at least the amount'

const fields = v.object(
  {
    auctionId: v.pipe(AuctionId, v.description('The auction to bid on.')),
    bidderId: v.pipe(UserId, v.description('The user who bids.')),
    amount: v.pipe(
      PositiveDecimal,
      v.description(
        "In the auction's currency, with no more decimals than that has. At least its next bid, unless the leader sends a `maximumAmount`.",
      ),
    ),
    maximumAmount: v.nullish(
      v.pipe(
        PositiveDecimal,
        v.description(
          'Up to which the service bids for the bidder when others bid, by no more than it takes: at least the amount. Only the bidder reads it.',
        ),
      ),
    ),
  },
  missingField,
)

/** What a caller says of a bid, as JSON. Its amounts are in the currency of the auction, which only the auction tells. */
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

/** A bid that somebody wants to place, parsed. */
export type NewBid = {
  readonly auctionId: AuctionId
  readonly bidderId: UserId
  readonly amount: Decimal
  /** Up to which the service bids for the bidder. */
  readonly maximumAmount?: Decimal
}

/** A bid that was accepted, as it is read. */
export type Bid = {
  readonly id: BidId
  readonly auctionId: AuctionId
  readonly bidderId: UserId
  readonly amountMinor: AmountMinor
  readonly currency: Currency
  readonly timestampMs: number
  /** Up to which the service bids for the bidder, as that bid said: for nobody's eyes but the bidder's. */
  readonly maximumMinor?: AmountMinor
  /** On bids that the service made for their bidder. */
  readonly automatic?: true
  /** What the bid was raised to at once, by the maximum that came with it, if it was. */
  readonly raisedToMinor?: AmountMinor
  /** The bid that the leader's maximum made in reply at once, if it did: what it takes to lead is more than that. */
  readonly outbidAtMinor?: AmountMinor
  /** On what only raised the maximum of the leader: it stands in no list, and its amount is what the bidder leads with then. */
  readonly raisesMaximum?: true
}

// What reading a bid returns beside them: dropped when sent, so that a resource can be sent back.
export const assignedToBids = new Set(['id', 'status', 'timestamp', 'automatic', 'raisesMaximum'])

/** Parses the JSON of a new bid, strictly and with every fault. */
export function parseNewBid(input: unknown): Parsed<NewBid> {
  const parsed = parseObject(NewBidFields, input, assignedToBids)
  if (!parsed.ok) return parsed
  const { maximumAmount, ...bid } = parsed.value
  return accepted(maximumAmount == null ? bid : { ...bid, maximumAmount })
}
