import { english } from './formats/english.js'
import { falling } from './formats/falling.js'
import { sealed } from './formats/sealed.js'

/**
 * @import { Auction } from './client.js'
 * @import { Format, TextName } from './format.js'
 * @import { Phase } from './times.js'
 */
/**
 * @typedef {object} AuctionFormat What the page shows of auctions of a format.
 * @property {TextName} title
 * @property {'bid' | 'buy' | 'seal'} action What readers do. It chooses the form in the bar, and the terms.
 * @property {boolean} hasPriceHistory Whether the price changes by bids: the page announces it, and draws it over time.
 * @property {TextName} signIn Why a visitor signs in.
 * @property {TextName} own Why its owner cannot take part.
 * @property {TextName} unsold Its outcome if it ends without an offer.
 * @property {{ hint: TextName, done: TextName }} withdrawal What the withdrawal of a bidder by staff does, and what everyone sees of it.
 * @property {TextName} endHint What an early end by staff does.
 * @property {TextName} ruleTitle
 * @property {(format: Format, auction: Auction) => string} rule How its price changes.
 * @property {(format: Format, auction: Auction, nowMs: number) => string} mark What a card shows of its bids or its price.
 * @property {(format: Format, auction: Auction, nowMs: number) => string} [nextMark] What comes before its end. The bar shows this instead of
 *   the mark and the time left.
 * @property {(auction: Auction) => TextName} open Its state while it is open.
 * @property {TextName} [opening] Its state between its end and its result, if that has a name.
 * @property {(auction: Auction, phase: Phase) => TextName} priceTitle The name of a price that was not paid.
 * @property {(auction: Auction, nowMs: number) => boolean} isFree Whether its owner may still correct and cancel it.
 * @property {(auction: Auction) => number | undefined} bidsListed How many bids it lists; undefined if everyone sees none.
 */

/** @type {Readonly<Record<string, AuctionFormat>>} */
const formats = { english, sealed, falling }

/** @param {{ format?: string | undefined }} auction An auction without a format is English. */
export const formatOf = ({ format = 'english' }) => formats[format] ?? english
