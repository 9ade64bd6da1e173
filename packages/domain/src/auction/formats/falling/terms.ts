import * as v from 'valibot'
import { StoredAmountMinor } from '../../../values/amount.ts'
import { StoredCount } from '../../../values/primitives.ts'
import * as common from '../../common-terms.ts'

/** The terms that can be corrected. */
export const CorrectableTerms = v.object({
  /** The price at the start, from which it falls. */
  startingPriceMinor: common.startingPriceMinor,
  /** The price falls by `decrementMinor` every `intervalSeconds` after the start, to no less than `floorPriceMinor`. */
  falling: v.object({
    decrementMinor: StoredAmountMinor,
    intervalSeconds: StoredCount,
    floorPriceMinor: StoredAmountMinor,
  }),
  /** It has no effect, since an auction whose price falls takes no bids. */
  minimumBidIncrementMinor: v.exactOptional(StoredAmountMinor),
  ...common.storedTimes,
  cancellableUntilEnd: common.storedCancellable,
})

export const format = v.literal('falling')

/** The fields of an auction as they are stored. `fields.ts` has the rules for new ones. */
export const AuctionFields = v.object({
  format,
  ...common.storedNames,
  ...common.storedTexts,
  ...CorrectableTerms.entries,
  currency: common.storedCurrency,
  ...common.storedRest,
})
export type FallingAuction = Readonly<v.InferOutput<typeof AuctionFields>>
export type FallingTerms = common.TermsOf<FallingAuction>
