import { editableAmount, formatAmount, minorOf, parseAmount } from './client.js'
import { english } from './texts.js'

/**
 * @typedef {import('./client.js').Auction} Auction
 * @typedef {import('./texts.js').Texts} Texts
 * @typedef {keyof Texts} TextName
 * @typedef {ReturnType<typeof createFormat>} Format
 */

/**
 * The locale of amounts and times: that of the reader in the language of the texts, or the language itself.
 * @param {string} language @param {readonly string[]} [languages] Those of the reader.
 */
export const localeOf = (language, languages = navigator.languages) =>
  languages.find((each) => each.split('-')[0] === language) ?? (language === 'en' ? languages[0] : language)

/**
 * What the page shows of texts, amounts and times, in one language.
 * @param {Partial<Texts>} [some] Those that are missing are English.
 * @param {string} [locale] By default, the one of the browser.
 */
export function createFormat(some = english, locale) {
  /** @type {Texts} */
  const texts = { ...english, ...some }
  const plural = new Intl.PluralRules(String(texts.language))
  const integer = new Intl.NumberFormat(locale)
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' })
  const fine = new Intl.DateTimeFormat(locale, fineClock)
  const units = /** @type {const} */ (['day', 'hour', 'minute', 'second'])
  const formats = units.map((unit) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow' }))

  /** A text with its values. `count` chooses the plural. @param {TextName} name @param {Readonly<Record<string, string | number>>} [values] */
  function text(name, values = {}) {
    const chosen = texts[name]
    const form = typeof chosen === 'string' ? chosen : (chosen[plural.select(Number(values['count']))] ?? chosen.other)
    return form.replaceAll(/\{(\w+)\}/g, (_, /** @type {string} */ value) =>
      value === 'count' ? integer.format(Number(values[value])) : String(values[value] ?? ''),
    )
  }

  const format = {
    text,
    /** The language of the texts. */
    language: String(texts.language),
    /** The zone of the times that the page shows and reads, such as `Europe/Berlin`. */
    timeZone: clock.resolvedOptions().timeZone,

    /** @param {number} amount @param {{ currency: string }} auction */
    money: (amount, { currency }) => formatAmount(amount, currency, locale),
    /** @param {number} amount @param {string} currency */
    editable: (amount, currency) => editableAmount(amount, currency, locale),
    /** @param {string} typed @param {string} currency */
    parse: (typed, currency) => parseAmount(typed, currency, locale),

    /** How bids rise, in words. @param {Auction} auction */
    rise(auction) {
      const { minimumBidIncrement, incrementSteps = [], incrementPercent } = auction
      const increment = format.money(minimumBidIncrement, auction)
      if (incrementPercent !== undefined)
        return text('risePercent', { percent: percent.format(incrementPercent / 100), increment })
      if (incrementSteps.length === 0) return text('risePlain', { increment })
      const steps = incrementSteps.map((step) =>
        text('riseStep', {
          price: format.money(step.fromPrice, auction),
          increment: format.money(step.increment, auction),
        }),
      )
      return text('riseSteps', { increment, steps: steps.join('; ') })
    },

    /** A time with its date, or the time alone if it is today. @param {string | number} time @param {number} nowMs */
    moment(time, nowMs) {
      const date = new Date(time)
      return date.toDateString() === new Date(nowMs).toDateString() ? clock.format(date) : day.format(date)
    },

    /** Times on an axis that shows so much time: of short ones with milliseconds. @param {number} ms @param {number} spanMs @param {number} nowMs */
    tick: (ms, spanMs, nowMs) => (spanMs < 10_000 ? fine.format(ms) : format.moment(ms, nowMs)),

    /** The two largest units, such as `2h 5m`. A part of a second counts as one, so that 0 is the end. @param {number} ms */
    duration(ms) {
      let seconds = Math.ceil(ms / 1000)
      const counts = lengths.map((length) => {
        const count = Math.floor(seconds / length)
        seconds -= count * length
        return count
      })
      const first = counts.findIndex((count) => count > 0)
      const shown = formats.map((unit, index) => (counts[index] === 0 ? '' : unit.format(counts[index] ?? 0)))
      return shown
        .slice(first, first + 2)
        .filter((part) => part !== '')
        .join(' ')
    },

    /** @param {Auction} auction @param {number} nowMs */
    timeLeft(auction, nowMs) {
      const phase = phaseOf(auction, nowMs)
      if (phase === 'over') {
        const isEarly = auction.result !== null && 'endedEarly' in auction.result
        return text(auction.status === 'Cancelled' ? 'cancelled' : isEarly ? 'endedEarly' : 'statusEnded')
      }
      const untilMs = phase === 'soon' ? Date.parse(auction.startTime) : endMs(auction)
      const time = isolated(format.duration(untilMs - nowMs))
      return phase === 'ending' ? text('endingNow') : text(phase === 'soon' ? 'startsIn' : 'timeLeft', { time })
    },

    /** A bidder is a user, or a pseudonym, which is negative. @param {number | null} id @param {(id: number | null) => boolean} isSelf */
    bidder(id, isSelf) {
      if (id === null) return ''
      if (isSelf(id)) return text('you')
      if (id > 0) return text('userNumber', { id })
      return text('bidderAlias', { alias: (-id % 36 ** 4).toString(36).toUpperCase().padStart(4, '0') })
    },

    /** @param {Auction} auction */
    title: ({ id, title }) => title ?? text('auctionNumber', { id }),

    /** What came of an auction; empty before its end. @param {Auction} auction @param {(id: number | null) => boolean} isSelf */
    outcome(auction, isSelf) {
      const { result } = auction
      if (result === null) return ''
      if (result.outcome === 'cancelled')
        return result.reason === undefined ? text('cancelled') : text('cancelledFor', { reason: result.reason })
      if (result.outcome === 'unsold') return text(result.reason === 'no-bids' ? 'unsoldNoBids' : 'unsoldReserve')
      const price = format.money(result.price, auction)
      const buyer = result.outcome === 'sold' ? result.winnerId : result.buyerId
      if (isSelf(buyer)) return text(result.outcome === 'sold' ? 'soldToYou' : 'boughtByYou', { price })
      return text(result.outcome === 'sold' ? 'soldTo' : 'boughtBy', { bidder: format.bidder(buyer, isSelf), price })
    },
  }
  return format
}

const fineClock = /** @type {const} */ ({
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
})
const lengths = [86_400, 3_600, 60, 1]
const hourMs = 3_600_000
const lastMs = 60_000

/** Whether an amount is more than ten times another. @param {number} amount @param {number} other @param {string} currency */
export const isMuchMore = (amount, other, currency) => minorOf(amount, currency) > 10n * minorOf(other, currency)

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

/** The price that was paid, or the current one: a purchase has the buy-now price. @param {Auction} auction */
export const priceOf = ({ currentPrice, result }) =>
  result !== null && 'price' in result ? result.price : currentPrice

/** @typedef {'soon' | 'open' | 'last' | 'ending' | 'over'} Phase By the clock of the server. `last` is the last minute. */

/** @param {Auction} auction @param {number} nowMs @returns {Phase} */
export function phaseOf(auction, nowMs) {
  if (auction.result !== null) return 'over'
  if (nowMs < Date.parse(auction.startTime)) return 'soon'
  const leftMs = endMs(auction) - nowMs
  return leftMs > lastMs ? 'open' : leftMs > 0 ? 'last' : 'ending'
}

/**
 * What an auction is to the user. @typedef {'leads' | 'outbid' | 'won' | 'lost' | 'none'} Standing
 * @param {Auction} auction @param {(id: number | null) => boolean} isSelf @param {boolean} hasBid @returns {Standing}
 */
export function standingOf({ result, leaderId, bidCount }, isSelf, hasBid) {
  if (result === null) return isSelf(leaderId) ? 'leads' : hasBid && bidCount > 0 ? 'outbid' : 'none'
  const buyer = result.outcome === 'sold' ? result.winnerId : result.outcome === 'bought' ? result.buyerId : null
  return isSelf(buyer) ? 'won' : hasBid ? 'lost' : 'none'
}

/** The address of a picture, if the page shows it. @param {string | undefined} text */
export function pictureUrl(text) {
  // Not by `URL.parse`, which Safari before 18 lacks.
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'https:' ? url.href : undefined
}
