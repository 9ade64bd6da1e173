import * as v from 'valibot'
import { NonNegativeDecimal, PositiveDecimal } from '../../../values/amount.ts'
import { exactMinor, isInexactIn, toDecimal, toMinor } from '../../../values/money.ts'
import { missingField } from '../../../values/parsing.ts'
import * as common from '../../common-fields.ts'
import { fieldsFrom, storedFrom } from '../../common-terms.ts'
import { endsAfterStart, isExact, paddlesNeedRegister, type Rule, type Rules } from '../../rules.ts'
import type { FallingAuction, FallingTerms } from './terms.ts'

const leastSeconds = 5
const mostSeconds = 86_400
const secondsRule = `must be an integer from ${leastSeconds} to ${mostSeconds}, in seconds`

const Falling = v.object(
  {
    decrement: v.pipe(PositiveDecimal, v.description('The amount by which the price falls at each step.')),
    intervalSeconds: v.pipe(
      v.number(secondsRule),
      v.integer(secondsRule),
      v.minValue(leastSeconds, secondsRule),
      v.maxValue(mostSeconds, secondsRule),
      v.description('The time between two steps. The first step is this long after the start.'),
    ),
    floorPrice: v.pipe(
      NonNegativeDecimal,
      v.description('The lowest price, below `startingPrice`. It stays until the end, and everyone sees it.'),
    ),
  },
  missingField,
)

/** The terms that can be corrected. */
export const correctable = {
  startingPrice: common.startingPrice,
  falling: v.pipe(Falling, v.description('How the price falls from `startingPrice`.')),
  minimumBidIncrement: v.nullish(common.minimumBidIncrement),
  ...common.times,
  cancellableUntilEnd: common.cancellableUntilEnd,
}

/** The fields of a new auction, in the order of documents. */
export const fields = v.object(
  {
    ...common.names,
    ...common.texts,
    ...correctable,
    currency: common.currency,
    ...common.admitting,
    metadata: common.metadata,
  },
  missingField,
)

type Fields = v.InferOutput<typeof fields>

const names = ['decrement', 'floorPrice'] as const

const isExactIn = (name: (typeof names)[number]): Rule<Pick<Fields, 'falling' | 'currency'>> => ({
  needs: [`falling.${name}`, 'falling', 'currency'],
  errorIn: ({ falling, currency }) =>
    toMinor(falling[name], currency) === undefined ? isInexactIn(currency) : undefined,
})

const isBelowStart: Rule<Pick<Fields, 'falling' | 'startingPrice'>> = {
  needs: ['falling.floorPrice', 'falling', 'startingPrice'],
  errorIn: ({ falling, startingPrice }) =>
    falling.floorPrice < startingPrice ? undefined : 'must be below startingPrice',
}

export const rules: Rules<Fields> = {
  each: [
    isExact('startingPrice'),
    isExact('minimumBidIncrement'),
    endsAfterStart,
    isExactIn('decrement'),
    isExactIn('floorPrice'),
    isBelowStart,
    paddlesNeedRegister,
  ],
}

const amounts = ['startingPrice', 'minimumBidIncrement']

/** Converts the fields to those of an auction: amounts in minor units, without missing ones. */
export function toStored({ falling: { decrement, floorPrice, intervalSeconds }, ...fields }: Fields) {
  const decrementMinor = exactMinor(decrement, fields.currency)
  const floorPriceMinor = exactMinor(floorPrice, fields.currency)
  const falling = { decrementMinor, intervalSeconds, floorPriceMinor }
  // The cast: these fields are those of an auction.
  return { ...storedFrom(fields, amounts), falling } as Omit<FallingAuction, 'id' | 'createdAtMs'>
}

/** The fields from which `toStored` makes terms. */
export function toFields({ falling, ...terms }: Omit<FallingTerms, 'id' | 'ownerId'>): Partial<Fields> {
  const { decrementMinor, floorPriceMinor, intervalSeconds } = falling
  const decrement = toDecimal(decrementMinor, terms.currency)
  const floorPrice = toDecimal(floorPriceMinor, terms.currency)
  // The cast: decimals that convert back.
  return { ...fieldsFrom(terms, amounts), falling: { decrement, intervalSeconds, floorPrice } } as Partial<Fields>
}
