import { editableAmount, formatAmount, minorOf, parseAmount } from './client.js'

/** @typedef {import('./client.js').Auction} Auction */

/** Amounts of money of a locale. @param {string} [locale] */
export const createAmounts = (locale) => ({
  /** @param {number} amount @param {{ currency: string }} auction */
  money: (amount, { currency }) => formatAmount(amount, currency, locale),
  /** As a field has it. @param {number} amount @param {string} currency */
  editable: (amount, currency) => editableAmount(amount, currency, locale),
  /** @param {string} typed @param {string} currency */
  parse: (typed, currency) => parseAmount(typed, currency, locale),
})

/** Whether an amount is more than ten times another. @param {number} amount @param {number} other @param {string} currency */
export const isMuchMore = (amount, other, currency) => minorOf(amount, currency) > 10n * minorOf(other, currency)

/** The price that was paid, or the current one: a purchase has the buy-now price. @param {Auction} auction */
export const priceOf = ({ currentPrice, result }) =>
  result !== null && 'price' in result ? result.price : currentPrice
