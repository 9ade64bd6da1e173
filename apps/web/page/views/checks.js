/** @import { Format } from '../format.js' */
/** @typedef {Record<string, any>} Values What the fields of an auction contain, by their names; null if they are empty. */

const weekMs = 604_800_000

/** What is wrong between fields, by the name of the field to change. Each alone is right. @param {Format} format @param {Values} values @param {number} nowMs @returns {Record<string, string>} */
export const checksOf = (format, values, nowMs) => ({
  ...checkPrices(format, values),
  ...checkTimes(format, values, nowMs),
})

/** @param {Format} format @param {Values} values @returns {Record<string, string>} */
function checkPrices({ text, money }, { currency, startingPrice, reservePrice, buyNowPrice, floorPrice }) {
  const price = (/** @type {number} */ amount) => ({ price: money(amount, { currency }) })
  const lowest = Math.max(startingPrice ?? 0, reservePrice ?? 0)
  return {
    ...(startingPrice != null &&
      reservePrice != null &&
      reservePrice < startingPrice && { reservePrice: text('atLeast', price(startingPrice)) }),
    ...(startingPrice != null &&
      buyNowPrice != null &&
      buyNowPrice <= lowest && { buyNowPrice: text('moreThan', price(lowest)) }),
    ...(startingPrice != null &&
      floorPrice != null &&
      floorPrice >= startingPrice && { floorPrice: text('lowerThan', price(startingPrice)) }),
  }
}

/** @param {Format} format @param {Values} values @param {number} nowMs @returns {Record<string, string>} */
function checkTimes({ text }, { startTime, endTime, windowSeconds, extensionSeconds, latestEndTime }, nowMs) {
  const ms = (/** @type {string | null | undefined} */ time) => Date.parse(time ?? '')
  const [startMs, endMs, latestMs] = [ms(startTime), ms(endTime), ms(latestEndTime)]
  /** @type {Record<string, string>} */
  const errors = {}
  if (endMs <= nowMs) errors['endTime'] = text('endInFuture')
  else if (endMs <= startMs) errors['endTime'] = text('endAfterStart')
  if (windowSeconds != null && extensionSeconds == null) errors['extensionSeconds'] = text('required')
  if (latestMs <= endMs) errors['latestEndTime'] = text('laterThanEnd')
  else if (latestMs > endMs + weekMs) errors['latestEndTime'] = text('withinWeek')
  return errors
}
