import * as currencies from 'dinero.js/currencies'
import * as v from 'valibot'

/** An amount of money: a whole number of the currency's minor units (cents for USD), at least 0, below 10^15. */
export type AmountMinor = number & v.Brand<'AmountMinor'>

/** The smallest amount there is above nothing. */
export const ONE_MINOR = 1 as AmountMinor // A whole number of minor units by being 1.

/** Amounts stay below 10^15 minor units: 15 digits, which a JSON number holds exactly. */
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

/**
 * A currency as it was when something was priced in it. The exponent stays with what is stored, so that a code which ISO 4217
 * withdraws, or gives other decimals, changes no price. Only this file makes one: frozen, and each but once.
 */
export type Currency = {
  /** Three capital letters (ISO 4217). */
  readonly code: string
  /** How many decimals its amounts have (ISO 4217 "minor unit"): 0 for JPY, 2 for USD, 3 for KWD. */
  readonly exponent: number
} & v.Brand<'Currency'>

/** The most decimals that ISO 4217 has given a currency. */
const maxExponent = 4

const known = new Map<string, Currency>()

function currencyOf(code: string, exponent: number): Currency {
  const name = `${code} ${exponent}`
  const before = known.get(name)
  if (before !== undefined) return before
  const currency = Object.freeze({ code, exponent }) as Currency // The one place where a code and an exponent become one.
  known.set(name, currency)
  return currency
}

const currencyRule = 'must be an active ISO 4217 currency code in upper case, such as "USD"'

/** A code that is offered, which today's table must have. */
export const CurrencyCode = v.pipe(
  v.string(currencyRule),
  v.rawTransform(({ dataset, addIssue, NEVER }): Currency => {
    const exponent = exponents.get(dataset.value)
    if (exponent !== undefined) return currencyOf(dataset.value, exponent)
    addIssue({ message: currencyRule })
    return NEVER
  }),
)

/** A currency from a store, which may have left today's table, or stand there with another exponent. */
export const StoredCurrency = v.pipe(
  v.object({
    code: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
    exponent: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxExponent)),
  }),
  v.transform(({ code, exponent }) => currencyOf(code, exponent)),
)

/** Whether an amount of one is an amount of the other. */
export const isSameCurrency = (a: Currency, b: Currency): boolean => a.code === b.code && a.exponent === b.exponent

/**
 * The minor units that a JSON number is worth, exactly, or undefined when it has more decimals than the currency or is
 * out of bounds. Nothing is rounded: division is correctly rounded (IEEE 754), so `minor / 10^exponent` is the double that
 * the exact decimal is read as, and the number is that decimal if and only if the two are equal.
 */
export function toMinor(decimal: number, currency: Currency): AmountMinor | undefined {
  return toMinorAt(decimal, currency.exponent)
}

function toMinorAt(decimal: number, exponent: number): AmountMinor | undefined {
  const scale = 10 ** exponent
  const minor = Math.round(decimal * scale)
  if (!(minor >= 0 && minor < AMOUNT_LIMIT_MINOR) || minor / scale !== decimal) return undefined
  return (minor === 0 ? 0 : minor) as AmountMinor // The one place where a decimal becomes minor units; -0 becomes 0.
}

/** The JSON number that prints as the exact decimal of the amount. */
export function toDecimal(amountMinor: AmountMinor, currency: Currency): number {
  return amountMinor / 10 ** currency.exponent
}

/** Minor units from a store: any that a JSON number holds exactly, whatever the limit for new amounts is by now. */
export const StoredAmountMinor = v.pipe(
  v.number(),
  v.safeInteger(),
  v.minValue(0),
  v.maxValue(1e15 - 1),
  v.transform((minor) => minor as AmountMinor), // Checked by the lines above.
)

/** The sum of two amounts, or undefined when that is more than an amount can be. */
export function addAmounts(a: AmountMinor, b: AmountMinor): AmountMinor | undefined {
  const sum = a + b // Exact, since both are below 10^15.
  return sum < AMOUNT_LIMIT_MINOR ? (sum as AmountMinor) : undefined // Checked in this line.
}

const decimalRule = (least: string) =>
  `must be a JSON number ${least}, with no more decimals than the currency has, and below 10^15 of its minor units`

// Of any exponent there has been: an auction may be of a currency that the table has lost.
const allExponents = Array.from({ length: maxExponent + 1 }, (_, exponent) => exponent)
const isExactSomewhere = (decimal: number): boolean =>
  allExponents.some((exponent) => toMinorAt(decimal, exponent) !== undefined)

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
export const notInCurrency = (decimal: number, { code, exponent }: Currency): string =>
  `${decimal} is not an exact amount in ${code}, which has ${exponent} decimals and stays below 10^15 minor units`
