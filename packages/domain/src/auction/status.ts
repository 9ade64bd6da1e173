import { type Moment, momentAt } from '../values/moment.ts'
import type { Terms } from './auction.ts'
import type { NotOpenRefusal } from './refusals.ts'
import { type AuctionEnd, type AuctionState, type ClosedState, termsIn } from './state.ts'

// Except in `endOf`, the terms are those in the state.

/** The end of an auction as bids and staff have moved it so far, in milliseconds since 1970. */
export const effectiveEndMs = ({ endTime }: Pick<Terms, 'endTime'>, { extendedEndMs }: AuctionState): number =>
  extendedEndMs ?? endTime.epochMs

/**
 * A closed auction ended when it was bought or cancelled, and otherwise at its effective end, whenever that is recorded.
 * It depends on the ledger alone, so all processes report the same end.
 */
export function endOf(created: Terms, state: ClosedState): AuctionEnd {
  const { outcome } = state.result
  const isEarly = outcome === 'bought' || outcome === 'cancelled'
  return { endedMs: isEarly ? state.atMs : effectiveEndMs(termsIn(created, state), state), outcome }
}

/** The end of an auction as it was moved so far. If it was not, it is `endTime` as the client sent it. */
export const effectiveEnd = (
  { endTime }: Pick<Terms, 'endTime'>,
  { extendedEndMs }: Pick<AuctionState, 'extendedEndMs'>,
): Moment => (extendedEndMs === undefined ? endTime : momentAt(extendedEndMs))

/** The new end if a bid at this time extends the auction; otherwise undefined. */
export function extendedBy(terms: Terms, state: AuctionState, bidAtMs: number): number | undefined {
  const { softClose } = terms
  // An end that staff have brought forward moves only by another extension of staff.
  if (softClose === undefined || state.repairs?.isEndedEarly === true) return undefined
  const endMs = effectiveEndMs(terms, state)
  if (bidAtMs < endMs - softClose.windowSeconds * 1000) return undefined
  const movedMs = Math.min(bidAtMs + softClose.extensionSeconds * 1000, softClose.latestEndTime.epochMs)
  return movedMs > endMs ? movedMs : undefined
}

/**
 * The time at which an auction is shown after a repair, which has the last time before an end that has passed: the auction
 * has ended then.
 */
export function shownAtMs(created: Terms, state: AuctionState): number {
  const endMs = effectiveEndMs(termsIn(created, state), state)
  return state.atMs + 1 === endMs ? endMs : state.atMs
}

export const auctionStatuses = ['Pending', 'Active', 'Ended', 'Cancelled'] as const
export type AuctionStatus = (typeof auctionStatuses)[number]

/** Pending before the start, Active until the end, then Ended. A recorded end or cancellation precedes the clock. */
export function statusAt(
  terms: Pick<Terms, 'startTime' | 'endTime'>,
  state: AuctionState,
  nowMs: number,
): AuctionStatus {
  if (state.phase === 'closed') return state.result.outcome === 'cancelled' ? 'Cancelled' : 'Ended'
  if (nowMs < terms.startTime.epochMs) return 'Pending'
  return nowMs < effectiveEndMs(terms, state) ? 'Active' : 'Ended'
}

type EndedRefusal = Extract<NotOpenRefusal, { readonly code: 'auction-ended' }>

/** The reason why the auction accepts no bids and purchases; undefined if it is open. */
export function refusalIfNotOpen(terms: Terms, state: AuctionState, nowMs: number): NotOpenRefusal | undefined {
  if (isCancelled(state)) return { code: 'auction-cancelled' }
  const { startTime } = terms
  if (nowMs < startTime.epochMs) return { code: 'auction-not-started', startTime }
  return refusalIfEnded(terms, state, nowMs)
}

export const isCancelled = (state: AuctionState): boolean =>
  state.phase === 'closed' && state.result.outcome === 'cancelled'

/** The refusal for an auction that has ended and is not cancelled; undefined if it has not ended. */
export function refusalIfEnded(terms: Terms, state: AuctionState, nowMs: number): EndedRefusal | undefined {
  if (state.phase === 'closed' || nowMs < effectiveEndMs(terms, state)) return refusalIfClosed(terms, state)
  return { code: 'auction-ended', endTime: effectiveEnd(terms, state) }
}

/** The refusal for an auction with a recorded result that is not cancelled; undefined without a result. */
export function refusalIfClosed(terms: Terms, state: AuctionState): EndedRefusal | undefined {
  if (state.phase === 'open') return undefined
  if (state.result.outcome === 'bought')
    return { code: 'auction-ended', endTime: momentAt(state.atMs), final: 'bought' }
  return { code: 'auction-ended', endTime: effectiveEnd(terms, state), final: 'closed' }
}
