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
    codes.split(' ').map((code) => [code, Number(exponent)] as const),
  ),
)

const limitMinor = 10n ** 15n

/** The number of decimal places of a currency, by ISO 4217. */
export const exponentOf = (currency: string): number => exponents.get(currency) ?? 2

/** The exact minor units of an amount of the API: 110n for 1.1 USD. @throws RangeError if the currency has fewer decimal places */
export function minorOf(amount: number, currency: string): bigint {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(String(amount)) ?? []
  const exponent = exponentOf(currency)
  if (whole === undefined || fraction.length > exponent)
    throw new RangeError(`${amount} is not an amount of ${currency}`)
  return BigInt(whole + fraction.padEnd(exponent, '0'))
}

/** The amount for the API: 1.1 for 110n cents. */
export const amountOf = (minor: bigint, currency: string): number => Number(decimalText(minor, exponentOf(currency)))

function decimalText(minor: bigint, exponent: number): `${number}` {
  const digits = String(minor).padStart(exponent + 1, '0')
  const at = digits.length - exponent
  // The cast: both parts are digits.
  return (exponent === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`) as `${number}`
}

/** An amount in the words of the reader, exactly. @param locale by default that of the device */
export const formatAmount = (amount: number, currency: string, locale?: string): string =>
  formatOf(currency, locale).format(decimalText(minorOf(amount, currency), exponentOf(currency)))

/** Kept, because a format costs a hundred times as much as its use. Currencies and locales of a program limit their number. */
const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string, locale: string | undefined): Intl.NumberFormat {
  const key = `${currency} ${locale}`
  const digits = exponentOf(currency)
  const style = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, { style: 'currency', currency, ...style })
  formats.set(key, format)
  return format
}

/** An amount as text to edit, which `parseAmount` reads. */
export function editableAmount(amount: number, currency: string, locale?: string): string {
  const digits = exponentOf(currency)
  const format = new Intl.NumberFormat(locale, { useGrouping: false, minimumFractionDigits: digits })
  return format.format(decimalText(minorOf(amount, currency), digits))
}

/**
 * The amount that a reader typed; undefined if it is not an exact amount of the currency. Separators of thousands must be where the locale
 * has them, so that a comma for a point is an error and not a hundred times the amount.
 */
export function parseAmount(text: string, currency: string, locale?: string): number | undefined {
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
  return minor < limitMinor ? amountOf(minor, currency) : undefined
}

function grouped(digits: string, locale: string | undefined, group: string): string {
  const parts = new Intl.NumberFormat(locale, { useGrouping: 'always' }).formatToParts(BigInt(digits))
  const signs = signsOf(locale).digits
  const text = parts.map(({ type, value }) => (type === 'group' ? group : value)).join('')
  return [...text].map((sign) => (signs.includes(sign) ? signs.indexOf(sign) : sign)).join('')
}

function signsOf(locale: string | undefined) {
  const parts = new Intl.NumberFormat(locale, { useGrouping: 'always' }).formatToParts(1234.5)
  const sign = (wanted: string, other: string) =>
    parts.find(({ type }) => type === wanted)?.value.replace(/\s/, ' ') ?? other
  const digits = [...new Intl.NumberFormat(locale, { useGrouping: false }).format(9876543210)].reverse()
  return { group: sign('group', ','), decimal: sign('decimal', '.'), digits }
}
