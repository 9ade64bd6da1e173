import type { AmountMinor } from '../values/money.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import type { Terms } from './auction.ts'
import type { BuyNowCommand } from './commands.ts'
import type { Bought } from './events.ts'
import type { BuyNowNotOffered, BuyNowRefusal } from './refusals.ts'
import { type AuctionState, currentPriceMinor, isBlocked, isReserveMet, minimumNextBidMinor } from './state.ts'
import { refusalIfNotOpen } from './status.ts'

type Offer = Pick<Terms, 'buyNowPriceMinor' | 'reservePriceMinor'>

/** The buy-now price if the state allows a purchase, or the reason why not. It does not check the time. */
export function buyNowOffer(
  { buyNowPriceMinor, reservePriceMinor }: Offer,
  state: AuctionState,
): Result<AmountMinor, BuyNowNotOffered['reason']> {
  if (buyNowPriceMinor === undefined) return refused('no-buy-now-price')
  if (state.leader === null) return accepted(buyNowPriceMinor)
  if (reservePriceMinor === undefined) return refused('has-bids')
  return isReserveMet({ reservePriceMinor }, state) ? refused('reserve-met') : accepted(buyNowPriceMinor)
}

export function decidePurchase(
  terms: Terms,
  state: AuctionState,
  { buyerId }: BuyNowCommand,
  nowMs: number,
): Result<Bought, BuyNowRefusal> {
  const closed = refusalIfNotOpen(terms, state, nowMs)
  if (closed !== undefined) return refused(closed)
  if (buyerId === terms.ownerId) return refused({ code: 'owner-cannot-buy' })
  if (isBlocked(state, buyerId)) return refused({ code: 'bidder-blocked' })
  const offer = buyNowOffer(terms, state)
  if (!offer.ok) {
    return refused({
      code: 'buy-now-not-offered',
      reason: offer.refusal,
      currentPriceMinor: currentPriceMinor(terms, state),
      minimumNextBidMinor: minimumNextBidMinor(terms, state),
      currency: terms.currency,
    })
  }
  return accepted({ type: 'bought', buyerId, priceMinor: offer.value })
}
