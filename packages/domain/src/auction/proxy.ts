import type { UserId } from '../ids.ts'
import type { AmountMinor } from '../money.ts'
import type { Terms } from './auction.ts'
import type { AutomaticBid } from './events.ts'
import { liftedToReserve } from './reserve.ts'
import type { Leader } from './state.ts'

/** How far the leader goes: to its maximum, or to its bid. */
export const ceilingOf = ({ amountMinor, maximumMinor }: Leader): AmountMinor => maximumMinor ?? amountMinor

/**
 * The bid that the service makes at once, when somebody bids an amount and would go up to a maximum; undefined where it makes none.
 *
 * Of two who would go up to some price, the one who goes further leads, and of two who go equally far, the one who came first. The
 * price is what it takes: the lower maximum and the increment, or the higher maximum where that is less.
 */
export function automaticBid(
  terms: Pick<Terms, 'minimumBidIncrementMinor' | 'reservePriceMinor'>,
  leader: Leader | null,
  bidderId: UserId,
  amountMinor: AmountMinor,
  maximumMinor: AmountMinor,
): AutomaticBid | undefined {
  if (leader !== null && leader.bidderId !== bidderId) {
    const defendedMinor = ceilingOf(leader)
    if (maximumMinor <= defendedMinor) {
      return { bidderId: leader.bidderId, amountMinor: justAbove(maximumMinor, defendedMinor, terms) }
    }
    // Where the leader has no maximum, the amount is above that already.
    const beatenMinor = justAbove(defendedMinor, maximumMinor, terms)
    return raisedTo(terms, bidderId, amountMinor, beatenMinor, maximumMinor)
  }
  return raisedTo(terms, bidderId, amountMinor, amountMinor, maximumMinor)
}

/** The increment above an amount, or as much of it as the maximum of whoever leads then allows. */
const justAbove = (
  amountMinor: AmountMinor,
  maximumMinor: AmountMinor,
  { minimumBidIncrementMinor }: Pick<Terms, 'minimumBidIncrementMinor'>,
): AmountMinor =>
  // The sum is exact, as both are below 10^15, and the lower of the two is an amount as the maximum is one.
  Math.min(amountMinor + minimumBidIncrementMinor, maximumMinor) as AmountMinor

/** What the bidder itself is raised to above its bid: what beats the one before, and the reserve. */
function raisedTo(
  terms: Pick<Terms, 'reservePriceMinor'>,
  bidderId: UserId,
  amountMinor: AmountMinor,
  beatenMinor: AmountMinor,
  maximumMinor: AmountMinor,
): AutomaticBid | undefined {
  const takenMinor = beatenMinor > amountMinor ? beatenMinor : amountMinor
  const priceMinor = liftedToReserve(terms, takenMinor, maximumMinor)
  return priceMinor > amountMinor ? { bidderId, amountMinor: priceMinor } : undefined
}
