import { toMinor } from '../money.ts'
import { accepted, type Result, refused } from '../result.ts'
import type { Terms } from './auction.ts'
import type { Close, Command, PlaceBid } from './commands.ts'
import type { AuctionEvent, BidPlaced, Closed } from './events.ts'
import type { CloseRefusal, PlaceBidRefusal, Refusal } from './refusals.ts'
import { type AuctionState, currentPriceMinor, minimumNextBidMinor } from './state.ts'

/**
 * The time at which something is decided, and recorded: that of the clock, but never before the last entry's. Clocks of several
 * processes differ, and time in one ledger does not go back.
 */
export const ledgerTimeMs = (state: AuctionState, clockMs: number): number => Math.max(clockMs, state.atMs)

/** The rules: what a command leads to. `clockMs` is the clock of whoever decides, in milliseconds since 1970. */
export function decide(
  terms: Terms,
  state: AuctionState,
  command: PlaceBid,
  clockMs: number,
): Result<BidPlaced, PlaceBidRefusal>
export function decide(terms: Terms, state: AuctionState, command: Close, clockMs: number): Result<Closed, CloseRefusal>
export function decide(
  terms: Terms,
  state: AuctionState,
  command: Command,
  clockMs: number,
): Result<AuctionEvent, Refusal>
export function decide(
  terms: Terms,
  state: AuctionState,
  command: Command,
  clockMs: number,
): Result<AuctionEvent, Refusal> {
  const nowMs = ledgerTimeMs(state, clockMs)
  switch (command.type) {
    case 'place-bid':
      return decideBid(terms, state, command, nowMs)
    case 'close':
      return decideClose(terms, state, command, nowMs)
    default:
      return command satisfies never
  }
}

function decideBid(
  terms: Terms,
  state: AuctionState,
  { bidderId, amount }: PlaceBid,
  nowMs: number,
): Result<BidPlaced, PlaceBidRefusal> {
  const amountMinor = toMinor(amount, terms.currency)
  if (amountMinor === undefined) return refused({ code: 'inexact-amount', amount, currency: terms.currency })
  if (nowMs < terms.startTime.epochMs) return refused({ code: 'auction-not-started', startTime: terms.startTime })
  if (nowMs >= terms.endTime.epochMs || state.phase === 'closed') {
    return refused({ code: 'auction-ended', endTime: terms.endTime })
  }
  if (bidderId === terms.ownerId) return refused({ code: 'owner-cannot-bid' })
  const least = minimumNextBidMinor(terms, state)
  if (least === undefined || amountMinor < least) {
    return refused({
      code: 'bid-too-low',
      currentPriceMinor: currentPriceMinor(terms, state),
      minimumNextBidMinor: least,
      currency: terms.currency,
    })
  }
  return accepted({ type: 'bid-placed', bidderId, amountMinor })
}

function decideClose(
  { endTime }: Terms,
  state: AuctionState,
  { marginMs }: Close,
  nowMs: number,
): Result<Closed, CloseRefusal> {
  if (state.phase === 'closed') return refused({ code: 'already-closed' })
  if (nowMs < endTime.epochMs + marginMs) return refused({ code: 'not-due', endTime })
  const { leader } = state
  if (leader === null) return accepted({ type: 'closed', result: { outcome: 'unsold', reason: 'no-bids' } })
  const { bidId, bidderId: winnerId, amountMinor: priceMinor } = leader
  return accepted({ type: 'closed', result: { outcome: 'sold', bidId, winnerId, priceMinor } })
}

/**
 * Whether a refusal would be the same on every later state: it follows from the terms and the clock, which is past the end before
 * an end is recorded. Any other is true only of the state that it was decided on, which is not recorded yet, or never will be.
 */
export function isFinal({ code }: Refusal): boolean {
  switch (code) {
    case 'inexact-amount':
    case 'auction-not-started':
    case 'auction-ended':
    case 'owner-cannot-bid':
    case 'not-due':
      return true
    case 'bid-too-low':
    case 'already-closed':
      return false
    default:
      return code satisfies never
  }
}
