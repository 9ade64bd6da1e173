import { isInexactIn, toMinor } from '../../../values/money.ts'
import { accepted, type Result, refused } from '../../../values/result.ts'
import { validationFailed } from '../../../values/validation.ts'
import { isBlocked } from '../../life.ts'
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
  { buyerId, atMost }: BuyNowCommand,
  nowMs: number,
): Result<Purchased, PurchaseRefusal> {
  const { currency } = terms
  const atMostMinor = atMost === undefined ? undefined : toMinor(atMost, currency)
  if (atMostMinor === undefined) {
    const message = atMost === undefined ? atMostRule : isInexactIn(currency)
    return refused(validationFailed({ pointer: '/atMost', message }))
  }
  const closed = refusalIfNotOpen(terms, state, nowMs)
  if (closed !== undefined) return refused(closed)
  if (buyerId === terms.ownerId) return refused({ code: 'owner-cannot-buy' })
  if (isBlocked(state, buyerId)) return refused({ code: 'bidder-blocked' })
  const price = currentPrice(terms, state, nowMs)
  if (price.currentPriceMinor > atMostMinor) return refused({ code: 'price-is-higher', ...price, currency })
  return accepted({ type: 'purchased', buyerId, priceMinor: price.currentPriceMinor, atMostMinor })
}
