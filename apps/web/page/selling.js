import { english } from './selling/english.js'
import { falling } from './selling/falling.js'
import { sealed } from './selling/sealed.js'

/**
 * @import { Auction } from './client.js'
 * @import { TextName } from './format.js'
 * @import { FieldName } from './views/fields.js'
 * @typedef {FieldName | 'onlySteps' | 'cancellableUntilEnd' | 'showPaddles'} InputName A field, or a box to check.
 * @typedef {{ title: TextName, fields: readonly InputName[], member?: string }} InputGroup Inputs below a summary. `member` has them in the API.
 * @typedef {{ value: string, title: TextName, hint: TextName }} Option
 * @typedef {{ name: string, title: TextName, options: readonly Option[] }} Choice A field of the API with a few values, the first of which is the default.
 */
/**
 * @typedef {object} SellingFormat What sellers choose of auctions of a format, and what the page sends. Most readers need only the rest of a
 *   format, which is in `formats.js`.
 * @property {string} name
 * @property {TextName} title
 * @property {TextName} hint
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

/** In the order of the form to sell. @type {Readonly<Record<string, SellingFormat>>} */
export const sellingFormats = { english, sealed, falling }

/** @param {{ format?: string | undefined }} auction An auction without a format is English. */
export const sellingOf = ({ format = 'english' }) => sellingFormats[format] ?? english
