/** @import { Auction } from './client.js' */
/** @typedef {'soon' | 'open' | 'last' | 'ending' | 'over'} Phase By the clock of the server. `last` is the last minute. */

const hourMs = 3_600_000
const lastMs = 60_000
const lengths = [86_400, 3_600, 60, 1]
const units = /** @type {const} */ (['days', 'hours', 'minutes', 'seconds'])
const fineClock = /** @type {const} */ ({
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
})

/**
 * Times and durations of a locale.
 * @param {string | undefined} locale
 * @param {(unit: typeof units[number], count: number) => string} wordsOf The words of a part of a duration; empty for those of `Intl`.
 */
export function createTimes(locale, wordsOf) {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' })
  const fine = new Intl.DateTimeFormat(locale, fineClock)
  const formats = units.map(
    (unit) => new Intl.NumberFormat(locale, { style: 'unit', unit: unit.slice(0, -1), unitDisplay: 'narrow' }),
  )

  const times = {
    /** The zone of the times that the page shows and reads, such as `Europe/Berlin`. */
    timeZone: clock.resolvedOptions().timeZone,

    /** A time with its date, or the time alone if it is today. @param {string | number} time @param {number} nowMs */
    moment(time, nowMs) {
      const date = new Date(time)
      return date.toDateString() === new Date(nowMs).toDateString() ? clock.format(date) : day.format(date)
    },

    /** Times on an axis that shows so much time: of short ones with milliseconds. @param {number} ms @param {number} spanMs @param {number} nowMs */
    tick: (ms, spanMs, nowMs) => (spanMs < 10_000 ? fine.format(ms) : times.moment(ms, nowMs)),

    /** The two largest units, such as `2h 5m`. A part of a second counts as one, so that 0 is the end. @param {number} ms */
    duration(ms) {
      let seconds = Math.ceil(ms / 1000)
      const counts = lengths.map((length) => {
        const count = Math.floor(seconds / length)
        seconds -= count * length
        return count
      })
      const first = counts.findIndex((count) => count > 0)
      const shown = units.map((unit, index) => {
        const count = counts[index] ?? 0
        return count === 0 ? '' : wordsOf(unit, count) || String(formats[index]?.format(count))
      })
      return shown
        .slice(first, first + 2)
        .filter((part) => part !== '')
        .join(' ')
    },
  }
  return times
}

/** A time as a field for local times has it. @param {number} ms */
export function localTime(ms) {
  const date = new Date(ms)
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes()]
  const [year, month, day, hour, minute] = parts.map((part, at) => String(part).padStart(at === 0 ? 4 : 2, '0'))
  return `${year}-${month}-${day}T${hour}:${minute}`
}

/**
 * The time in a field for local times, or the name of the text of its error. One that occurs twice, as clocks are set back, is the first.
 * @param {string} text @returns {{ ms: number } | { error: 'enterTime' | 'timeSkipped' }}
 */
export function parseLocalTime(text) {
  const ms = new Date(text).getTime()
  if (Number.isNaN(ms)) return { error: 'enterTime' }
  // A date moves a time that the clocks skip.
  return localTime(ms) === text.slice(0, 16) ? { ms } : { error: 'timeSkipped' }
}

/** The local time in an hour, or in two if the first would be read as an earlier one. @param {number} nowMs @param {number} [afterMs] */
export function localTimeAfter(nowMs, afterMs = hourMs) {
  const text = localTime(nowMs + afterMs)
  return new Date(text).getTime() > nowMs ? text : localTime(nowMs + afterMs + hourMs)
}

/** A time of the locale within a phrase, which may be written in the other direction. @param {string} text */
export const isolated = (text) => `\u2068${text}\u2069`

/** @param {Auction} auction */
export const endMs = ({ effectiveEndTime }) => Date.parse(effectiveEndTime)

/** @param {Auction} auction @param {number} nowMs @returns {Phase} */
export function phaseOf(auction, nowMs) {
  if (auction.result !== null) return 'over'
  if (nowMs < Date.parse(auction.startTime)) return 'soon'
  const leftMs = endMs(auction) - nowMs
  return leftMs > lastMs ? 'open' : leftMs > 0 ? 'last' : 'ending'
}
