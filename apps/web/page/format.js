import { createAmounts } from './amounts.js'
import { formatOf } from './formats.js'
import { english } from './texts.js'
import { createTimes, endMs, isolated, phaseOf } from './times.js'
/**
 * @import { Auction } from './client.js'
 * @import { Texts } from './texts.js'
 * @typedef {keyof Texts} TextName
 * @typedef {(id: number | null) => boolean} IsSelf Whether a bidder is the reader.
 * @typedef {ReturnType<typeof createFormat>} Format What the page shows of texts, amounts and times, in one language.
 */

/**
 * The locale of amounts and times: that of the reader in the language of the texts, or the language itself.
 * @param {string} language @param {readonly string[]} [languages] Those of the reader.
 */
export const localeOf = (language, languages = navigator.languages) =>
  languages.find((each) => each.split('-')[0] === language) ?? (language === 'en' ? languages[0] : language)

/**
 * @param {Partial<Texts>} [some] Those that are missing are English.
 * @param {string} [locale] By default, the one of the browser.
 */
export function createFormat(some = english, locale) {
  const texts = createWords(some, locale)
  const times = createTimes(locale, (unit, count) => texts.text(unit, { count }))
  const words = { ...texts, ...createAmounts(locale), ...times }
  return { ...words, ...phrasesOf(words) }
}

/** @param {Partial<Texts>} some @param {string} [locale] */
function createWords(some, locale) {
  /** @type {Partial<Texts>} */
  const texts = { ...english, ...some }
  const plural = new Intl.PluralRules(String(texts.language))
  const integer = new Intl.NumberFormat(locale)
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
  return {
    /** The language of the texts. */
    language: String(texts.language),
    /** Adds English texts that have just been loaded. @param {Partial<Texts>} more */
    addTexts: (more) => void Object.assign(texts, more, some),

    /** @param {number} value */
    integer: (value) => integer.format(value),
    /** @param {number} value */
    percent: (value) => percent.format(value / 100),

    /** A text with its values. `count` chooses the plural. @param {TextName} name @param {Readonly<Record<string, string | number>>} [values] */
    text(name, values = {}) {
      const chosen = texts[name] ?? ''
      const form =
        typeof chosen === 'string' ? chosen : (chosen[plural.select(Number(values['count']))] ?? chosen.other)
      return form.replaceAll(/\{(\w+)\}/g, (_, /** @type {string} */ value) =>
        value === 'count' ? integer.format(Number(values[value])) : String(values[value] ?? ''),
      )
    },
  }
}

/**
 * What the page states about an auction.
 * @param {ReturnType<typeof createWords> & ReturnType<typeof createAmounts> & ReturnType<typeof createTimes>} words
 */
function phrasesOf(words) {
  const { text, money, duration, moment, decimalsOf, isTooFine, parse, editable } = words
  const phrases = {
    /** @param {Auction} auction @param {number} nowMs */
    timeLeft(auction, nowMs) {
      const phase = phaseOf(auction, nowMs)
      if (phase === 'over') {
        const { result, status, endedAt, effectiveEndTime } = auction
        const time = isolated(moment(endedAt ?? effectiveEndTime, nowMs))
        const isEarly = result !== null && 'endedEarly' in result
        return text(status === 'Cancelled' ? 'cancelledAt' : isEarly ? 'endedEarlyAt' : 'endedAt', { time })
      }
      const untilMs = phase === 'soon' ? Date.parse(auction.startTime) : endMs(auction)
      const time = isolated(duration(untilMs - nowMs))
      return phase === 'ending' ? text('endingNow') : text(phase === 'soon' ? 'startsIn' : 'timeLeft', { time })
    },

    /** Why a text is not an amount of a currency, or undefined if it is one. @param {string} typed @param {string} currency */
    amountProblem(typed, currency) {
      const count = decimalsOf(currency)
      if (isTooFine(typed, currency)) return text(count === 0 ? 'noDecimals' : 'decimals', { currency, count })
      if (parse(typed, currency) !== undefined) return undefined
      return text('enterAmount', { currency, example: editable(100, currency) })
    },

    /** A bidder is a user, or a pseudonym, which is negative. A paddle is shown instead. @param {number | null} id @param {IsSelf} isSelf @param {string} [paddle] */
    bidder(id, isSelf, paddle) {
      if (id === null) return ''
      if (isSelf(id)) return paddle === undefined ? text('you') : text('youWithPaddle', { paddle })
      if (paddle !== undefined) return text('paddle', { paddle })
      if (id > 0) return text('userNumber', { id })
      return text('bidderAlias', { alias: (-id % 36 ** 4).toString(36).toUpperCase().padStart(4, '0') })
    },

    /** @param {Auction} auction */
    title: ({ id, title }) => title ?? text('auctionNumber', { id }),

    /** What came of an auction; empty before its end. @param {Auction} auction @param {IsSelf} isSelf */
    outcome(auction, isSelf) {
      const { result } = auction
      if (result === null) return ''
      if (result.outcome === 'cancelled')
        return result.reason === undefined ? text('cancelled') : text('cancelledFor', { reason: result.reason })
      if (result.outcome === 'unsold')
        return text(result.reason === 'no-bids' ? formatOf(auction).unsold : 'unsoldReserve')
      const price = money(result.price, auction)
      const buyer = result.outcome === 'sold' ? result.winnerId : result.buyerId
      if (isSelf(buyer)) return text(result.outcome === 'sold' ? 'soldToYou' : 'boughtByYou', { price })
      return text(result.outcome === 'sold' ? 'soldTo' : 'boughtBy', {
        bidder: phrases.bidder(buyer, isSelf, result.paddle),
        price,
      })
    },
  }
  return phrases
}
