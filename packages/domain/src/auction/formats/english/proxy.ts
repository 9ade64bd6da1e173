import type { UserId } from '../../../values/ids.ts'
import type { AmountMinor } from '../../../values/money.ts'
import { countedMinor, stepFrom } from './bid-steps.ts'
import type { AutomaticBid, BidPlaced, MaximumRaised } from './events.ts'
import { type Increments, nextAmountMinor } from './prices.ts'
import type { Leader } from './state.ts'
import type { EnglishTerms } from './terms.ts'

/** The maximum of the leader as it counts, or their bid if they have no maximum. */
export const ceilingOf = (terms: Increments, { amountMinor, maximumMinor }: Leader): AmountMinor =>
  maximumMinor === undefined ? amountMinor : countedMinor(terms, maximumMinor)

/** A request to bid or to raise a maximum, without what follows from it. */
export type BidRequest =
  | Pick<BidPlaced, 'type' | 'bidderId' | 'amountMinor' | 'maximumMinor'>
  | Pick<MaximumRaised, 'type' | 'bidderId' | 'amountMinor' | 'maximumMinor'>

/** The automatic bid that an accepted request causes at once; undefined if it causes none. */
export function automaticBidAfter(
  terms: Increments & Pick<EnglishTerms, 'reservePriceMinor'>,
  leader: Leader | null,
  { type, bidderId, amountMinor, maximumMinor }: BidRequest,
): AutomaticBid | undefined {
  // The amount of a raised maximum has no effect.
  const ownMinor = type === 'maximum-raised' && leader !== null ? leader.amountMinor : amountMinor
  return automaticBid(terms, leader, bidderId, ownMinor, countedMinor(terms, maximumMinor ?? amountMinor))
}

/** The automatic bid at a reserve that the leader's maximum covers; undefined if it does not, or is met. */
export const automaticBidAtReserve = (
  terms: Increments & Pick<EnglishTerms, 'reservePriceMinor'>,
  leader: Leader | null,
): AutomaticBid | undefined =>
  leader === null
    ? undefined
    : automaticBid(terms, leader, leader.bidderId, leader.amountMinor, ceilingOf(terms, leader))

/**
 * The automatic bid that follows a bid with a maximum at once; undefined if none does. For a bid without a maximum, the
 * maximum is its amount.
 *
 * The higher of two maximums leads; of equal maximums, the earlier. The price is the lower maximum plus the increment at
 * that amount, or the next step, but not above the higher maximum.
 */
function automaticBid(
  terms: Increments & Pick<EnglishTerms, 'reservePriceMinor'>,
  leader: Leader | null,
  bidderId: UserId,
  amountMinor: AmountMinor,
  maximumMinor: AmountMinor,
): AutomaticBid | undefined {
  if (leader !== null && leader.bidderId !== bidderId) {
    const defendedMinor = ceilingOf(terms, leader)
    if (maximumMinor <= defendedMinor) {
      return { bidderId: leader.bidderId, amountMinor: justAbove(maximumMinor, defendedMinor, terms) }
    }
    // If the leader has no maximum, the amount already exceeds their bid.
    const beatenMinor = justAbove(defendedMinor, maximumMinor, terms)
    return raisedTo(terms, bidderId, amountMinor, beatenMinor, maximumMinor)
  }
  return raisedTo(terms, bidderId, amountMinor, amountMinor, maximumMinor)
}

/** The lowest amount that beats another one, but not above the maximum. */
const justAbove = (amountMinor: AmountMinor, maximumMinor: AmountMinor, increments: Increments): AmountMinor =>
  Math.min(nextAmountMinor(increments, amountMinor), maximumMinor) as AmountMinor // It is one, because the maximum is one.

/** The automatic bid above the bidder's own: enough to beat the last leader, and to meet the reserve if possible. */
function raisedTo(
  terms: Increments & Pick<EnglishTerms, 'reservePriceMinor'>,
  bidderId: UserId,
  amountMinor: AmountMinor,
  beatenMinor: AmountMinor,
  maximumMinor: AmountMinor,
): AutomaticBid | undefined {
  const enoughMinor = beatenMinor > amountMinor ? beatenMinor : amountMinor
  const priceMinor = liftedToReserve(terms, enoughMinor, maximumMinor)
  return priceMinor > amountMinor ? { bidderId, amountMinor: priceMinor } : undefined
}

/** Raises the price of a leader to the reserve, or to the first step from it on, if their maximum covers the reserve. */
const liftedToReserve = (
  terms: Increments & Pick<EnglishTerms, 'reservePriceMinor'>,
  priceMinor: AmountMinor,
  maximumMinor: AmountMinor,
): AmountMinor => {
  const { reservePriceMinor } = terms
  return reservePriceMinor !== undefined && priceMinor < reservePriceMinor && reservePriceMinor <= maximumMinor
    ? (Math.min(stepFrom(terms, reservePriceMinor), maximumMinor) as AmountMinor) // It is one, because the maximum is one.
    : priceMinor
}
