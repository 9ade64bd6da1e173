import type { Result } from '../values/result.ts'
import type { Terms } from './auction.ts'
import { decideBid } from './bidding.ts'
import { decidePurchase } from './buying.ts'
import { decideCancellation } from './cancelling.ts'
import { decideClose } from './closing.ts'
import type { Command } from './commands.ts'
import { decideCorrection } from './correcting.ts'
import { decideEarlyEnd } from './ending.ts'
import type {
  AuctionEvent,
  BidPlaced,
  Bought,
  Cancelled,
  Closed,
  Corrected,
  EndedEarly,
  Extended,
  MaximumRaised,
  ReserveLowered,
  Withdrawn,
} from './events.ts'
import { decideExtension } from './extending.ts'
import { decideReserveReduction, lowererOf } from './lowering.ts'
import {
  type BuyNowRefusal,
  type CancelRefusal,
  type CloseRefusal,
  type CorrectRefusal,
  type EndEarlyRefusal,
  type ExtendRefusal,
  type LowerReserveRefusal,
  type PlaceBidRefusal,
  type Refusal,
  type RefusalRow,
  refusals,
  type WithdrawRefusal,
} from './refusals.ts'
import { type AuctionState, termsIn } from './state.ts'
import { effectiveEndMs } from './status.ts'
import { decideWithdrawal } from './withdrawing.ts'

/**
 * The time of a command and its entry: when its request had arrived, but never before the last entry. Commands wait for
 * different times, and clocks of several processes differ, but the times of a ledger never decrease. A repair by staff
 * after the end that leaves the end as it is has the last time before it, so that a bid that arrived before it can follow.
 */
export function ledgerTimeMs(created: Terms, state: AuctionState, command: Command, arrivedAtMs: number): number {
  const { type } = command
  const isReduction = type === 'lower-reserve' && lowererOf(created, command) !== 'owner'
  const isBeforeEnd = type === 'withdraw' || type === 'end-early' || isReduction
  const latestMs = isBeforeEnd ? effectiveEndMs(termsIn(created, state), state) - 1 : arrivedAtMs
  return Math.max(Math.min(arrivedAtMs, latestMs), state.atMs)
}

export type Decisions = {
  readonly 'place-bid': { readonly event: BidPlaced | MaximumRaised; readonly refusal: PlaceBidRefusal }
  readonly 'buy-now': { readonly event: Bought; readonly refusal: BuyNowRefusal }
  readonly cancel: { readonly event: Cancelled; readonly refusal: CancelRefusal }
  readonly correct: { readonly event: Corrected; readonly refusal: CorrectRefusal }
  readonly extend: { readonly event: Extended; readonly refusal: ExtendRefusal }
  readonly withdraw: { readonly event: Withdrawn; readonly refusal: WithdrawRefusal }
  readonly 'end-early': { readonly event: EndedEarly; readonly refusal: EndEarlyRefusal }
  readonly 'lower-reserve': { readonly event: ReserveLowered; readonly refusal: LowerReserveRefusal }
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
  const terms = termsIn(created, state)
  const nowMs = ledgerTimeMs(created, state, command, arrivedAtMs)
  switch (command.type) {
    case 'place-bid':
      return decideBid(terms, state, command, nowMs)
    case 'buy-now':
      return decidePurchase(terms, state, command, nowMs)
    case 'cancel':
      return decideCancellation(terms, state, command, nowMs)
    case 'correct':
      return decideCorrection(terms, state, command, nowMs)
    case 'extend':
      return decideExtension(terms, state, command, nowMs)
    case 'withdraw':
      return decideWithdrawal(terms, state, command)
    case 'end-early':
      return decideEarlyEnd(terms, state, command, nowMs)
    case 'lower-reserve':
      return decideReserveReduction(terms, state, command, nowMs)
    case 'close':
      return decideClose(terms, state, command, nowMs)
    default:
      return command satisfies never
  }
}

/**
 * Whether a refusal follows from facts that never change. Such a refusal also holds for every later state, unless the
 * auction has ended by then, so it needs no read of the ledger. Any other refusal holds only for the state that it was
 * decided on, which may not be recorded. The time alone is no such fact: staff may move the end in both directions.
 */
export function isFinal({ code }: Refusal): boolean {
  const row: RefusalRow = refusals[code]
  return row.isFinal === true
}
