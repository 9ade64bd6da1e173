import type { Terms } from '@auction/domain/auction'
import type { BidEntry, Entry } from '@auction/domain/store'
import { bidsIn, type LeaderAfter, leaderAfter } from './bidding-rules.ts'

/** The highest possible amount, in minor units. */
const mostMinor = 999_999_999_999_999

/**
 * A second, simple implementation of the rules that shares no code with the service: a checker that shares the rules shares
 * their mistakes. `before` is the previous entry, if any.
 */
export const priceMinor = (terms: Terms, before: Entry | undefined): number =>
  before?.state.leader?.amountMinor ?? terms.startingPriceMinor

/** Undefined if the next bid would exceed the highest possible amount. */
export function leastMinor(terms: Terms, before: Entry | undefined): number | undefined {
  const leader = before?.state.leader
  if (leader == null) return Math.max(terms.startingPriceMinor, 1)
  const least = leader.amountMinor + terms.minimumBidIncrementMinor
  return least > mostMinor ? undefined : least
}

/** When the auction ends after the extensions so far. */
export const endMs = (terms: Terms, before: Entry | undefined): number =>
  before?.state.extendedEndMs ?? terms.endTime.epochMs

/** The latest possible end, if bids move it. */
export const latestEndMs = ({ endTime, softClose }: Terms): number =>
  softClose === undefined ? endTime.epochMs : softClose.latestEndTime.epochMs

/** The new end of an auction after an entry; undefined if it does not change. */
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

/** Undefined without a reserve. */
export function isReserveMet({ reservePriceMinor }: Terms, before: Entry | undefined): boolean | undefined {
  if (reservePriceMinor === undefined) return undefined
  const leader = before?.state.leader ?? null
  return leader !== null && leader.amountMinor >= reservePriceMinor
}

/** Whether the bids allow buy-now; undefined without a buy-now price. */
export function isOffered(terms: Terms, before: Entry | undefined): boolean | undefined {
  if (terms.buyNowPriceMinor === undefined) return undefined
  if (isEnd(before)) return false
  const hasBids = (before?.state.leader ?? null) !== null
  return !hasBids || isReserveMet(terms, before) === false
}

/** Whether the bids allow a cancellation. */
export const isCancellable = (terms: Terms, before: Entry | undefined): boolean =>
  terms.cancellableUntilEnd === true || (before?.state.leader ?? null) === null

/** Whether an entry only records the key of a repeated cancellation, the only entry that may follow an end. */
export const isRemembered = ({ event, requestKey }: Entry, before: Entry | undefined): boolean =>
  event.type === 'cancelled' && requestKey !== undefined && before?.event.type === 'cancelled'

/** Whether an entry ends the auction, or records a repeated cancellation after its end. */
export const isEnd = (entry: Entry | undefined): boolean =>
  entry !== undefined && ['bought', 'cancelled', 'closed'].includes(entry.event.type)

/** The result of an auction that ends by time. */
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

/** The state after an entry. The ledger's state omits its undefined fields. */
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
