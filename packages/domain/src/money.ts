import type * as v from 'valibot'
import { InvalidValueError } from './invalid-value.ts'

// What a decision needs of money, and no more: neither the table of currencies nor the schemas of what is offered and stored.

/** An amount of money: a whole number of the currency's minor units (cents for USD), at least 0, below 10^15. */
export type AmountMinor = number & v.Brand<'AmountMinor'>

/** The smallest amount there is above nothing. */
export const ONE_MINOR = 1 as AmountMinor // A whole number of minor units by being 1.

/** Amounts stay below 10^15 minor units: 15 digits, which a JSON number holds exactly. */
export const AMOUNT_LIMIT_MINOR = 1e15

/** An amount as people write it, before its currency is known: a JSON number that is exact in at least one currency. */
export type Decimal = number & v.Brand<'Decimal'>

/**
 * A currency as it was when something was priced in it. The exponent stays with what is stored, so that a code which ISO 4217
 * withdraws, or gives other decimals, changes no price. Only `currency.ts` makes one: frozen, and each but once.
 */
export type Currency = {
  /** Three capital letters (ISO 4217). */
  readonly code: string
  /** How many decimals its amounts have (ISO 4217 "minor unit"): 0 for JPY, 2 for USD, 3 for KWD. */
  readonly exponent: number
} & v.Brand<'Currency'>

/** The most decimals that ISO 4217 has given a currency. */
export const maxExponent = 4

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

/** The minor units that a JSON number is worth in a currency of so many decimals, as `toMinor` returns them. */
export function toMinorAt(decimal: number, exponent: number): AmountMinor | undefined {
  const scale = 10 ** exponent
  const minor = Math.round(decimal * scale)
  if (!(minor >= 0 && minor < AMOUNT_LIMIT_MINOR) || minor / scale !== decimal) return undefined
  return (minor === 0 ? 0 : minor) as AmountMinor // The one place where a decimal becomes minor units; -0 becomes 0.
}

/**
 * The minor units that a JSON number is worth, for code that knows it to be exact: `exactMinor(102.5, toCurrency('USD'))` is 10,250.
 * @throws InvalidValueError where `toMinor` returns undefined
 */
export function exactMinor(decimal: number, currency: Currency): AmountMinor {
  const minor = toMinor(decimal, currency)
  if (minor === undefined) throw new InvalidValueError(notInCurrency(decimal, currency))
  return minor
}

/** An amount of so many minor units. @throws InvalidValueError when that is no whole number, below 0, or 10^15 or more */
export function toAmountMinor(units: number): AmountMinor {
  if (Number.isInteger(units) && units >= 0 && units < AMOUNT_LIMIT_MINOR)
    return (units === 0 ? 0 : units) as AmountMinor
  throw new InvalidValueError(`an amount must be a whole number of minor units from 0 on, below 10^15, and is ${units}`)
}

/** The JSON number that prints as the exact decimal of the amount. */
export function toDecimal(amountMinor: AmountMinor, currency: Currency): number {
  return amountMinor / 10 ** currency.exponent
}

/** The sum of two amounts, or undefined when that is more than an amount can be. */
export function addAmounts(a: AmountMinor, b: AmountMinor): AmountMinor | undefined {
  const sum = a + b // Exact, since both are below 10^15.
  return sum < AMOUNT_LIMIT_MINOR ? (sum as AmountMinor) : undefined // Checked in this line.
}

/** Says why `toMinor` took a decimal for no amount of the currency. */
export const notInCurrency = (decimal: number, currency: Currency): string => `${decimal} ${isInexactIn(currency)}`

/** The same of a decimal that is not repeated, as it is a secret. */
export const isInexactIn = ({ code, exponent }: Currency): string =>
  `is not an exact amount in ${code}, which has ${exponent} decimals and stays below 10^15 minor units`
