// Amounts of the API are JSON numbers that print as exact decimals: below 10^15 minor units, 15 digits, which a double keeps. They are
// calculated as whole minor units, and shown and parsed as text.

/** The currencies whose exponent in ISO 4217 is not 2, by exponent. The exponents of Intl differ for some, such as IQD. */
const otherExponents = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}
const exponents = new Map(
  Object.entries(otherExponents).flatMap(([exponent, codes]) =>
    codes.split(' ').map((code) => /** @type {const} */ ([code, Number(exponent)])),
  ),
)

/** The number of decimal places of a currency. @param {string} currency */
export const exponentOf = (currency) => exponents.get(currency) ?? 2

const limitMinor = 10n ** 15n

/** An amount in minor units. @param {number} amount Of the API. @param {string} currency */
export function toMinor(amount, currency) {
  const [whole = '', fraction = ''] = String(amount).split('.')
  return BigInt(whole + fraction.padEnd(exponentOf(currency), '0'))
}

/** An amount as the API expects it. @param {bigint} minor @param {string} currency */
export const fromMinor = (minor, currency) => Number(decimalText(minor, exponentOf(currency)))

/** @param {bigint} minor @param {number} exponent @returns {`${number}`} */
function decimalText(minor, exponent) {
  const digits = String(minor).padStart(exponent + 1, '0')
  const at = digits.length - exponent
  return /** @type {`${number}`} */ (exponent === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`)
}

/** Whether an amount is more than ten times another. @param {number} amount @param {number} other @param {string} currency */
export const isMuchMore = (amount, other, currency) => toMinor(amount, currency) > 10n * toMinor(other, currency)

/** An amount in the words of the reader. @param {number} amount @param {string} currency @param {string} [locale] */
export function formatMoney(amount, currency, locale) {
  const digits = exponentOf(currency)
  return formatOf(currency, locale).format(decimalText(toMinor(amount, currency), digits))
}

/** Kept, because a format costs a hundred times as much as its use. The number of currencies limits them. @type {Map<string, Intl.NumberFormat>} */
const formats = new Map()

/** @param {string} currency @param {string | undefined} locale */
function formatOf(currency, locale) {
  const key = `${currency} ${locale}`
  const digits = exponentOf(currency)
  const style = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, { style: 'currency', currency, ...style })
  formats.set(key, format)
  return format
}

/** An amount to edit, which `parseAmount` reads. @param {number} amount @param {string} currency @param {string} [locale] */
export function editableAmount(amount, currency, locale) {
  const digits = exponentOf(currency)
  const format = new Intl.NumberFormat(locale, { useGrouping: false, minimumFractionDigits: digits })
  return format.format(decimalText(toMinor(amount, currency), digits))
}

/**
 * The amount that a reader typed; undefined if it is not an exact amount of the currency. Separators of thousands must be where the locale
 * has them, so that a comma for a point is an error and not a hundred times the amount.
 * @param {string} text
 * @param {string} currency
 * @param {string} [locale]
 */
export function parseAmount(text, currency, locale) {
  const { group, decimal, digits } = signsOf(locale)
  const plain = [...text.trim()].map((sign) => (digits.includes(sign) ? digits.indexOf(sign) : sign)).join('')
  const spaced = plain.replaceAll(/\s/g, ' ')
  const point = spaced.includes(decimal) || group === '.' ? decimal : '.'
  const [whole = '', fraction = '', ...more] = spaced.split(point)
  const joined = whole.replaceAll(group, '')
  if (more.length > 0 || !/^\d{1,15}$/.test(joined) || !/^\d*$/.test(fraction)) return undefined
  if (whole !== joined && whole !== grouped(joined, locale, group)) return undefined
  if (fraction.length > exponentOf(currency)) return undefined
  const minor = BigInt(joined + fraction.padEnd(exponentOf(currency), '0'))
  return minor < limitMinor ? fromMinor(minor, currency) : undefined
}

/** @param {string} digits @param {string | undefined} locale @param {string} group */
function grouped(digits, locale, group) {
  const parts = new Intl.NumberFormat(locale, { useGrouping: 'always' }).formatToParts(BigInt(digits))
  const signs = signsOf(locale).digits
  const text = parts.map(({ type, value }) => (type === 'group' ? group : value)).join('')
  return [...text].map((sign) => (signs.includes(sign) ? signs.indexOf(sign) : sign)).join('')
}

/** @param {string} [locale] */
function signsOf(locale) {
  const parts = new Intl.NumberFormat(locale, { useGrouping: 'always' }).formatToParts(1234.5)
  /** @param {string} wanted @param {string} other */
  const sign = (wanted, other) => parts.find(({ type }) => type === wanted)?.value.replace(/\s/, ' ') ?? other
  const digits = [...new Intl.NumberFormat(locale, { useGrouping: false }).format(9876543210)].reverse()
  return { group: sign('group', ','), decimal: sign('decimal', '.'), digits }
}
