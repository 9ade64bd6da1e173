import * as currencies from 'dinero.js/currencies'
import * as v from 'valibot'

/** An amount of money: a whole number of the currency's minor units (cents for USD), at least 0, below 2 * 10^15. */
export type AmountMinor = number & v.Brand<'AmountMinor'>

/** The smallest amount there is above nothing. */
export const ONE_MINOR = 1 as AmountMinor // A whole number of minor units by being 1.

/** Amounts that people send stay below 10^15 minor units: 15 digits, which a JSON number holds exactly. */
export const AMOUNT_LIMIT_MINOR = 1e15

// Where the library's table and ISO 4217's list one differ, ISO 4217 decides.
const corrections = new Map<string, number | 'withdrawn'>([
  ['BGN', 'withdrawn'], // Bulgaria took the euro on 2026-01-01.
  ['MGA', 2], // The table has the ariary's and the ouguiya's fifths; ISO 4217 lists both with two decimals.
  ['MRU', 2],
])

const exponents = new Map<string, number>()
for (const { code, exponent } of Object.values(currencies)) {
  const corrected = corrections.get(code) ?? exponent
  if (corrected !== 'withdrawn') exponents.set(code, corrected)
}

/** The active ISO 4217 codes that have minor units, in alphabetical order. */
export const currencyCodes: readonly string[] = [...exponents.keys()].sort()

const currencyRule = 'must be an active ISO 4217 currency code in upper case, such as "USD"'

export const CurrencyCode = v.pipe(
  v.string(currencyRule),
  v.check((code) => exponents.has(code), currencyRule),
  v.brand('CurrencyCode'),
)
export type CurrencyCode = v.InferOutput<typeof CurrencyCode>

/** How many decimals the currency has (ISO 4217 "minor unit"): 0 for JPY, 2 for USD, 3 for KWD. */
export function currencyExponent(currency: CurrencyCode): number {
  const exponent = exponents.get(currency)
  if (exponent === undefined) throw new RangeError(`not a currency code: ${currency}`)
  return exponent
}

/**
 * The minor units that a JSON number is worth, exactly, or undefined when it has more decimals than the currency or is
 * out of bounds. Nothing is rounded: division is correctly rounded (IEEE 754), so `minor / 10^exponent` is the double that
 * the exact decimal is read as, and the number is that decimal if and only if the two are equal.
 */
export function toMinor(decimal: number, currency: CurrencyCode): AmountMinor | undefined {
  return toMinorAt(decimal, currencyExponent(currency))
}

function toMinorAt(decimal: number, exponent: number): AmountMinor | undefined {
  const scale = 10 ** exponent
  const minor = Math.round(decimal * scale)
  if (!(minor >= 0 && minor < AMOUNT_LIMIT_MINOR) || minor / scale !== decimal) return undefined
  return (minor === 0 ? 0 : minor) as AmountMinor // The one place where a decimal becomes minor units; -0 becomes 0.
}

/** The JSON number that prints as the exact decimal of the amount. */
export function toDecimal(amountMinor: AmountMinor, currency: CurrencyCode): number {
  return amountMinor / 10 ** currencyExponent(currency)
}

/** Minor units from a store: parsed again, since only `toMinor` makes them from a decimal. */
export const StoredAmountMinor = v.pipe(
  v.number(),
  v.safeInteger(),
  v.minValue(0),
  v.maxValue(AMOUNT_LIMIT_MINOR - 1),
  v.transform((minor) => minor as AmountMinor), // Checked by the lines above.
)

/** The sum of two amounts; the two are below 10^15, so it is exact. */
export const addAmounts = (a: AmountMinor, b: AmountMinor): AmountMinor => (a + b) as AmountMinor

const decimalRule = (least: string) =>
  `must be a JSON number ${least}, with no more decimals than the currency has, and below 10^15 of its minor units`

const exponentsInUse = [...new Set(exponents.values())]
const isExactSomewhere = (decimal: number): boolean =>
  exponentsInUse.some((exponent) => toMinorAt(decimal, exponent) !== undefined)

/** An amount before its currency is known: a JSON number that is exact in at least one currency. */
export const NonNegativeDecimal = v.pipe(
  v.number(decimalRule('of at least 0')),
  v.check((decimal) => decimal >= 0 && isExactSomewhere(decimal), decimalRule('of at least 0')),
  v.brand('Decimal'),
)

export const PositiveDecimal = v.pipe(
  v.number(decimalRule('above 0')),
  v.check((decimal) => decimal > 0 && isExactSomewhere(decimal), decimalRule('above 0')),
  v.brand('Decimal'),
)
export type Decimal = v.InferOutput<typeof PositiveDecimal>

/** Says why `toMinor` took a decimal for no amount of the currency. */
export function notInCurrency(decimal: number, currency: CurrencyCode): string {
  const decimals = currencyExponent(currency)
  return `${decimal} is not an exact amount in ${currency}, which has ${decimals} decimals and stays below 10^15 minor units`
}
