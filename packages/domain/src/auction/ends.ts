import { type Moment, momentAt } from '../values/moment.ts'
import type { Terms } from './auction.ts'
import type { AuctionState } from './state.ts'

/** The end of an auction including extensions so far, in milliseconds since 1970. */
export const effectiveEndMs = ({ endTime }: Pick<Terms, 'endTime'>, { extendedEndMs }: AuctionState): number =>
  extendedEndMs ?? endTime.epochMs

/**
 * When an auction ended: when it was bought or cancelled, and otherwise at its effective end, whenever that is recorded. It depends on
 * the ledger alone, so all processes report the same time.
 */
export const endedMs = (terms: Pick<Terms, 'endTime'>, state: AuctionState): number =>
  state.phase === 'closed' && (state.result.outcome === 'bought' || state.result.outcome === 'cancelled')
    ? state.atMs
    : effectiveEndMs(terms, state)

/** The end of an auction including extensions so far. Without extensions, it is `endTime` as the client sent it. */
export const effectiveEnd = (
  { endTime }: Pick<Terms, 'endTime'>,
  { extendedEndMs }: Pick<AuctionState, 'extendedEndMs'>,
): Moment => (extendedEndMs === undefined ? endTime : momentAt(extendedEndMs))

/** The new end if a bid at this time extends the auction; otherwise undefined. */
export function extendedBy(terms: Terms, state: AuctionState, bidAtMs: number): number | undefined {
  const { softClose } = terms
  if (softClose === undefined) return undefined
  const endMs = effectiveEndMs(terms, state)
  if (bidAtMs < endMs - softClose.windowSeconds * 1000) return undefined
  const movedMs = Math.min(bidAtMs + softClose.extensionSeconds * 1000, softClose.latestEndTime.epochMs)
  return movedMs > endMs ? movedMs : undefined
}
