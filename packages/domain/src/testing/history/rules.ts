import type { Terms } from '../../auction/auction.ts'
import type { BidEntry, Entry } from '../../ledger/entry.ts'
import { bidsIn, type LeaderAfter, leaderAfter } from './bidding-rules.ts'

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

/** When the auction ends, as far as bids have moved that. */
export const endMs = (terms: Terms, before: Entry | undefined): number =>
  before?.state.extendedEndMs ?? terms.endTime.epochMs

/** The time of the last bid that can be, if each moves the end. */
export const latestEndMs = ({ endTime, softClose }: Terms): number =>
  softClose === undefined ? endTime.epochMs : softClose.latestEndTime.epochMs

/** To when an entry moves the end; undefined where it does not, or has no bid in it. */
export function expectedMove(
  terms: Terms,
  before: Entry | undefined,
  bidAtMs: number,
  sent: BidEntry['event'],
): number | undefined {
  if (terms.softClose === undefined || bidsIn(terms, sent, before?.state.leader ?? null) === 0) return undefined
  const presentMs = endMs(terms, before)
  const { windowSeconds, extensionSeconds } = terms.softClose
  if (presentMs - bidAtMs > windowSeconds * 1000) return undefined
  const wantedMs = bidAtMs + extensionSeconds * 1000
  const movedMs = Math.min(wantedMs, latestEndMs(terms))
  return movedMs > presentMs ? movedMs : undefined
}

/** Undefined where there is no reserve. */
export function isReserveMet({ reservePriceMinor }: Terms, before: Entry | undefined): boolean | undefined {
  if (reservePriceMinor === undefined) return undefined
  const leader = before?.state.leader ?? null
  return leader !== null && leader.amountMinor >= reservePriceMinor
}

/** Whether the bids leave the auction free to be bought at once; undefined where it never is. */
export function isOffered(terms: Terms, before: Entry | undefined): boolean | undefined {
  if (terms.buyNowPriceMinor === undefined) return undefined
  if (isEnd(before)) return false
  const hasBids = (before?.state.leader ?? null) !== null
  return !hasBids || isReserveMet(terms, before) === false
}

/** Whether the bids leave the auction free to be cancelled. */
export const isCancellable = (terms: Terms, before: Entry | undefined): boolean =>
  terms.cancellableUntilEnd === true || (before?.state.leader ?? null) === null

/** Whether an entry remembers the key of a cancellation that found the auction cancelled: it is all that may follow an end. */
export const isRemembered = ({ event, requestKey }: Entry, before: Entry | undefined): boolean =>
  event.type === 'cancelled' && requestKey !== undefined && before?.event.type === 'cancelled'

/** Whether an entry ends the auction, or remembers a request behind its end. */
export const isEnd = (entry: Entry | undefined): boolean =>
  entry !== undefined && ['bought', 'cancelled', 'closed'].includes(entry.event.type)

/** How an auction ends whose time is over. */
export function expectedResult(terms: Terms, before: Entry | undefined): object {
  const leader = before?.state.leader
  if (leader == null) return { outcome: 'unsold', reason: 'no-bids' }
  if (isReserveMet(terms, before) === false) return { outcome: 'unsold', reason: 'reserve-not-met' }
  return { outcome: 'sold', bidId: leader.bidId, winnerId: leader.bidderId, priceMinor: leader.amountMinor }
}

type StateAfter = {
  readonly phase: 'open' | 'closed'
  readonly bidCount: number
  readonly leader: LeaderAfter | null
  readonly atMs: number
  readonly extendedEndMs?: number | undefined
  readonly result?: object
}

/** The state that an entry leads to. What is undefined in it is not in the ledger's. */
export function expectedState(terms: Terms, entry: Entry, before: Entry | undefined): StateAfter {
  if (before !== undefined && isRemembered(entry, before)) return before.state
  const { atMs, event } = entry
  const leader = before?.state.leader ?? null
  const extendedEndMs = before?.state.extendedEndMs
  const stays = { bidCount: before?.state.bidCount ?? 0, leader, atMs, extendedEndMs }
  switch (event.type) {
    case 'bid-placed':
    case 'maximum-raised': {
      const bidCount = stays.bidCount + bidsIn(terms, event, leader)
      const movedMs = expectedMove(terms, before, entry.atMs, event)
      const next = leaderAfter(terms, entry.id, event, leader)
      return { phase: 'open', bidCount, leader: next, atMs, extendedEndMs: movedMs ?? extendedEndMs }
    }
    case 'bought': {
      const { buyerId, priceMinor } = event
      return { phase: 'closed', ...stays, result: { outcome: 'bought', buyerId, priceMinor } }
    }
    case 'cancelled':
      return { phase: 'closed', ...stays, result: { outcome: 'cancelled', reason: event.reason } }
    case 'closed':
      return { phase: 'closed', ...stays, result: event.result }
    default:
      return event satisfies never
  }
}
