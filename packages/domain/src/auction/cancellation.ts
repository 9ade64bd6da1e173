import { accepted, type Result, refused } from '../result.ts'
import type { Terms } from './auction.ts'
import type { CancelCommand } from './commands.ts'
import type { Cancelled } from './events.ts'
import { endedBy } from './not-open.ts'
import type { CancelRefusal } from './refusals.ts'
import type { AuctionState } from './state.ts'

export function decideCancellation(
  terms: Terms,
  state: AuctionState,
  { reason, requesterId, isKeyed }: CancelCommand,
  nowMs: number,
): Result<Cancelled, CancelRefusal> {
  if (requesterId !== undefined && requesterId !== terms.ownerId) return refused({ code: 'not-the-owner' })
  const cancelled: Cancelled = reason === undefined ? { type: 'cancelled' } : { type: 'cancelled', reason }
  if (state.phase === 'closed' && state.result.outcome === 'cancelled') {
    return isKeyed ? accepted(cancelled) : refused({ code: 'already-cancelled', state })
  }
  const ended = endedBy(terms, state, nowMs)
  if (ended !== undefined) return refused(ended)
  if (state.leader !== null && terms.cancellableUntilEnd !== true) return refused({ code: 'auction-has-bids' })
  return accepted(cancelled)
}
