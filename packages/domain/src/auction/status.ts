import type { Terms } from './auction.ts'

export const auctionStatuses = ['Pending', 'Active', 'Ended'] as const
export type AuctionStatus = (typeof auctionStatuses)[number]

/** Pending before the start, Active until the end, then Ended. */
export function statusAt({ startTime, endTime }: Pick<Terms, 'startTime' | 'endTime'>, nowMs: number): AuctionStatus {
  if (nowMs < startTime.epochMs) return 'Pending'
  return nowMs < endTime.epochMs ? 'Active' : 'Ended'
}
