import type { UserId } from '../values/ids.ts'
import type { AmountMinor } from '../values/money.ts'
import type { Terms } from './auction.ts'
import type { Stake } from './formats/format.ts'
import { formatOf } from './formats/formats.ts'

export type NextBidder = {
  readonly bidderId: UserId
  /** What they would have paid without the excluded bidders. Undefined if the reserve is above their highest bid. */
  readonly priceMinor: AmountMinor | undefined
}

/**
 * The bidder with the highest stake without the excluded ones, or of equal stakes the one who reached it first. What the
 * excluded ones bid changes nothing: who bids the price up, and is excluded, does not raise it.
 */
export function nextBidder(
  terms: Terms,
  stakes: readonly Stake[],
  excludedBidderIds: readonly UserId[],
): NextBidder | undefined {
  const [next, other] = stakes
    .filter(({ bidderId }) => !excludedBidderIds.includes(bidderId))
    .toSorted((one, two) => two.highestMinor - one.highestMinor || one.sinceSequence - two.sinceSequence)
  if (next === undefined) return undefined
  const { bidderId, highestMinor } = next
  return { bidderId, priceMinor: formatOf(terms).offerPrice?.(terms, highestMinor, other?.highestMinor) }
}
