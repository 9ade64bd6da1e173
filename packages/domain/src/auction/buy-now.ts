import type { AmountMinor } from '../money.ts'
import { accepted, type Result, refused } from '../result.ts'
import type { Terms } from './auction.ts'
import type { BuyNow } from './commands.ts'
import type { Bought } from './events.ts'
import { notOpen } from './not-open.ts'
import type { BuyNowNotOffered, BuyNowRefusal } from './refusals.ts'
import { isReserveMet } from './reserve.ts'
import { type AuctionState, currentPriceMinor, minimumNextBidMinor } from './state.ts'

type Offer = Pick<Terms, 'buyNowPriceMinor' | 'reservePriceMinor'>

/** For how much the product can be bought at once, whatever the time is; or why it can't. */
export function buyNowOffer(
  { buyNowPriceMinor, reservePriceMinor }: Offer,
  state: AuctionState,
): Result<AmountMinor, BuyNowNotOffered['because']> {
  if (buyNowPriceMinor === undefined) return refused('no-buy-now-price')
  if (state.leader === null) return accepted(buyNowPriceMinor)
  if (reservePriceMinor === undefined) return refused('has-bids')
  return isReserveMet({ reservePriceMinor }, state) ? refused('reserve-met') : accepted(buyNowPriceMinor)
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
  const offer = buyNowOffer(terms, state)
  if (!offer.ok) {
    return refused({
      code: 'buy-now-not-offered',
      because: offer.refusal,
      currentPriceMinor: currentPriceMinor(terms, state),
      minimumNextBidMinor: minimumNextBidMinor(terms, state),
      currency: terms.currency,
    })
  }
  return accepted({ type: 'bought', buyerId, priceMinor: offer.value })
}
