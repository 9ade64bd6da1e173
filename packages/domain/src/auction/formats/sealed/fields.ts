import * as v from 'valibot'
import { isInexactIn } from '../../../values/money.ts'
import { missingField } from '../../../values/parsing.ts'
import type { FieldError } from '../../../values/validation.ts'
import * as common from '../../common-fields.ts'
import { fieldsFrom, storedFrom } from '../../common-terms.ts'
import { endsAfterStart, isExact, isOrdered, paddlesNeedRegister, type Rules } from '../../rules.ts'
import type { SealedAuction, SealedTerms } from './terms.ts'

/** The terms that can be corrected. */
export const correctable = {
  startingPrice: common.startingPrice,
  reservePrice: common.reservePrice,
  minimumBidIncrement: v.nullish(common.minimumBidIncrement),
  ...common.times,
  cancellableUntilEnd: common.cancellableUntilEnd,
}

const pricing = v.pipe(
  v.picklist(['first', 'second'], 'must be first or second'),
  v.description(
    'What the winner pays: with `first`, their own bid; with `second`, the highest bid of another bidder, at least `startingPrice` and `reservePrice`.',
  ),
)

const reveal = v.nullish(
  v.pipe(
    v.picklist(['result', 'bids'], 'must be result or bids'),
    v.description(
      'What everyone sees after the result: with `result`, the default, winner, price and number of bidders; with `bids`, also the last bid of each bidder.',
    ),
  ),
)

/** The fields of a new auction, in the order of documents. */
export const fields = v.object(
  {
    ...common.names,
    ...common.texts,
    pricing,
    reveal,
    ...correctable,
    currency: common.currency,
    ...common.admitting,
    metadata: common.metadata,
  },
  missingField,
)

type Fields = v.InferOutput<typeof fields>

export const rules: Rules<Fields> = {
  each: [
    isExact('startingPrice'),
    isExact('minimumBidIncrement'),
    endsAfterStart,
    isExact('reservePrice', (_secret, currency) => isInexactIn(currency)),
    isOrdered('reservePrice', 'startingPrice', (reserve, least) => reserve >= least, 'must be at least startingPrice'),
    paddlesNeedRegister,
  ],
}

const amounts = ['startingPrice', 'minimumBidIncrement', 'reservePrice']

/** Converts the fields to those of an auction, but for its key, which only the service knows. */
export function toStored({ reveal: shown, ...fields }: Fields) {
  const stored = { ...storedFrom(fields, amounts), ...(shown === 'bids' && { reveal: shown }) }
  // The cast: these fields are those of an auction, and `withKey` adds the key.
  return stored as Omit<SealedAuction, 'id' | 'createdAtMs'>
}

/** A reserve limits the starting price, so an error of that would tell a caller something of a reserve that is kept. */
export function hiddenReserveError(
  { reservePriceMinor }: SealedTerms,
  { startingPrice, reservePrice }: Pick<Partial<Fields>, 'startingPrice' | 'reservePrice'>,
): FieldError | undefined {
  if (reservePriceMinor === undefined || reservePrice !== undefined || startingPrice === undefined) return undefined
  return {
    pointer: '/reservePrice',
    message: 'must be sent with startingPrice by a caller who may not read the reserve of the auction',
  }
}

/** The fields from which `toStored` makes terms. */
export function toFields({ key: _, ...terms }: Omit<SealedTerms, 'id' | 'ownerId'>): Partial<Fields> {
  return fieldsFrom(terms, amounts) as Partial<Fields> // Decimals that convert back.
}
