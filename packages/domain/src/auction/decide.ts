import type { Result } from '../values/result.ts'
import type { Terms } from './auction.ts'
import { decideBid } from './bidding.ts'
import { decidePurchase } from './buying.ts'
import { decideCancellation } from './cancelling.ts'
import { decideClose } from './closing.ts'
import type { Command } from './commands.ts'
import { decideCorrection } from './correcting.ts'
import type { AuctionEvent, BidPlaced, Bought, Cancelled, Closed, Corrected, MaximumRaised } from './events.ts'
import {
  type BuyNowRefusal,
  type CancelRefusal,
  type CloseRefusal,
  type CorrectRefusal,
  type PlaceBidRefusal,
  type Refusal,
  type RefusalRow,
  refusals,
} from './refusals.ts'
import { type AuctionState, areTermsFixed, asCorrected } from './state.ts'

/**
 * The time of a command and its entry: when its request had arrived, but never before the last entry. Commands wait for
 * different times, and clocks of several processes differ, but the times of a ledger never decrease.
 */
export const ledgerTimeMs = (state: AuctionState, arrivedAtMs: number): number => Math.max(arrivedAtMs, state.atMs)

export type Decisions = {
  readonly 'place-bid': { readonly event: BidPlaced | MaximumRaised; readonly refusal: PlaceBidRefusal }
  readonly 'buy-now': { readonly event: Bought; readonly refusal: BuyNowRefusal }
  readonly cancel: { readonly event: Cancelled; readonly refusal: CancelRefusal }
  readonly correct: { readonly event: Corrected; readonly refusal: CorrectRefusal }
  readonly close: { readonly event: Closed; readonly refusal: CloseRefusal }
}
type Decision<Type extends Command['type']> = Result<Decisions[Type]['event'], Decisions[Type]['refusal']>

/**
 * The rules decide a command, by the terms as they were created and the state. `arrivedAtMs` is when its request had
 * arrived, in milliseconds since 1970. How long it has waited does not matter: a bid that arrived in time is accepted
 * after the end, until the result is recorded.
 */
export function decide<Kind extends Command>(
  created: Terms,
  state: AuctionState,
  command: Kind,
  arrivedAtMs: number,
): Decision<Kind['type']>
export function decide(
  created: Terms,
  state: AuctionState,
  command: Command,
  arrivedAtMs: number,
): Result<AuctionEvent, Refusal> {
  const terms = asCorrected(created, state)
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
 * Whether a refusal follows from facts that never change and the time alone. Such a refusal also holds for every later
 * state at that time, unless the auction was cancelled or bought, so it needs no read of the ledger. Any other refusal
 * holds only for the state that it was decided on, which may not be recorded.
 * @param recorded a recorded state, which may not be the last one
 * @param nowMs the time of the command, as returned by `ledgerTimeMs`
 */
export function isFinal(
  created: Terms,
  recorded: AuctionState,
  { code }: Refusal,
  command: Command,
  nowMs: number,
): boolean {
  const row: RefusalRow = refusals[code]
  if (typeof row.isFinal !== 'function') return row.isFinal === true
  return areTermsFixed(recorded) && row.isFinal(asCorrected(created, recorded), command, nowMs)
}
