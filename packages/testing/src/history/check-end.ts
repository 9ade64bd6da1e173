import type { Auction, Bought, Cancelled, Closed } from '@auction/domain/auction'
import type { Entry } from '@auction/domain/store'
import { show, type Violation } from '../history.ts'
import { endMs, expectedResult, isCancellable, isOffered } from './rules.ts'

/** A problem of an entry, and the invariant that it violates. */
export type Finding = readonly [invariant: Violation['invariant'], finding: string]

/** The violations of the rules by a purchase, a cancellation or the end by time. */
export function findingsOfEnd(
  auction: Auction,
  before: Entry | undefined,
  atMs: number,
  event: Bought | Cancelled | Closed,
  marginMs: number,
): readonly (Finding | false)[] {
  const endsMs = endMs(auction, before)
  switch (event.type) {
    case 'bought': {
      const { buyerId, priceMinor } = event
      const { ownerId, buyNowPriceMinor, startTime } = auction
      return [
        isOffered(auction, before) !== true && [6, 'is a purchase without an offer'],
        priceMinor !== buyNowPriceMinor && [6, `is a purchase for ${priceMinor} instead of ${buyNowPriceMinor}`],
        buyerId === ownerId && [6, 'is a purchase of the owner'],
        (atMs < startTime.epochMs || atMs >= endsMs) && [3, `is a purchase of ${atMs}, outside the auction’s time`],
      ]
    }
    case 'cancelled':
      return [
        !isCancellable(auction, before) && [6, 'cancels an auction that has bids'],
        atMs >= endsMs && [3, `is a cancellation of ${atMs}, after the end`],
      ]
    case 'closed': {
      const result = expectedResult(auction, before)
      return [
        show(event.result) !== show(result) && [6, `has the result ${show(event.result)} instead of ${show(result)}`],
        atMs < endsMs + marginMs && [6, `closes the auction at ${atMs}, before the end of the margin`],
      ]
    }
    default:
      return event satisfies never
  }
}
