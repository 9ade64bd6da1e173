import type { Terms } from '../../auction/auction.ts'
import type { AuctionResult } from '../../auction/state.ts'
import type { Entry } from '../../ledger/entry.ts'

/** The highest amount that can be offered, in minor units. */
const mostMinor = 999_999_999_999_999

/**
 * The rules once more, as plainly as can be, and on purpose without a look at those of the service: a checker that shares
 * the rules that it checks shares their mistakes. `before` is the entry before, if there is one.
 */
export const priceMinor = (terms: Terms, before: Entry | undefined): number =>
  before?.state.leader?.amountMinor ?? terms.startingPriceMinor

/** Undefined where nobody can offer so much. */
export function leastMinor(terms: Terms, before: Entry | undefined): number | undefined {
  const leader = before?.state.leader
  if (leader == null) return Math.max(terms.startingPriceMinor, 1)
  const least = leader.amountMinor + terms.minimumBidIncrementMinor
  return least > mostMinor ? undefined : least
}

export function expectedResult(before: Entry | undefined): AuctionResult {
  const leader = before?.state.leader
  if (leader == null) return { outcome: 'unsold', reason: 'no-bids' }
  return { outcome: 'sold', bidId: leader.bidId, winnerId: leader.bidderId, priceMinor: leader.amountMinor }
}

/** The state that an entry leads to. */
export function expectedState({ id, atMs, event }: Entry, before: Entry | undefined): Entry['state'] {
  const bidCount = before?.state.bidCount ?? 0
  const leader = before?.state.leader ?? null
  if (event.type === 'closed') return { phase: 'closed', bidCount, leader, atMs, result: event.result }
  const { bidderId, amountMinor } = event
  return { phase: 'open', bidCount: bidCount + 1, leader: { bidId: id, bidderId, amountMinor }, atMs }
}
