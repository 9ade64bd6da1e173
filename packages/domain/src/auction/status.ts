import type { Terms } from './auction.ts'
import { effectiveEndMs } from './ends.ts'
import type { AuctionState } from './state.ts'

export const auctionStatuses = ['Pending', 'Active', 'Ended', 'Cancelled'] as const
export type AuctionStatus = (typeof auctionStatuses)[number]

/** Pending before the start, Active until the end, then Ended. A recorded end or cancellation takes precedence over the clock. */
export function statusAt(
  terms: Pick<Terms, 'startTime' | 'endTime'>,
  state: AuctionState,
  nowMs: number,
): AuctionStatus {
  if (state.phase === 'closed') return state.result.outcome === 'cancelled' ? 'Cancelled' : 'Ended'
  if (nowMs < terms.startTime.epochMs) return 'Pending'
  return nowMs < effectiveEndMs(terms, state) ? 'Active' : 'Ended'
}
