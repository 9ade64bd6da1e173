import type * as v from 'valibot'
import { InvalidValueError } from './validation.ts'

// The part of money that decisions need, without the currency table and the schemas.

/** An amount of money: a whole number of the currency's minor units (cents for USD), at least 0, below 10^15. */
export type AmountMinor = number & v.Brand<'AmountMinor'>

export const ONE_MINOR = 1 as AmountMinor // Within the limits of an amount.

/** Amounts are below 10^15 minor units: 15 digits, which a JSON number represents exactly. */
export const AMOUNT_LIMIT_MINOR = 1e15

/** A decimal amount before its currency is known: a JSON number that is exact in at least one currency. */
export type Decimal = number & v.Brand<'Decimal'>

/**
 * A currency at the time of a price. The exponent is stored with the price, so changes of ISO 4217 do not change it.
 * Only `currency.ts` creates currencies: one frozen object each.
 */
export type Currency = {
  /** Three capital letters (ISO 4217). */
  readonly code: string
  /** How many decimals its amounts have (ISO 4217 "minor unit"): 0 for JPY, 2 for USD, 3 for KWD. */
  readonly exponent: number
} & v.Brand<'Currency'>

/** The highest number of decimals of an ISO 4217 currency. */
export const maxExponent = 4

export const isSameCurrency = (a: Currency, b: Currency): boolean => a.code === b.code && a.exponent === b.exponent

/**
 * Converts a JSON number to minor units. Returns undefined if it has more decimals than the currency or is out of
 * range. The result is exact: division is correctly rounded (IEEE 754), so `minor / 10^exponent` is the double that the
 * exact decimal parses to, and the number is that decimal if and only if both are equal.
 */
export const toMinor = (decimal: number, currency: Currency): AmountMinor | undefined =>
  toMinorAt(decimal, currency.exponent)

/** Like `toMinor`, for a number of decimals. */
export function toMinorAt(decimal: number, exponent: number): AmountMinor | undefined {
  const scale = 10 ** exponent
  const minor = Math.round(decimal * scale)
  if (!(minor >= 0 && minor < AMOUNT_LIMIT_MINOR) || minor / scale !== decimal) return undefined
  return (minor === 0 ? 0 : minor) as AmountMinor // The only conversion to minor units. It turns -0 into 0.
}

/**
 * Converts an exact JSON number to minor units: `exactMinor(102.5, toCurrency('USD'))` is 10,250.
 * @throws InvalidValueError if `toMinor` returns undefined
 */
export function exactMinor(decimal: number, currency: Currency): AmountMinor {
  const minor = toMinor(decimal, currency)
  if (minor === undefined) throw new InvalidValueError(notInCurrency(decimal, currency))
  return minor
}

/** The amount of a number of minor units. @throws InvalidValueError unless it is a whole number from 0, below 10^15 */
export function toAmountMinor(units: number): AmountMinor {
  if (Number.isInteger(units) && units >= 0 && units < AMOUNT_LIMIT_MINOR)
    return (units === 0 ? 0 : units) as AmountMinor
  throw new InvalidValueError(
    `an amount must be a whole number of minor units, at least 0 and below 10^15; got ${units}`,
  )
}

/** The JSON number that prints as the exact decimal amount. */
export const toDecimal = (amountMinor: AmountMinor, currency: Currency): number => amountMinor / 10 ** currency.exponent

/** The sum of two amounts, or undefined if it exceeds the limit. */
export function addAmounts(a: AmountMinor, b: AmountMinor): AmountMinor | undefined {
  const sum = a + b // Exact, since both are below 10^15.
  return sum < AMOUNT_LIMIT_MINOR ? (sum as AmountMinor) : undefined // Checked in this line.
}

/** The error message if `toMinor` returns undefined. */
export const notInCurrency = (decimal: number, currency: Currency): string => `${decimal} ${isInexactIn(currency)}`

/** The error message without the decimal, which may be secret. */
export const isInexactIn = ({ code, exponent }: Currency): string =>
  `is not a valid ${code} amount; it must have at most ${exponent} decimal places and be below 10^15 minor units`
