import type { Terms } from './auction.ts'
import { effectiveEndMs } from './ends.ts'
import type { AuctionState } from './state.ts'

/** To when a bid of a time before the end moves it; undefined where it stays. */
export function extendedBy(terms: Terms, state: AuctionState, bidAtMs: number): number | undefined {
  const { softClose } = terms
  if (softClose === undefined) return undefined
  const endMs = effectiveEndMs(terms, state)
  if (bidAtMs < endMs - softClose.windowSeconds * 1000) return undefined
  const movedMs = Math.min(bidAtMs + softClose.extensionSeconds * 1000, softClose.latestEndTime.epochMs)
  return movedMs > endMs ? movedMs : undefined
}
