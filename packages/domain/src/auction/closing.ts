import { accepted, type Result, refused } from '../values/result.ts'
import type { Terms } from './auction.ts'
import type { CloseCommand, Command } from './commands.ts'
import type { Closed } from './events.ts'
import type { CloseRefusal } from './refusals.ts'
import { type AuctionState, changesOf, isReserveMet } from './state.ts'
import { effectiveEnd, endOf } from './status.ts'

/** Whether a command can be accepted only on the last entry: a bid of another process may have moved the end. */
export const needsLastEntry = ({ softClose }: Terms, { type }: Command): boolean =>
  type === 'close' && softClose !== undefined

/** Sells to the leader, if the reserve is met. */
export function decideClose(
  terms: Terms,
  state: AuctionState,
  { marginMs }: CloseCommand,
  nowMs: number,
): Result<Closed, CloseRefusal> {
  if (state.phase === 'closed') return refused({ code: 'already-closed', ...endOf(terms, state) })
  const endTime = effectiveEnd(terms, state)
  if (nowMs < endTime.epochMs + marginMs) {
    const notDue = { code: 'not-due', endTime, changes: changesOf(state) } as const
    const { startTime } = terms
    return refused(nowMs < startTime.epochMs ? { ...notDue, startTime } : notDue)
  }
  return accepted({ type: 'closed', result: resultOf(terms, state) })
}

function resultOf(terms: Terms, state: AuctionState): Closed['result'] {
  const { leader, repairs } = state
  const early = repairs?.isEndedEarly === true ? ({ isEndedEarly: true } as const) : {}
  if (leader === null) return { outcome: 'unsold', reason: 'no-bids', ...early }
  if (!isReserveMet(terms, state)) return { outcome: 'unsold', reason: 'reserve-not-met', ...early }
  const { bidId, bidderId: winnerId, amountMinor: priceMinor } = leader
  return { outcome: 'sold', bidId, winnerId, priceMinor, ...early }
}
