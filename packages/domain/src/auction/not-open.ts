import { momentAt } from '../values/moment.ts'
import type { Terms } from './auction.ts'
import { effectiveEnd, effectiveEndMs } from './ends.ts'
import type { NotOpen } from './refusals.ts'
import type { AuctionState } from './state.ts'

type Ended = Extract<NotOpen, { readonly code: 'auction-ended' }>

/** The reason why the auction accepts no bids and purchases; undefined if it is open. */
export function notOpen(terms: Terms, state: AuctionState, nowMs: number): NotOpen | undefined {
  if (isCancelled(state)) return { code: 'auction-cancelled' }
  const { startTime } = terms
  if (nowMs < startTime.epochMs) return { code: 'auction-not-started', startTime }
  return endedBy(terms, state, nowMs)
}

export const isCancelled = (state: AuctionState): boolean =>
  state.phase === 'closed' && state.result.outcome === 'cancelled'

/** The refusal for an auction that has ended and is not cancelled; undefined if it has not ended. */
export function endedBy(terms: Terms, state: AuctionState, nowMs: number): Ended | undefined {
  if (state.phase === 'open') {
    return nowMs < effectiveEndMs(terms, state)
      ? undefined
      : { code: 'auction-ended', endTime: effectiveEnd(terms, state) }
  }
  if (state.result.outcome === 'bought')
    return { code: 'auction-ended', endTime: momentAt(state.atMs), final: 'bought' }
  return { code: 'auction-ended', endTime: effectiveEnd(terms, state), final: 'closed' }
}
