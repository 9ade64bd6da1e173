import { english } from './formats/english.js'
import { falling } from './formats/falling.js'
import { sealed } from './formats/sealed.js'

/**
 * @import { Auction } from './client.js'
 * @import { Format, TextName } from './format.js'
 * @import { Phase } from './times.js'
 * @import { FieldName } from './views/fields.js'
 * @typedef {FieldName | 'onlySteps' | 'cancellableUntilEnd'} InputName A field, or a box to check.
 * @typedef {{ title: TextName, fields: readonly InputName[], member?: string }} InputGroup Inputs below a summary. `member` has them in the API.
 * @typedef {{ value: string, title: TextName, hint: TextName }} Option
 * @typedef {{ name: string, title: TextName, options: readonly Option[] }} Choice A field of the API with a few values, the first of which is the default.
 */
/**
 * @typedef {object} AuctionFormat What the page shows of auctions of a format, and what it sends.
 * @property {string} name
 * @property {TextName} title Its name in the form to sell.
 * @property {TextName} hint
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
 * @property {readonly FieldName[]} correctable
 * @property {readonly FieldName[]} required The fields that a new auction needs, in addition to those of all formats.
 * @property {readonly Choice[]} choices
 * @property {readonly (InputName | InputGroup)[]} priceFields Its inputs in the form to sell.
 * @property {readonly (InputName | InputGroup)[]} timeFields
 * @property {Nested} [nested]
 * @property {object} sent What the request for a new auction has in addition to its fields.
 * @property {(draft: Record<string, any>) => object} atFirst What a new auction has in addition to its fields, for the preview.
 */
/**
 * @typedef {object} Nested Fields that the API has within a member, which a correction replaces as a whole.
 * @property {keyof Auction} member
 * @property {readonly FieldName[]} fields
 * @property {(values: Record<string, any>) => object | null} valueOf The member, from the values of its fields and of the others.
 */

/** The formats, in the order of the form to sell. @type {Readonly<Record<string, AuctionFormat>>} */
export const formats = { english, sealed, falling }

/** @param {{ format?: string | undefined }} auction An auction without a format is English. */
export const formatOf = ({ format = 'english' }) => formats[format] ?? english
