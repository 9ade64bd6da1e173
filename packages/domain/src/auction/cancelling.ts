import { defined } from '../values/defined.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import type { Terms } from './auction.ts'
import type { CancelCommand } from './commands.ts'
import type { Cancelled } from './events.ts'
import type { CancelRefusal } from './refusals.ts'
import { type AuctionState, hasHadBids } from './state.ts'
import { refusalIfEnded } from './status.ts'

export function decideCancellation(
  terms: Terms,
  state: AuctionState,
  { reason, requesterId, mayForce, mustBeRecorded }: CancelCommand,
  nowMs: number,
): Result<Cancelled, CancelRefusal> {
  const isForced = mayForce === true && reason !== undefined
  // A refused caller may force the cancellation, with a reason.
  const advice = mayForce === true ? ({ needsReason: true } as const) : {}
  const isForeign = requesterId !== undefined && requesterId !== terms.ownerId
  if (isForeign && !isForced) return refused({ code: 'not-the-owner', prevents: 'cancellation', ...advice })
  const cancelled: Cancelled = defined({ type: 'cancelled', reason, isForced: isForced || undefined } as const)
  if (state.phase === 'closed' && state.result.outcome === 'cancelled') {
    return mustBeRecorded ? accepted(cancelled) : refused({ code: 'already-cancelled', state })
  }
  const ended = refusalIfEnded(terms, state, nowMs)
  if (ended !== undefined) return refused(ended)
  const hasBids = hasHadBids(state) && terms.cancellableUntilEnd !== true
  if (hasBids && !isForced) return refused({ code: 'auction-has-bids', prevents: 'cancellation', ...advice })
  return accepted(cancelled)
}
