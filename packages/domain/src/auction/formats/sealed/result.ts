import type { AmountMinor } from '../../../values/money.ts'
import type { Closed } from '../../life-events.ts'
import type { CountedBid } from './tally.ts'
import type { SealedTerms } from './terms.ts'

/** Whether a bid wins against another one: a higher one does, or of the same the one that was reached first. */
const beats = (bid: CountedBid, other: CountedBid | undefined): boolean =>
  other === undefined ||
  bid.amountMinor > other.amountMinor ||
  (bid.amountMinor === other.amountMinor && bid.sinceSequence < other.sinceSequence)

/** The result of the bids that count, one for each bidder. */
export function resultOf(
  { pricing, startingPriceMinor, reservePriceMinor }: SealedTerms,
  bids: Iterable<CountedBid>,
): Closed['result'] {
  let [bidderCount, first, second]: [number, CountedBid?, CountedBid?] = [0]
  for (const bid of bids) {
    bidderCount += 1
    if (beats(bid, first)) [first, second] = [bid, first]
    else if (beats(bid, second)) second = bid
  }
  if (first === undefined) return { outcome: 'unsold', reason: 'no-bids', bidderCount }
  const { bidId, bidderId: winnerId, amountMinor, paddle } = first
  const leastMinor = Math.max(startingPriceMinor, reservePriceMinor ?? 0) as AmountMinor // One of two amounts.
  if (amountMinor < leastMinor) return { outcome: 'unsold', reason: 'reserve-not-met', bidderCount }
  const otherMinor = second !== undefined && second.amountMinor > leastMinor ? second.amountMinor : leastMinor
  const priceMinor = pricing === 'first' ? amountMinor : otherMinor
  const sold = { outcome: 'sold', bidId, winnerId, priceMinor, bidderCount } as const
  return paddle === undefined ? sold : { ...sold, paddle }
}
