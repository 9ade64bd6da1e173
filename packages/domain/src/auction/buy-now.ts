import { accepted, type Result, refused } from '../result.ts'
import type { Terms } from './auction.ts'
import type { BuyNow } from './commands.ts'
import type { Bought } from './events.ts'
import { notOpen } from './not-open.ts'
import type { BuyNowNotOffered, BuyNowRefusal } from './refusals.ts'
import { isReserveMet } from './reserve.ts'
import { type AuctionState, currentPriceMinor, minimumNextBidMinor } from './state.ts'

type Offer = Pick<Terms, 'buyNowPriceMinor' | 'reservePriceMinor'>

/** Why the product can't be bought at once, times apart; undefined where it can. */
export function notOffered(terms: Offer, state: AuctionState): BuyNowNotOffered['because'] | undefined {
  if (terms.buyNowPriceMinor === undefined) return 'no-buy-now-price'
  if (state.leader === null) return undefined
  if (terms.reservePriceMinor === undefined) return 'has-bids'
  return isReserveMet(terms, state) ? 'reserve-met' : undefined
}

export function decidePurchase(
  terms: Terms,
  state: AuctionState,
  { buyerId }: BuyNow,
  nowMs: number,
): Result<Bought, BuyNowRefusal> {
  const closed = notOpen(terms, state, nowMs)
  if (closed !== undefined) return refused(closed)
  if (buyerId === terms.ownerId) return refused({ code: 'owner-cannot-buy' })
  const because = notOffered(terms, state)
  const { buyNowPriceMinor: priceMinor } = terms
  if (because !== undefined || priceMinor === undefined) {
    return refused({
      code: 'buy-now-not-offered',
      because: because ?? 'no-buy-now-price',
      currentPriceMinor: currentPriceMinor(terms, state),
      minimumNextBidMinor: minimumNextBidMinor(terms, state),
      currency: terms.currency,
    })
  }
  return accepted({ type: 'bought', buyerId, priceMinor })
}
