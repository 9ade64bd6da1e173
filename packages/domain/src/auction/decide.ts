import { type Result, refused } from '../values/result.ts'
import type { Terms } from './auction.ts'
import { decideCancellation, decideClose } from './closing.ts'
import type { Command } from './commands.ts'
import { decideCorrection } from './correction.ts'
import type { AuctionEvent, Corrected, Withdrawn } from './events.ts'
import { type DecisionOf, formatOf } from './formats/formats.ts'
import type { Cancelled, Closed, EndedEarly, Extended } from './life-events.ts'
import type {
  CancelRefusal,
  CloseRefusal,
  CorrectRefusal,
  EndRefusal,
  ExtendRefusal,
  NotInFormat,
  RefusalRow,
  WithdrawRefusal,
} from './life-refusals.ts'
import { type Refusal, refusals } from './refusals.ts'
import { decideEarlyEnd, decideExtension, decideWithdrawal } from './repair.ts'
import { type AuctionState, termsIn } from './state.ts'
import { effectiveEndMs } from './status.ts'

/**
 * The time of a command and its entry: when its request had arrived, but never before the last entry. Commands wait for
 * different times, and clocks of several processes differ, but the times of a ledger never decrease. A repair by staff
 * after the end that leaves the end as it is has the last time before it, so that a bid that arrived before it can
 * follow.
 */
export function ledgerTimeMs(created: Terms, state: AuctionState, command: Command, arrivedAtMs: number): number {
  const { type } = command
  const isReduction = type === 'lower-reserve' && command.by !== 'owner'
  const isBeforeEnd = type === 'withdraw' || type === 'end-auction' || isReduction
  const latestMs = isBeforeEnd ? effectiveEndMs(termsIn(created, state), state) - 1 : arrivedAtMs
  return Math.max(Math.min(arrivedAtMs, latestMs), state.atMs)
}

export type Decisions = {
  readonly 'place-bid': DecisionOf<'place-bid'>
  readonly 'buy-now': DecisionOf<'buy-now'>
  readonly cancel: { readonly event: Cancelled; readonly refusal: CancelRefusal }
  readonly correct: { readonly event: Corrected; readonly refusal: CorrectRefusal }
  readonly extend: { readonly event: Extended; readonly refusal: ExtendRefusal }
  readonly withdraw: { readonly event: Withdrawn; readonly refusal: WithdrawRefusal }
  readonly 'end-auction': { readonly event: EndedEarly; readonly refusal: EndRefusal }
  readonly 'lower-reserve': DecisionOf<'lower-reserve'>
  readonly 'withdraw-own-bid': DecisionOf<'withdraw-own-bid'>
  readonly close: { readonly event: Closed; readonly refusal: CloseRefusal }
}
/** The event of a command, or its refusal. */
export type Decision<Type extends Command['type'] = Command['type']> = Result<
  Decisions[Type]['event'],
  Decisions[Type]['refusal']
>

/**
 * The rules decide a command, by the terms as they were created and the state. `atMs` is the time of its entry, by
 * `ledgerTimeMs`. How long a command has waited does not matter: a bid that arrived in time is accepted after the end,
 * until the result is recorded.
 */
export function decide<Kind extends Command>(
  created: Terms,
  state: AuctionState,
  command: Kind,
  atMs: number,
): Decision<Kind['type']>
export function decide(
  created: Terms,
  state: AuctionState,
  command: Command,
  atMs: number,
): Result<AuctionEvent, Refusal> {
  const terms = termsIn(created, state)
  switch (command.type) {
    case 'place-bid':
      return formatOf(terms).decideBid(terms, state, command, atMs)
    case 'buy-now':
      return formatOf(terms).decidePurchase?.(terms, state, command, atMs) ?? refused(notIn(terms))
    case 'cancel':
      return decideCancellation(terms, state, command, atMs)
    case 'correct':
      return decideCorrection(terms, state, command, atMs)
    case 'extend':
      return decideExtension(terms, state, command, atMs)
    case 'withdraw':
      return decideWithdrawal(terms, state, command)
    case 'end-auction':
      return decideEarlyEnd(terms, state, command, atMs)
    case 'lower-reserve':
      return formatOf(terms).decideReserveReduction?.(terms, state, command, atMs) ?? refused(notIn(terms))
    case 'withdraw-own-bid':
      return formatOf(terms).decideOwnWithdrawal?.(terms, state, command, atMs) ?? refused(notIn(terms))
    case 'close':
      return decideClose(terms, state, command, atMs)
    default:
      return command satisfies never
  }
}

const notIn = ({ format = 'english' }: Terms): NotInFormat => ({ code: 'not-in-format', format })

/** The event of a command that changes nothing: it is recorded only for its key. */
export const eventForKey = (refusal: Refusal): Cancelled | undefined =>
  refusal.code === 'already-cancelled' ? refusal.recordedForKey : undefined

/**
 * Whether a refusal follows from facts that never change. Such a refusal also holds for every later state, unless the
 * auction has ended by then, so it needs no read of the ledger. Any other refusal holds only for the state that it was
 * decided on, which may not be recorded. The time alone is no such fact: staff may move the end in both directions.
 */
export function isFinal({ code }: Refusal, { type }: Command): boolean {
  const { finalFor }: RefusalRow = refusals[code]
  return finalFor?.includes(type) === true
}
