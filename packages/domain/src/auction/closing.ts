import { accepted, type Result, refused } from '../values/result.ts'
import type { Terms } from './auction.ts'
import type { CloseCommand, Command } from './commands.ts'
import type { Closed } from './events.ts'
import type { CloseRefusal } from './refusals.ts'
import { type AuctionState, isReserveMet } from './state.ts'
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
    const notDue = { code: 'not-due', endTime, corrections: state.corrections?.count ?? 0 } as const
    const { startTime } = terms
    return refused(nowMs < startTime.epochMs ? { ...notDue, startTime } : notDue)
  }
  const { leader } = state
  if (leader === null) return accepted({ type: 'closed', result: { outcome: 'unsold', reason: 'no-bids' } })
  if (!isReserveMet(terms, state)) {
    return accepted({ type: 'closed', result: { outcome: 'unsold', reason: 'reserve-not-met' } })
  }
  const { bidId, bidderId: winnerId, amountMinor: priceMinor } = leader
  return accepted({ type: 'closed', result: { outcome: 'sold', bidId, winnerId, priceMinor } })
}
