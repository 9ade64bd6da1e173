import { type Moment, momentAt } from '../moment.ts'
import type { Terms } from './auction.ts'
import type { AuctionState } from './state.ts'

/** The terms that tell when an auction begins, and when it can end. */
export type TimeTerms = Pick<Terms, 'startTime' | 'endTime' | 'softClose' | 'buyNowPriceMinor'>

/** How long after `endTime` a soft close may let an auction run, at the most: a week. What may still run is looked for so far back. */
export const maxOvertimeMs = 7 * 24 * 60 * 60 * 1000

/** When an auction ends, as far as its ledger tells: bids may have moved it. In milliseconds since 1970. */
export const effectiveEndMs = ({ endTime }: Pick<Terms, 'endTime'>, { extendedEndMs }: AuctionState): number =>
  extendedEndMs ?? endTime.epochMs

/** The same as a moment: as it was sent, where nothing has moved it. */
export const effectiveEnd = (
  { endTime }: Pick<Terms, 'endTime'>,
  { extendedEndMs }: Pick<AuctionState, 'extendedEndMs'>,
): Moment => (extendedEndMs === undefined ? endTime : momentAt(extendedEndMs))

/** From when on no auction of such terms takes bids, whatever was bid. In milliseconds since 1970. */
export const latestEndMs = ({ endTime, softClose }: Pick<TimeTerms, 'endTime' | 'softClose'>): number =>
  softClose === undefined ? endTime.epochMs : softClose.latestEndTime.epochMs

/** Before which no auction of such terms ends, unless it is cancelled: one that can be bought may end as soon as it has begun. */
export const earliestEndMs = ({ startTime, endTime, buyNowPriceMinor }: TimeTerms): number =>
  buyNowPriceMinor === undefined ? endTime.epochMs : startTime.epochMs
