import { formatMoney } from './client/money.js'

const locale = undefined // The one of the browser.

/** @param {number} amount @param {{ currency: string }} auction */
export const money = (amount, { currency }) => formatMoney(amount, currency, locale)

/** The increments of an auction in words. @param {import('./client/client.js').Auction} auction */
export function incrementText(auction) {
  const { minimumBidIncrement, incrementSteps = [], incrementPercent } = auction
  const least = money(minimumBidIncrement, auction)
  if (incrementPercent !== undefined) return `${percent.format(incrementPercent / 100)} of the price, at least ${least}`
  const steps = incrementSteps.map(
    ({ fromPrice, increment }) => `from ${money(fromPrice, auction)}: ${money(increment, auction)}`,
  )
  return [least, ...steps].join('; ')
}
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })

/** @param {number} count @param {string} one @param {string} many */
export const counted = (count, one, many) => `${integer.format(count)} ${plural.select(count) === 'one' ? one : many}`
const integer = new Intl.NumberFormat(locale)
const plural = new Intl.PluralRules('en')

const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' })

/** A time with its date, or the time alone if it is today. @param {string | number} time @param {number} nowMs */
export function moment(time, nowMs) {
  const date = new Date(time)
  return date.toDateString() === new Date(nowMs).toDateString() ? clock.format(date) : day.format(date)
}

/** The zone of the times that the page shows and reads, such as `Europe/Berlin`. */
export const { timeZone } = clock.resolvedOptions()

const hourMs = 3_600_000

/** A time as a field for local times has it. @param {number} ms */
export function localTime(ms) {
  const date = new Date(ms)
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes()]
  const [year, month, day, hour, minute] = parts.map((part, at) => String(part).padStart(at === 0 ? 4 : 2, '0'))
  return `${year}-${month}-${day}T${hour}:${minute}`
}

/**
 * The time in a field for local times. One that occurs twice, as clocks are set back, is the first.
 * @param {string} text @returns {{ ms: number } | { error: string }}
 */
export function parseLocalTime(text) {
  const ms = new Date(text).getTime()
  if (Number.isNaN(ms)) return { error: incompleteTime }
  // A date moves a time that the clocks skip.
  if (localTime(ms) === text.slice(0, 16)) return { ms }
  return { error: 'This time does not exist, because clocks are set forward. Enter an earlier or a later one.' }
}

export const incompleteTime = 'Enter a date and a time.'

/** The local time in an hour, or in two if the first would be read as an earlier one. @param {number} nowMs */
export function localTimeInAnHour(nowMs) {
  const text = localTime(nowMs + hourMs)
  return new Date(text).getTime() > nowMs ? text : localTime(nowMs + 2 * hourMs)
}

const units = /** @type {const} */ (['day', 'hour', 'minute', 'second'])
const lengths = [86_400, 3_600, 60, 1]
const formats = units.map((unit) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow' }))

/** The two largest units, such as `2h 5m`. A part of a second counts as one, so that 0 is the end. @param {number} ms */
export function duration(ms) {
  let seconds = Math.ceil(ms / 1000)
  const counts = lengths.map((length) => {
    const count = Math.floor(seconds / length)
    seconds -= count * length
    return count
  })
  const first = counts.findIndex((count) => count > 0)
  const shown = formats.map((format, index) => (counts[index] === 0 ? '' : format.format(counts[index] ?? 0)))
  return shown
    .slice(first, first + 2)
    .filter((text) => text !== '')
    .join(' ')
}

/** A time of the locale within an English phrase, which may be written in the other direction. @param {string} text */
export const isolated = (text) => `\u2068${text}\u2069`

/** @param {import('./client/client.js').Auction} auction */
export const endMs = ({ effectiveEndTime }) => Date.parse(effectiveEndTime)

/** The price that was paid, or the current one: a purchase has the buy-now price. @param {import('./client/client.js').Auction} auction */
export const priceOf = ({ currentPrice, result }) =>
  result !== null && 'price' in result ? result.price : currentPrice

/** @typedef {'soon' | 'open' | 'ending' | 'over'} Phase By the clock of the server. */

/** @param {import('./client/client.js').Auction} auction @param {number} nowMs @returns {Phase} */
export function phaseOf(auction, nowMs) {
  if (auction.result !== null) return 'over'
  if (nowMs < Date.parse(auction.startTime)) return 'soon'
  return nowMs < endMs(auction) ? 'open' : 'ending'
}

/** @param {import('./client/client.js').Auction} auction @param {number} nowMs */
export function timeLeft(auction, nowMs) {
  const phase = phaseOf(auction, nowMs)
  if (phase === 'over') return auction.status === 'Cancelled' ? 'Cancelled' : 'Ended'
  if (phase === 'soon') return `Starts in ${isolated(duration(Date.parse(auction.startTime) - nowMs))}`
  return phase === 'ending' ? 'Ending…' : `${isolated(duration(endMs(auction) - nowMs))} left`
}

/** A bidder is a user, or a pseudonym, which is negative. @param {number | null} id @param {(id: number | null) => boolean} isSelf */
export function bidder(id, isSelf) {
  if (id === null) return ''
  if (isSelf(id)) return 'You'
  return id > 0 ? `User ${id}` : `Bidder ${(-id % 36 ** 4).toString(36).toUpperCase().padStart(4, '0')}`
}

/** The address of the picture of an auction, if the page shows it. @param {import('./client/client.js').Auction} auction */
export function pictureOf({ metadata }) {
  const url = URL.parse(metadata?.['pictureUrl'] ?? '')
  return url?.protocol === 'https:' ? url.href : undefined
}

/** @param {import('./client/client.js').Auction} auction */
export const titleOf = ({ id, title }) => title ?? `Auction ${id}`
