import * as v from 'valibot'
import { StoredAmountMinor } from '../../../values/amount.ts'
import * as common from '../../common-terms.ts'

/** The terms that can be corrected. */
export const CorrectableTerms = v.object({
  /** The lowest amount that can be bid. */
  startingPriceMinor: common.startingPriceMinor,
  /** Secret: hosts show it only to the owner and to staff. A highest bid below it does not win. */
  reservePriceMinor: v.exactOptional(StoredAmountMinor),
  /** It has no effect, since a sealed bid need not beat another one. */
  minimumBidIncrementMinor: v.exactOptional(StoredAmountMinor),
  ...common.storedTimes,
  cancellableUntilEnd: common.storedCancellable,
})

export const format = v.literal('sealed')

/** The fields of an auction as they are stored. `fields.ts` has the rules for new ones. */
export const AuctionFields = v.object({
  format,
  ...common.storedNames,
  ...common.storedTexts,
  /** The price that the winner pays: the own bid, or the highest one of another bidder. */
  pricing: v.picklist(['first', 'second']),
  /** Whether everyone sees the bids that counted, once there is a result. Absent: only the result. */
  reveal: v.exactOptional(v.literal('bids')),
  ...CorrectableTerms.entries,
  currency: common.storedCurrency,
  /** The fingerprint of the key with which its bids are sealed. No response has it. */
  key: v.string(),
  ...common.storedRest,
})
export type SealedAuction = Readonly<v.InferOutput<typeof AuctionFields>>
export type SealedTerms = common.TermsOf<SealedAuction>
