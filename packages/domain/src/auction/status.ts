import type { Terms } from './auction.ts'
import { earliestEndMs, effectiveEndMs, latestEndMs, type TimeTerms } from './ends.ts'
import type { AuctionState } from './state.ts'

export const auctionStatuses = ['Pending', 'Active', 'Ended', 'Cancelled'] as const
export type AuctionStatus = (typeof auctionStatuses)[number]

/** Pending before the start, Active until the end, then Ended, unless it is Cancelled. What its ledger ends with counts first. */
export function statusAt(
  terms: Pick<Terms, 'startTime' | 'endTime'>,
  state: AuctionState,
  nowMs: number,
): AuctionStatus {
  if (state.phase === 'closed') return state.result.outcome === 'cancelled' ? 'Cancelled' : 'Ended'
  if (nowMs < terms.startTime.epochMs) return 'Pending'
  return nowMs < effectiveEndMs(terms, state) ? 'Active' : 'Ended'
}

/** Whether an auction can have a status, as far as its terms and the clock tell; the rest is for its ledger to say. */
export function mayHaveStatus(terms: TimeTerms, status: AuctionStatus, nowMs: number): boolean {
  const { epochMs: startMs } = terms.startTime
  switch (status) {
    case 'Pending':
      return nowMs < startMs
    case 'Active':
      return startMs <= nowMs && nowMs < latestEndMs(terms)
    case 'Ended':
      return earliestEndMs(terms) <= nowMs
    case 'Cancelled':
      return true
    default:
      return status satisfies never
  }
}

/** Whether an auction is past its `endTime`, and may still take bids, as far as its terms and the clock tell. */
export const mayBeInOvertime = (terms: Pick<TimeTerms, 'endTime' | 'softClose'>, nowMs: number): boolean =>
  terms.endTime.epochMs <= nowMs && nowMs < latestEndMs(terms)
