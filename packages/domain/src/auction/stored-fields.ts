import { defined } from '../values/defined.ts'
import { type AmountMinor, type Decimal, exactMinor, toDecimal } from '../values/money.ts'
import type { NewAuction, Terms } from './auction.ts'
import { isAmountField } from './auction-rules.ts'
import { toBasisPoints, toPercent } from './increments.ts'
import type { Fields } from './new-auction-fields.ts'

/** Converts the fields to those of an auction: amounts in minor units, without missing ones. */
export function storedFieldsOf({ incrementSteps, incrementPercent, ...fields }: Fields): NewAuction {
  const present = Object.entries(fields).filter(([, value]) => value != null)
  const converted = present.map(([name, value]) => {
    if (!isAmountField(name)) return [name, value]
    return [`${name}Minor`, exactMinor(value as Decimal, fields.currency)] // An amount, by its name.
  })
  const increments = defined({
    incrementSteps: incrementSteps?.map(({ fromPrice, increment }) => ({
      fromPriceMinor: exactMinor(fromPrice, fields.currency),
      incrementMinor: exactMinor(increment, fields.currency),
    })),
    incrementBasisPoints: incrementPercent == null ? undefined : toBasisPoints(incrementPercent),
  })
  return { ...Object.fromEntries(converted), ...increments } as NewAuction // These fields are those of an auction.
}

/** The fields from which `storedFieldsOf` makes terms. */
export function fieldsOf({
  incrementSteps,
  incrementBasisPoints,
  ...terms
}: Omit<Terms, 'id' | 'ownerId'>): Partial<Fields> {
  const { currency } = terms
  const converted = Object.entries(terms).map(([name, value]) => {
    const field = name.replace(/Minor$/, '')
    return isAmountField(field) ? [field, toDecimal(value as AmountMinor, currency)] : [name, value] // An amount, by its name.
  })
  const increments = defined({
    incrementSteps: incrementSteps?.map(({ fromPriceMinor, incrementMinor }) => ({
      fromPrice: toDecimal(fromPriceMinor, currency),
      increment: toDecimal(incrementMinor, currency),
    })),
    incrementPercent: incrementBasisPoints === undefined ? undefined : toPercent(incrementBasisPoints),
  })
  return { ...Object.fromEntries(converted), ...increments }
}
