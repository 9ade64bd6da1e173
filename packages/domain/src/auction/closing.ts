import { defined } from '../values/defined.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import type { Terms } from './auction.ts'
import type { CancelCommand, CloseCommand } from './commands.ts'
import { formatOf } from './formats/formats.ts'
import { changeCountOf } from './life.ts'
import type { Cancelled, Closed } from './life-events.ts'
import type { CancelRefusal, CloseRefusal } from './life-refusals.ts'
import { type AuctionState, refusalIfFixed } from './state.ts'
import { effectiveEnd, endOf, refusalIfEnded } from './status.ts'

/** Records the result, which the format gives. */
export function decideClose(
  terms: Terms,
  state: AuctionState,
  { marginMs, facts: findFacts, tally }: CloseCommand,
  nowMs: number,
): Result<Closed, CloseRefusal> {
  const refusal = refusalIfNotDue(terms, state, marginMs, nowMs)
  if (refusal !== undefined) return refused(refusal)
  const facts = findFacts?.()
  const result = formatOf(terms).settle(terms, state, facts, tally)
  const early = state.repairs?.isEndedEarly === true ? ({ isEndedEarly: true } as const) : {}
  return accepted({ type: 'closed', result: { ...result, ...early }, ...(facts !== undefined && { facts }) })
}

/** The reason why no result is recorded: there is one, or it is too early. The later it is, the fewer reasons. */
export function refusalIfNotDue(
  terms: Terms,
  state: AuctionState,
  marginMs: number,
  nowMs: number,
): CloseRefusal | undefined {
  if (state.phase === 'closed') return { code: 'already-closed', ...endOf(terms, state) }
  const endTime = effectiveEnd(terms, state)
  if (nowMs >= endTime.epochMs + marginMs) return undefined
  const notDue = { code: 'not-due', endTime, changeCount: changeCountOf(state) } as const
  const { startTime } = terms
  return nowMs < startTime.epochMs ? { ...notDue, startTime } : notDue
}

export function decideCancellation(
  terms: Terms,
  state: AuctionState,
  { reason, isForced }: CancelCommand,
  nowMs: number,
): Result<Cancelled, CancelRefusal> {
  const cancelled: Cancelled = defined({ type: 'cancelled', reason, isForced } as const)
  if (state.phase === 'closed' && state.result.outcome === 'cancelled')
    return refused({ code: 'already-cancelled', state, recordedForKey: cancelled })
  const ended = refusalIfEnded(terms, state, nowMs)
  if (ended !== undefined) return refused(ended)
  const fixed = terms.cancellableUntilEnd === true || isForced ? undefined : refusalIfFixed(terms, state, nowMs)
  if (fixed !== undefined) return refused({ code: fixed, prevents: 'cancellation' })
  return accepted(cancelled)
}
