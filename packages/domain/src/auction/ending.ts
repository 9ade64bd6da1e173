import { accepted, type Result, refused } from '../values/result.ts'
import type { Terms } from './auction.ts'
import type { EndEarlyCommand } from './commands.ts'
import type { EndedEarly } from './events.ts'
import type { EndEarlyRefusal } from './refusals.ts'
import { refusalIfNotRepairable } from './repairing.ts'
import type { AuctionState } from './state.ts'
import { effectiveEndMs } from './status.ts'

/**
 * Staff end an auction now. A bid that arrived before counts, even if it is recorded later: its time is then that of this
 * entry, so the end is a millisecond after it. The result is recorded after a margin, as after any end.
 */
export function decideEarlyEnd(
  terms: Terms,
  state: AuctionState,
  { reason, editor }: EndEarlyCommand,
  nowMs: number,
): Result<EndedEarly, EndEarlyRefusal> {
  const refusal = refusalIfNotRepairable(terms, state)
  if (refusal !== undefined) return refused(refusal)
  const { startTime } = terms
  if (nowMs < startTime.epochMs) return refused({ code: 'auction-not-started', startTime })
  const previousEndMs = effectiveEndMs(terms, state)
  const endMs = Math.min(nowMs + 1, previousEndMs)
  return accepted({ type: 'ended-early', endMs, previousEndMs, reason, editor })
}
