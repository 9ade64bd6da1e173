import { defined } from '../../../values/defined.ts'
import { type Currency, exactMinor, toDecimal } from '../../../values/money.ts'
import { fieldsFrom, storedFrom } from '../../common-terms.ts'
import { toBidSteps } from './bid-steps.ts'
import type { Fields } from './fields.ts'
import { toBasisPoints, toPercent } from './prices.ts'
import type { EnglishAuction, EnglishTerms } from './terms.ts'

/** Fields with an amount in the currency of the auction. */
const amounts = ['startingPrice', 'minimumBidIncrement', 'reservePrice', 'buyNowPrice', 'maximumBidIncrement']

/** Converts the fields to those of an auction: amounts in minor units, without missing ones. */
export function storedFieldsOf({ incrementSteps, incrementPercent, bidSteps, onlySteps, ...fields }: Fields) {
  const increments = defined({
    incrementSteps: incrementSteps?.map(({ fromPrice, increment }) => ({
      fromPriceMinor: exactMinor(fromPrice, fields.currency),
      incrementMinor: exactMinor(increment, fields.currency),
    })),
    incrementBasisPoints: incrementPercent == null ? undefined : toBasisPoints(incrementPercent),
    bidSteps: bidSteps == null ? undefined : toBidSteps(bidSteps, fields.currency),
    onlySteps: onlySteps === true ? onlySteps : undefined,
  })
  // The cast: these fields are those of an auction.
  return { ...storedFrom(fields, amounts), ...increments } as Omit<EnglishAuction, 'id' | 'createdAtMs'>
}

/** The fields from which `storedFieldsOf` makes terms. */
export function fieldsOf({
  incrementSteps,
  incrementBasisPoints,
  bidSteps,
  ...terms
}: Omit<EnglishTerms, 'id' | 'ownerId'> & { readonly currency: Currency }): Partial<Fields> {
  const { currency } = terms
  const increments = defined({
    incrementSteps: incrementSteps?.map(({ fromPriceMinor, incrementMinor }) => ({
      fromPrice: toDecimal(fromPriceMinor, currency),
      increment: toDecimal(incrementMinor, currency),
    })),
    incrementPercent: incrementBasisPoints === undefined ? undefined : toPercent(incrementBasisPoints),
    bidSteps: bidSteps?.map(({ fromPriceMinor, amountsMinor }) => ({
      fromPrice: toDecimal(fromPriceMinor, currency),
      amounts: amountsMinor.map((amountMinor) => toDecimal(amountMinor, currency)),
    })),
  })
  return { ...fieldsFrom(terms, amounts), ...increments } as Partial<Fields> // Decimals that convert back.
}
