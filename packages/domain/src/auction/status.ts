import { type Moment, momentAt } from '../values/moment.ts'
import type { CommonTerms } from './common-terms.ts'
import type { AuctionEnd, ClosedLife, Life } from './life.ts'
import type { NotOpenRefusal, RepairRefusal } from './life-refusals.ts'

// Except in `endOf` and `shownAtMs`, the terms are those in the state.

/** The end of an auction as bids and staff have moved it so far, in milliseconds since 1970. */
export const effectiveEndMs = ({ endTime }: Pick<CommonTerms, 'endTime'>, { extendedEndMs }: Life): number =>
  extendedEndMs ?? endTime.epochMs

type Created = Pick<CommonTerms, 'endTime'>

/** The end of the creation, unless it was corrected. */
const correctedTimes = (created: Created, { corrections }: Life): Created => corrections?.terms ?? created

/**
 * A closed auction ended when it was bought or cancelled, and otherwise at its effective end, whenever that is
 * recorded. It depends on the ledger alone, so all processes report the same end.
 */
export function endOf(created: Created, state: ClosedLife): AuctionEnd {
  const { outcome } = state.result
  const isEarly = outcome === 'bought' || outcome === 'cancelled'
  return { endedMs: isEarly ? state.atMs : effectiveEndMs(correctedTimes(created, state), state), outcome }
}

/** The end of an auction as it was moved so far. If it was not, it is `endTime` as the client sent it. */
export const effectiveEnd = (
  { endTime }: Pick<CommonTerms, 'endTime'>,
  { extendedEndMs }: Pick<Life, 'extendedEndMs'>,
): Moment => (extendedEndMs === undefined ? endTime : momentAt(extendedEndMs))

/**
 * The time at which an auction is shown after a repair, which has the last time before an end that has passed: the
 * auction has ended then.
 */
export function shownAtMs(created: Created, state: Life): number {
  const endMs = effectiveEndMs(correctedTimes(created, state), state)
  return state.atMs + 1 === endMs ? endMs : state.atMs
}

export const auctionStatuses = ['Pending', 'Active', 'Ended', 'Cancelled'] as const
export type AuctionStatus = (typeof auctionStatuses)[number]

/** Pending before the start, Active until the end, then Ended. A recorded end or cancellation precedes the clock. */
export function statusAt(terms: Pick<CommonTerms, 'startTime' | 'endTime'>, state: Life, nowMs: number): AuctionStatus {
  if (state.phase === 'closed') return state.result.outcome === 'cancelled' ? 'Cancelled' : 'Ended'
  if (nowMs < terms.startTime.epochMs) return 'Pending'
  return nowMs < effectiveEndMs(terms, state) ? 'Active' : 'Ended'
}

type EndedRefusal = Extract<NotOpenRefusal, { readonly code: 'auction-ended' }>

/** The reason why the auction accepts no bids and purchases; undefined if it is open. */
export function refusalIfNotOpen(
  terms: Pick<CommonTerms, 'startTime' | 'endTime'>,
  state: Life,
  nowMs: number,
): NotOpenRefusal | undefined {
  if (isCancelled(state)) return { code: 'auction-cancelled' }
  const { startTime } = terms
  if (nowMs < startTime.epochMs) return { code: 'auction-not-started', startTime }
  return refusalIfEnded(terms, state, nowMs)
}

export const isCancelled = (state: Life): boolean => state.phase === 'closed' && state.result.outcome === 'cancelled'

/** The refusal for an auction that has ended and is not cancelled; undefined if it has not ended. */
export function refusalIfEnded(
  terms: Pick<CommonTerms, 'endTime'>,
  state: Life,
  nowMs: number,
): EndedRefusal | undefined {
  if (state.phase === 'closed' || nowMs < effectiveEndMs(terms, state)) return refusalIfClosed(terms, state)
  return { code: 'auction-ended', endTime: effectiveEnd(terms, state) }
}

/** The refusal for an auction with a recorded result that is not cancelled; undefined without a result. */
function refusalIfClosed(terms: Pick<CommonTerms, 'endTime'>, state: Life): EndedRefusal | undefined {
  if (state.phase === 'open') return undefined
  if (state.result.outcome === 'bought')
    return { code: 'auction-ended', endTime: momentAt(state.atMs), final: 'bought' }
  return { code: 'auction-ended', endTime: effectiveEnd(terms, state), final: 'closed' }
}

/** The maximum number of repairs per auction by staff: every later entry has their ids. */
const maxRepairs = 50

/**
 * The reason why staff cannot repair an auction any more. They can between its end and the result, too.
 * @param hasOwnersRepair whether the first repair of a kind does not count: it may be the owner's, who must not use up
 *   the repairs of staff
 */
export function refusalIfNotRepairable(
  terms: Pick<CommonTerms, 'endTime'>,
  state: Life,
  hasOwnersRepair = false,
): RepairRefusal | undefined {
  if (isCancelled(state)) return { code: 'auction-cancelled' }
  const closed = refusalIfClosed(terms, state)
  if (closed !== undefined) return closed
  const count = (state.repairs?.entryIds.length ?? 0) - (hasOwnersRepair ? 1 : 0)
  return count < maxRepairs ? undefined : { code: 'too-many-repairs' }
}
