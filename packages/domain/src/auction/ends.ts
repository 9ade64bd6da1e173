import { type Moment, momentAt } from '../moment.ts'
import type { Terms } from './auction.ts'
import type { AuctionState } from './state.ts'

/** When an auction ends, as far as its ledger tells: bids may have moved it. In milliseconds since 1970. */
export const effectiveEndMs = ({ endTime }: Pick<Terms, 'endTime'>, { extendedEndMs }: AuctionState): number =>
  extendedEndMs ?? endTime.epochMs

/** The same as a moment: as it was sent, where nothing has moved it. */
export const effectiveEnd = (
  { endTime }: Pick<Terms, 'endTime'>,
  { extendedEndMs }: Pick<AuctionState, 'extendedEndMs'>,
): Moment => (extendedEndMs === undefined ? endTime : momentAt(extendedEndMs))
