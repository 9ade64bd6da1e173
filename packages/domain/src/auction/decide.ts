import { accepted, type Result, refused } from '../result.ts'
import type { Terms } from './auction.ts'
import { decideBid } from './bidding.ts'
import { decidePurchase } from './buy-now.ts'
import { decideCancellation } from './cancellation.ts'
import type { BuyNow, Cancel, Close, Command, PlaceBid } from './commands.ts'
import { effectiveEnd } from './ends.ts'
import type { AuctionEvent, BidPlaced, Bought, Cancelled, Closed, MaximumRaised } from './events.ts'
import type { BuyNowRefusal, CancelRefusal, CloseRefusal, PlaceBidRefusal, Refusal } from './refusals.ts'
import { isReserveMet } from './reserve.ts'
import type { AuctionState } from './state.ts'

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
): Result<BidPlaced | MaximumRaised, PlaceBidRefusal>
export function decide(
  terms: Terms,
  state: AuctionState,
  command: BuyNow,
  clockMs: number,
): Result<Bought, BuyNowRefusal>
export function decide(
  terms: Terms,
  state: AuctionState,
  command: Cancel,
  clockMs: number,
): Result<Cancelled, CancelRefusal>
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
    case 'buy-now':
      return decidePurchase(terms, state, command, nowMs)
    case 'cancel':
      return decideCancellation(terms, state, command, nowMs)
    case 'close':
      return decideClose(terms, state, command, nowMs)
    default:
      return command satisfies never
  }
}

function decideClose(
  terms: Terms,
  state: AuctionState,
  { marginMs }: Close,
  nowMs: number,
): Result<Closed, CloseRefusal> {
  if (state.phase === 'closed') return refused({ code: 'already-closed', endedMs: state.atMs })
  const endTime = effectiveEnd(terms, state)
  if (nowMs < endTime.epochMs + marginMs) return refused({ code: 'not-due', endTime })
  const { leader } = state
  if (leader === null) return accepted({ type: 'closed', result: { outcome: 'unsold', reason: 'no-bids' } })
  if (!isReserveMet(terms, state)) {
    return accepted({ type: 'closed', result: { outcome: 'unsold', reason: 'reserve-not-met' } })
  }
  const { bidId, bidderId: winnerId, amountMinor: priceMinor } = leader
  return accepted({ type: 'closed', result: { outcome: 'sold', bidId, winnerId, priceMinor } })
}

/**
 * Whether a refusal stands without a look at the ledger, as it follows from the terms and the clock: on every later state of that time
 * the command is refused as well, and for the same reason, unless somebody has cancelled the auction, or bought the product. Any other
 * refusal is true only of the state that it was decided on, which is not recorded yet, or never will be.
 * @param nowMs when it was decided, as `ledgerTimeMs` says
 */
export function isFinal(terms: Terms, { code }: Refusal, command: Command, nowMs: number): boolean {
  switch (code) {
    case 'inexact-amount':
    case 'maximum-below-amount':
    case 'auction-not-started':
    case 'owner-cannot-bid':
    case 'owner-cannot-buy':
    case 'not-the-owner':
      return true
    case 'auction-ended':
      // A cancellation of what is cancelled already is none that comes too late.
      return command.type !== 'cancel' && isOverByTime(terms, nowMs)
    case 'not-due':
      return command.type === 'close' && nowMs < terms.endTime.epochMs + command.marginMs
    case 'auction-cancelled':
    case 'already-cancelled':
    case 'auction-has-bids':
    case 'bid-too-low':
    case 'maximum-not-raised':
    case 'buy-now-not-offered':
    case 'already-closed':
      return false
    default:
      return code satisfies never
  }
}

/** Whether an auction is over whatever its ledger says. Where that may say when, it has to be asked. */
const isOverByTime = ({ endTime, softClose, buyNowPriceMinor }: Terms, nowMs: number): boolean =>
  softClose === undefined && buyNowPriceMinor === undefined && nowMs >= endTime.epochMs
