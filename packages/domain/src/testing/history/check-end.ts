import type { Auction } from '../../auction/auction.ts'
import type { Bought, Cancelled, Closed } from '../../auction/events.ts'
import type { Entry } from '../../ledger/entry.ts'
import { show, type Violation } from '../history.ts'
import { endMs, expectedResult, isCancellable, isOffered } from './rules.ts'

/** What is wrong with an entry, and which promise that breaks. */
export type Fault = readonly [invariant: Violation['invariant'], fault: string]

/** What of a purchase, a cancellation or the end by time the rules do not allow. */
export function faultsOfEnd(
  auction: Auction,
  before: Entry | undefined,
  atMs: number,
  event: Bought | Cancelled | Closed,
  marginMs: number,
): readonly (Fault | false)[] {
  const endsMs = endMs(auction, before)
  switch (event.type) {
    case 'bought': {
      const { buyerId, priceMinor } = event
      const { ownerId, buyNowPriceMinor, startTime } = auction
      return [
        isOffered(auction, before) !== true && [6, 'is a purchase of what was not offered'],
        priceMinor !== buyNowPriceMinor && [6, `is a purchase for ${priceMinor} instead of ${buyNowPriceMinor}`],
        buyerId === ownerId && [6, 'is a purchase of the owner'],
        (atMs < startTime.epochMs || atMs >= endsMs) && [3, `is a purchase of ${atMs}, out of time`],
      ]
    }
    case 'cancelled':
      return [
        !isCancellable(auction, before) && [6, 'cancels an auction that has bids'],
        atMs >= endsMs && [3, `is a cancellation of ${atMs}, behind the end`],
      ]
    case 'closed': {
      const result = expectedResult(auction, before)
      return [
        show(event.result) !== show(result) && [6, `says ${show(event.result)} instead of ${show(result)}`],
        atMs < endsMs + marginMs && [6, `closes the auction at ${atMs}, before its time`],
      ]
    }
    default:
      return event satisfies never
  }
}
