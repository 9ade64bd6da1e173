import { html, nothing } from '../html.js'
import { pictureNames, pictureUrl } from '../pictures.js'
import { sellingOf } from '../selling.js'
import { localTime, parseLocalTime } from '../times.js'
/**
 * @import { Auction } from '../client.js'
 * @import { Format } from '../format.js'
 * @typedef {keyof typeof kinds} FieldName
 * @typedef {{ value: unknown } | { error: string }} Reading
 */

/** The fields of an auction in forms, and what is typed in them. */
export const kinds = /** @type {const} */ ({
  title: 'text',
  description: 'lines',
  pictureUrls: 'urls',
  productId: 'whole',
  currency: 'text',
  startingPrice: 'amount',
  minimumBidIncrement: 'amount',
  decrement: 'amount',
  intervalSeconds: 'whole',
  floorPrice: 'amount',
  incrementSteps: 'steps',
  bidSteps: 'ladder',
  incrementPercent: 'percent',
  maximumBidIncrement: 'amount',
  reservePrice: 'amount',
  buyNowPrice: 'amount',
  startTime: 'time',
  endTime: 'time',
  windowSeconds: 'minutes',
  extensionSeconds: 'minutes',
  latestEndTime: 'time',
  registerId: 'whole',
  // These are of registers.
  admissionText: 'note',
  limit: 'amount',
  paddle: 'text',
  reason: 'text',
  // These are of sales.
  firstEndTime: 'time',
  lotsPerInterval: 'whole',
  ownerId: 'whole',
  duration: 'whole',
  lots: 'text',
})

const currencies =
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF INR JPY MXN NOK NZD PLN RON SEK SGD THB TRY USD ZAR'.split(' ')

/** The text of the label of an input. @param {string} name */
export const labelOf = (name) => /** @type {'fieldTitle'} */ (`field${name[0]?.toUpperCase()}${name.slice(1)}`)

const inputs = /** @type {Record<string, { type?: string, mode?: string, min?: string }>} */ ({
  whole: { type: 'number', mode: 'numeric', min: '1' },
  minutes: { type: 'number', mode: 'numeric', min: '1' },
  time: { type: 'datetime-local' },
  amount: { mode: 'decimal' },
  percent: { mode: 'decimal' },
})

/**
 * A labelled field with its error.
 * @param {Format} format @param {FieldName} name @param {string | undefined} error
 * @param {{ value?: string | undefined, isRequired?: boolean, label?: string, list?: string }} [options] `value` is what the field shows at first,
 *   and `list` the id of what it suggests.
 */
export function fieldView(format, name, error, { value = '', isRequired = false, label, list } = {}) {
  const kind = kinds[name]
  const { type = 'text', mode, min } = inputs[kind] ?? {}
  const isWrong = error !== undefined
  const lines = { lines: 10_000, note: 500, steps: 2_000, ladder: 4_000, urls: 5_000 }[String(kind)]
  const input =
    lines === undefined
      ? html`<input name=${name} type=${type} inputmode=${mode ?? nothing} min=${min ?? nothing} ?required=${isRequired}
          value=${value} autocomplete="off" list=${name === 'currency' ? 'currencies' : (list ?? nothing)} aria-invalid=${isWrong} aria-describedby=${isWrong ? `error-${name}` : nothing}>${name === 'currency' ? currenciesView(format) : nothing}`
      : html`<textarea name=${name} rows="3" maxlength=${lines} .defaultValue=${value} aria-invalid=${isWrong}
          aria-describedby=${isWrong ? `error-${name}` : nothing}></textarea>`
  return html`
    <div class="field">
      <label>${label ?? format.text(labelOf(name))} ${input}</label>
      ${errorView(name, error)}
    </div>`
}

/** Currencies to choose from; the field takes others, too. @param {Format} format */
function currenciesView({ language }) {
  const names = new Intl.DisplayNames(language, { type: 'currency' })
  return html`<datalist id="currencies">${currencies.map((code) => html`<option value=${code}>${names.of(code)}</option>`)}</datalist>`
}

/** @param {string} name @param {string | undefined} error */
export const errorView = (name, error) =>
  error === undefined ? nothing : html`<p class="problem" id="error-${name}">${error}</p>`

/** What the fields show of an auction. @param {Format} format @param {Auction} auction @returns {Record<FieldName, string>} */
export function textsOf(format, auction) {
  const { currency, metadata } = auction
  const pictureUrls = pictureNames.flatMap((name) => metadata?.[name] ?? []).join('\n')
  /** @type {Record<string, any>} */
  const values = { ...auction, ...nestedIn(auction), pictureUrls }
  const texts = Object.entries(kinds).map(([name, kind]) => [name, textOf(format, kind, values[name], currency)])
  return Object.fromEntries(texts)
}

/** The fields that an auction has within a member. @param {Auction} auction */
export function nestedIn(auction) {
  const { nested } = sellingOf(auction)
  return nested && /** @type {object | undefined} */ (auction[nested.member])
}

/** The text of a value that `readField` reads. @param {Format} format @param {typeof kinds[FieldName]} kind @param {any} value @param {string} currency */
function textOf(format, kind, value, currency) {
  const amount = (/** @type {number} */ each) => format.editable(each, currency)
  const lines = (/** @type {(row: any) => string} */ line) => value.map(line).join('\n')
  if (value == null) return ''
  if (kind === 'amount') return amount(value)
  if (kind === 'percent') return format.editable(value, percentCurrency)
  if (kind === 'time') return localTime(Date.parse(value))
  if (kind === 'minutes') return String(value / 60)
  if (kind === 'steps') return lines(({ fromPrice, increment }) => `${amount(fromPrice)}: ${amount(increment)}`)
  if (kind === 'ladder')
    return lines(({ fromPrice, amounts }) => `${amount(fromPrice)}: ${amounts.map(amount).join(' ')}`)
  return String(value)
}

/** A percentage has two decimal places, as amounts of this currency have. */
const percentCurrency = 'USD'

/** A text as a form has it: a browser changes line ends, and spaces around it do not count. @param {unknown} text */
export const typed = (text) =>
  String(text ?? '')
    .replaceAll(/\r\n?/g, '\n')
    .trim()

/** The value of a field that is not empty, as the API expects it. @param {Format} format @param {FieldName} name @param {string} text @param {string} currency @returns {Reading} */
export function readField(format, name, text, currency) {
  const kind = kinds[name]
  /** @param {unknown} value @param {'enterPercent' | 'enterWhole' | 'enterUrls' | 'enterSteps' | 'enterLadder'} error @returns {Reading} */
  const orError = (value, error) => (value === undefined ? { error: format.text(error, { currency }) } : { value })
  if (kind === 'amount') {
    const error = format.amountProblem(text, currency)
    return error === undefined ? { value: format.parse(text, currency) } : { error }
  }
  if (kind === 'percent') return orError(format.parse(text, percentCurrency), 'enterPercent')
  if (kind === 'steps') return orError(stepsIn(format, text, currency), 'enterSteps')
  if (kind === 'ladder') return orError(ladderIn(format, text, currency), 'enterLadder')
  if (kind === 'urls') return orError(urlsIn(text), 'enterUrls')
  if (kind === 'whole' || kind === 'minutes') {
    const whole = Number(text)
    return orError(
      Number.isFinite(whole) ? (kind === 'minutes' ? Math.round(whole * 60) : whole) : undefined,
      'enterWhole',
    )
  }
  if (kind !== 'time') return { value: name === 'currency' ? text.toUpperCase() : text }
  const time = parseLocalTime(text)
  return 'ms' in time ? { value: new Date(time.ms).toISOString() } : { error: format.text(time.error) }
}

/** Each line has the https address of a picture. @param {string} text */
function urlsIn(text) {
  const urls = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return urls.length <= pictureNames.length && urls.every((url) => pictureUrl(url) !== undefined) ? urls : undefined
}

/** The metadata that are these pictures. @param {unknown} urls @returns {Record<string, string>} */
export const metadataOf = (urls) =>
  Object.fromEntries((Array.isArray(urls) ? urls : []).map((url, at) => [pictureNames[at], url]))

/** Each line has a price and its increment. @param {Format} format @param {string} text @param {string} currency */
function stepsIn(format, text, currency) {
  const lines = text.split('\n').map((line) => line.split(':').map((part) => format.parse(part, currency)))
  if (lines.some((step) => step.length !== 2 || step.includes(undefined))) return undefined
  return lines.map(([fromPrice, increment]) => ({ fromPrice, increment }))
}

/** Each line has a price and what is added to it. @param {Format} format @param {string} text @param {string} currency */
function ladderIn(format, text, currency) {
  const rows = text.split('\n').map((line) => {
    const [price = '', amounts = '', ...others] = line.split(':')
    const parsed = amounts
      .trim()
      .split(/\s+/)
      .map((amount) => format.parse(amount, currency))
    return { fromPrice: others.length > 0 ? undefined : format.parse(price, currency), amounts: parsed }
  })
  return rows.some(({ fromPrice, amounts }) => [fromPrice, ...amounts].includes(undefined)) ? undefined : rows
}

/** The errors of fields whose text is no value, such as a date without a time: their value is empty. @param {Format} format @param {HTMLFormElement} form */
export const incompleteIn = (format, form) =>
  Object.fromEntries(
    [...form.querySelectorAll('input')]
      .filter(({ validity }) => validity.badInput)
      .map(({ name, type }) => [name, format.text(type === 'number' ? 'enterWhole' : 'enterTime')]),
  )

/** The fields of a form below a summary. @param {string} summary @param {unknown} fields @param {boolean} isOpen */
export const moreView = (summary, fields, isOpen) => html`
  <details ?open=${isOpen}><summary><span>${summary}</span></summary>${fields}</details>`
