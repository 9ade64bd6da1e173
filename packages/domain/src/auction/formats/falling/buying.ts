import { isInexactIn, toMinor } from '../../../values/money.ts'
import { accepted, type Result, refused } from '../../../values/result.ts'
import { validationFailed } from '../../../values/validation.ts'
import { recordedAdmission, refusalIfBarred } from '../../admission.ts'
import type { BuyNowCommand } from '../../offers.ts'
import { refusalIfNotOpen } from '../../status.ts'
import { currentPrice } from './price.ts'
import type { PurchaseRefusal } from './refusals.ts'
import type { FallingState, Purchased } from './state.ts'
import type { FallingTerms } from './terms.ts'

const atMostRule = 'is required: the most that the buyer pays, since the price depends on when the request arrives'

/** A purchase at the price of a time, which is that of its arrival, and never above what the buyer pays at most. */
export function decidePurchase(
  terms: FallingTerms,
  state: FallingState,
  command: BuyNowCommand,
  nowMs: number,
): Result<Purchased, PurchaseRefusal> {
  const { buyerId, atMost } = command
  const { currency } = terms
  const atMostMinor = atMost === undefined ? undefined : toMinor(atMost, currency)
  if (atMostMinor === undefined) {
    const message = atMost === undefined ? atMostRule : isInexactIn(currency)
    return refused(validationFailed({ pointer: '/atMost', message }))
  }
  const closed = refusalIfNotOpen(terms, state, nowMs)
  if (closed !== undefined) return refused(closed)
  if (buyerId === terms.ownerId) return refused({ code: 'owner-cannot-buy' })
  const price = currentPrice(terms, state, nowMs)
  const barred = refusalIfBarred(terms, state, buyerId, command, price.currentPriceMinor)
  if (barred !== undefined) return refused(barred)
  if (price.currentPriceMinor > atMostMinor) return refused({ code: 'price-is-higher', ...price, currency })
  return accepted({
    type: 'purchased',
    buyerId,
    priceMinor: price.currentPriceMinor,
    atMostMinor,
    ...recordedAdmission(command),
  })
}
