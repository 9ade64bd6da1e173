import type { Result } from '../values/result.ts'
import type { Terms } from './auction.ts'
import { decideBid } from './bidding.ts'
import { decidePurchase } from './buying.ts'
import { decideCancellation } from './cancelling.ts'
import { decideClose } from './closing.ts'
import type { Command } from './commands.ts'
import { decideCorrection } from './correcting.ts'
import type { AuctionEvent, BidPlaced, Bought, Cancelled, Closed, Corrected, MaximumRaised } from './events.ts'
import type {
  BuyNowRefusal,
  CancelRefusal,
  CloseRefusal,
  CorrectRefusal,
  PlaceBidRefusal,
  Refusal,
} from './refusals.ts'
import type { AuctionState } from './state.ts'

/**
 * The time of a command and its entry: when its request had arrived, but never before the last entry. Commands wait for different times,
 * and clocks of several processes differ, but the times of a ledger never decrease.
 */
export const ledgerTimeMs = (state: AuctionState, arrivedAtMs: number): number => Math.max(arrivedAtMs, state.atMs)

/** The event of each command, and its refusals. */
export type Decisions = {
  readonly 'place-bid': { readonly event: BidPlaced | MaximumRaised; readonly refusal: PlaceBidRefusal }
  readonly 'buy-now': { readonly event: Bought; readonly refusal: BuyNowRefusal }
  readonly cancel: { readonly event: Cancelled; readonly refusal: CancelRefusal }
  readonly correct: { readonly event: Corrected; readonly refusal: CorrectRefusal }
  readonly close: { readonly event: Closed; readonly refusal: CloseRefusal }
}
type Decision<Type extends Command['type']> = Result<Decisions[Type]['event'], Decisions[Type]['refusal']>

/**
 * The rules: decides a command. `arrivedAtMs` is when its request had arrived, in milliseconds since 1970. How long it has waited since
 * then does not matter: a bid that arrived in time is accepted after the end, until the result is recorded.
 */
export function decide<Given extends Command>(
  terms: Terms,
  state: AuctionState,
  command: Given,
  arrivedAtMs: number,
): Decision<Given['type']>
export function decide(
  terms: Terms,
  state: AuctionState,
  command: Command,
  arrivedAtMs: number,
): Result<AuctionEvent, Refusal> {
  const nowMs = ledgerTimeMs(state, arrivedAtMs)
  switch (command.type) {
    case 'place-bid':
      return decideBid(terms, state, command, nowMs)
    case 'buy-now':
      return decidePurchase(terms, state, command, nowMs)
    case 'cancel':
      return decideCancellation(terms, state, command, nowMs)
    case 'correct':
      return decideCorrection(terms, state, command, nowMs)
    case 'close':
      return decideClose(terms, state, command, nowMs)
    default:
      return command satisfies never
  }
}

/**
 * Whether a refusal follows from the terms and the time alone. Such a refusal also holds for every later state at that time, unless the
 * auction was cancelled or bought, so it needs no read of the ledger. Any other refusal holds only for the state that it was decided
 * on, which may not be recorded.
 * @param nowMs the time of the command, as returned by `ledgerTimeMs`
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
      // A cancelled auction can be cancelled again after its end.
      return command.type !== 'cancel' && isOverByTime(terms, nowMs)
    case 'not-due':
      return command.type === 'close' && nowMs < terms.endTime.epochMs + command.marginMs
    case 'auction-cancelled':
    case 'already-cancelled':
    case 'auction-has-bids':
    case 'bid-too-low':
    case 'buy-now-is-lower':
    case 'maximum-not-raised':
    case 'buy-now-not-offered':
    case 'already-closed':
    case 'too-many-corrections':
    case 'precondition-failed':
      return false
    default:
      return code satisfies never
  }
}

/** Whether an auction is over regardless of its ledger. A soft close and a buy-now price depend on the ledger. */
const isOverByTime = ({ endTime, softClose, buyNowPriceMinor }: Terms, nowMs: number): boolean =>
  softClose === undefined && buyNowPriceMinor === undefined && nowMs >= endTime.epochMs
