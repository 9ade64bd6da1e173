import * as v from 'valibot'
import { type AmountMinor, type Decimal, maxExponent, toMinorAt } from './money.ts'
import { checkedValue } from './parsing.ts'

const rule = (least: string) =>
  `must be a JSON number ${least}, with no more decimal places than the currency has, and below 10^15 minor units`

// Checks every exponent, because an auction may have a currency that the table no longer contains.
const allExponents = Array.from({ length: maxExponent + 1 }, (_, exponent) => exponent)
const isExactSomewhere = (decimal: number): boolean =>
  allExponents.some((exponent) => toMinorAt(decimal, exponent) !== undefined)

/** An amount before its currency is known: a JSON number that is exact in at least one currency. */
export const NonNegativeDecimal = v.pipe(
  v.number(rule('of at least 0')),
  v.metadata({ minimum: 0, exclusiveMaximum: 1e15 }),
  v.check((decimal) => decimal >= 0 && isExactSomewhere(decimal), rule('of at least 0')),
  v.brand('Decimal'),
)

export const PositiveDecimal = v.pipe(
  v.number(rule('above 0')),
  v.metadata({ exclusiveMinimum: 0, exclusiveMaximum: 1e15 }),
  v.check((decimal) => decimal > 0 && isExactSomewhere(decimal), rule('above 0')),
  v.brand('Decimal'),
)

/** The amount of a bid, before its currency is known. @throws InvalidValueError if it is not exact in any currency */
export const toPositiveDecimal = (decimal: number): Decimal => checkedValue(PositiveDecimal, decimal, 'an amount')

/** Stored minor units: any that a JSON number represents exactly, regardless of the current limit for new amounts. */
export const StoredAmountMinor = v.pipe(
  v.number(),
  v.safeInteger(),
  v.minValue(0),
  v.maxValue(1e15 - 1),
  v.transform((minor) => minor as AmountMinor), // Checked by the lines above.
)
