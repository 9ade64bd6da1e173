import type { AmountMinor } from '../../../values/money.ts'
import { accepted, type Result, refused } from '../../../values/result.ts'
import { validationFailed } from '../../../values/validation.ts'
import { recordedAdmission, refusalIfBarred } from '../../admission.ts'
import type { BuyNowCommand } from '../../offers.ts'
import { refusalIfNotOpen } from '../../status.ts'
import type { Bought } from './events.ts'
import { currentPriceMinor, isReserveMet, minimumNextBidMinor } from './prices.ts'
import type { BuyNowNotOffered, BuyNowRefusal } from './refusals.ts'
import type { EnglishState } from './state.ts'
import type { EnglishTerms } from './terms.ts'

type Offer = Pick<EnglishTerms, 'buyNowPriceMinor' | 'reservePriceMinor'>

/** The buy-now price if the state allows a purchase, or the reason why not. It does not check the time. */
export function buyNowOffer(
  { buyNowPriceMinor, reservePriceMinor }: Offer,
  state: EnglishState,
): Result<AmountMinor, BuyNowNotOffered['reason']> {
  if (buyNowPriceMinor === undefined) return refused('no-buy-now-price')
  if (state.leader === null) return accepted(buyNowPriceMinor)
  if (reservePriceMinor === undefined) return refused('has-bids')
  return isReserveMet({ reservePriceMinor }, state) ? refused('reserve-met') : accepted(buyNowPriceMinor)
}

const atMostRule = 'must be omitted: the price of this auction does not fall; a purchase is for its buyNowPrice'

export function decidePurchase(
  terms: EnglishTerms,
  state: EnglishState,
  command: BuyNowCommand,
  nowMs: number,
): Result<Bought, BuyNowRefusal> {
  const { buyerId, atMost } = command
  if (atMost !== undefined) return refused(validationFailed({ pointer: '/atMost', message: atMostRule }))
  const closed = refusalIfNotOpen(terms, state, nowMs)
  if (closed !== undefined) return refused(closed)
  if (buyerId === terms.ownerId) return refused({ code: 'owner-cannot-buy' })
  const barred = refusalIfBarred(terms, state, buyerId, command, terms.buyNowPriceMinor)
  if (barred !== undefined) return refused(barred)
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
  return accepted({ type: 'bought', buyerId, priceMinor: offer.value, ...recordedAdmission(command) })
}
