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

/** Kept, because a format costs a hundred times as much as its use. */
const formats = new Map<string, Intl.NumberFormat>()
const maxFormats = 1_000

function formatOf(currency: string, locale: string | undefined): Intl.NumberFormat {
  const key = `${currency} ${locale}`
  const digits = exponentOf(currency)
  const style = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, { style: 'currency', currency, ...style })
  if (formats.size >= maxFormats) formats.clear()
  formats.set(key, format)
  return format
}

/** An amount as text to edit, which `parseAmount` reads. It has the decimal sign of `formatAmount`. */
export const editableAmount = (amount: number, currency: string, locale?: string): string =>
  formatOf(currency, locale)
    .formatToParts(decimalText(minorOf(amount, currency), exponentOf(currency)))
    .map(({ type, value }) => (/^(integer|decimal|fraction)$/.test(type) ? value : ''))
    .join('')

/**
 * The amount that a reader typed, or that `formatAmount` has written; undefined if it is not an exact amount of the currency. Separators of
 * thousands must be where the locale has them, so that a comma for a point is an error and not a hundred times the amount.
 */
export function parseAmount(text: string, currency: string, locale?: string): number | undefined {
  const amounts = readerOf({ style: 'currency', currency }, locale)
  const numbers = readerOf({}, locale)
  let number = amounts.plain(text)
  for (const mark of [amounts.symbol, currency]) {
    if (number.startsWith(mark)) number = number.slice(mark.length).trim()
    else if (number.endsWith(mark)) number = number.slice(0, -mark.length).trim()
  }
  // In some locales, such as de-AT, amounts have other separators than numbers. Those of numbers are read, too, unless the text has one of
  // amounts that means something else in numbers.
  const isPlain = (['decimal', 'group'] as const).every(
    (kind) => numbers[kind] === amounts[kind] || !number.includes(amounts[kind]),
  )
  const minor = minorIn(number, currency, amounts) ?? (isPlain ? minorIn(number, currency, numbers) : undefined)
  return minor === undefined ? undefined : amountOf(minor, currency)
}

type Reader = ReturnType<typeof readerOf>

function minorIn(number: string, currency: string, { decimal, group, grouped }: Reader): bigint | undefined {
  const point = number.includes(decimal) || group === '.' ? decimal : '.'
  const [whole = '', fraction = '', ...more] = number.split(point)
  const joined = whole.replaceAll(group, '')
  if (more.length > 0 || !/^\d{1,15}$/.test(joined) || !/^\d*$/.test(fraction)) return undefined
  if (whole !== joined && whole !== grouped(joined)) return undefined
  if (fraction.length > exponentOf(currency)) return undefined
  const minor = BigInt(joined + fraction.padEnd(exponentOf(currency), '0'))
  return minor < limitMinor ? minor : undefined
}

/** The signs of a locale, for amounts of a currency or for numbers. */
function readerOf(style: Intl.NumberFormatOptions, locale: string | undefined) {
  const format = new Intl.NumberFormat(locale, { ...style, useGrouping: 'always', minimumFractionDigits: 1 })
  const digits = [...new Intl.NumberFormat(locale, { useGrouping: false }).format(9876543210)].reverse()
  /** With the digits 0 to 9, simple spaces and apostrophes, and without marks of direction. */
  const plain = (text: string): string =>
    [...text.replaceAll(/\p{Cf}/gu, '')]
      .map((sign) => (digits.includes(sign) ? digits.indexOf(sign) : sign))
      .join('')
      .replaceAll(/\s/g, ' ')
      .replaceAll('’', "'")
      .trim()
  const parts = format.formatToParts(1234.5)
  const sign = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? ''
  return {
    plain,
    symbol: plain(sign('currency')),
    decimal: plain(sign('decimal')),
    // Not by `plain`, which would remove a space.
    group: sign('group').replace(/\s/, ' ').replace('’', "'"),
    grouped: (whole: string): string =>
      plain(
        format
          .formatToParts(BigInt(whole))
          .map(({ type, value }) => (type === 'integer' || type === 'group' ? value : ''))
          .join(''),
      ),
  }
}
