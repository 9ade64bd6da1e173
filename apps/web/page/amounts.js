import { amountOf, editableAmount, exponentOf, formatAmount, minorOf, parseAmount, priceAt } from './client.js'

/** @import { Auction } from './client.js' */

/** A currency with the most decimal places, to find out whether a text is an amount in any. */
const finest = 'CLF'
/** A bid that is more than this number of increments above the minimum is sent after a question. */
const largeIncrements = 3n

/** Amounts of money of a locale. @param {string} [locale] */
export const createAmounts = (locale) => ({
  /** @param {number} amount @param {{ currency: string }} auction */
  money: (amount, { currency }) => formatAmount(amount, currency, locale),
  /** Formats an amount as a field shows it. @param {number} amount @param {string} currency */
  editable: (amount, currency) => editableAmount(amount, currency, locale),
  /** @param {string} typed @param {string} currency */
  parse: (typed, currency) => parseAmount(typed, currency, locale),
  /** Whether a text is an amount, but with more decimal places than the currency has. @param {string} typed @param {string} currency */
  isTooFine: (typed, currency) =>
    parseAmount(typed, currency, locale) === undefined && parseAmount(typed, finest, locale) !== undefined,
  decimalsOf: exponentOf,
})

/** Whether an amount is more than three increments above the minimum, exactly. @param {number} amount @param {Auction} auction */
export function isLarge(amount, auction) {
  const { currency, startingPrice, currentPrice = startingPrice, minimumNextBid, minimumBidIncrement = 0 } = auction
  const minor = (/** @type {number} */ value) => minorOf(value, currency)
  const least = minor(minimumNextBid ?? amount)
  const rise = least - minor(currentPrice)
  return minor(amount) > least + largeIncrements * (rise > 0n ? rise : minor(minimumBidIncrement))
}

/** An amount that is the current increment higher. @param {Auction} auction @param {number} amount */
export function raisedBy({ minimumNextBid, startingPrice, currentPrice = startingPrice, currency }, amount) {
  if (minimumNextBid == null) return undefined
  const minor = minorOf(amount, currency) + minorOf(minimumNextBid, currency) - minorOf(currentPrice, currency)
  return amountOf(minor, currency)
}

/** The price at a time, and the next one: it falls between two reads. @param {Auction} auction @param {number} nowMs */
export const priceNow = (auction, nowMs) => {
  const { startingPrice, currentPrice = startingPrice } = auction
  return priceAt(auction, nowMs) ?? { currentPrice, nextPrice: null, nextPriceAtMs: null }
}

/** The price that was paid, or the one of now: a purchase has the buy-now price. Undefined while bids are sealed, and if none won. @param {Auction} auction @param {number} nowMs */
export const priceOf = (auction, nowMs) =>
  auction.result !== null && 'price' in auction.result
    ? auction.result.price
    : (priceAt(auction, nowMs) ?? auction).currentPrice
