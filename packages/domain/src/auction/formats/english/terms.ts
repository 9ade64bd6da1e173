import * as v from 'valibot'
import { StoredAmountMinor } from '../../../values/amount.ts'
import { StoredMoment } from '../../../values/moment.ts'
import { StoredCount } from '../../../values/primitives.ts'
import * as common from '../../common-terms.ts'

const prices = { startingPriceMinor: common.startingPriceMinor, minimumBidIncrementMinor: StoredAmountMinor }

const conditions = {
  ...common.storedTimes,
  /**
   * An accepted bid within `windowSeconds` of the end moves the end to `extensionSeconds` after the bid, if that is
   * later, but not past `latestEndTime`.
   */
  softClose: v.exactOptional(
    v.object({ windowSeconds: StoredCount, extensionSeconds: StoredCount, latestEndTime: StoredMoment }),
  ),
  /** Secret: hosts show it only to the owner and to staff. A highest bid below it does not win. */
  reservePriceMinor: v.exactOptional(StoredAmountMinor),
  /** The price of an immediate purchase, while it is offered. */
  buyNowPriceMinor: v.exactOptional(StoredAmountMinor),
  cancellableUntilEnd: common.storedCancellable,
  /** The increments from prices on, by ascending price. They never fall. */
  incrementSteps: v.exactOptional(
    v.array(v.object({ fromPriceMinor: StoredAmountMinor, incrementMinor: StoredAmountMinor })),
  ),
  /** The increment as a part of the price, in hundredths of a percent. */
  incrementBasisPoints: v.exactOptional(StoredCount),
  /** How far the amount of one bid may exceed the price. */
  maximumBidIncrementMinor: v.exactOptional(StoredAmountMinor),
}

/** The ladder of an auction house. Only a new auction may have one, so that programs that do not know it refuse it. */
const ladder = {
  /**
   * The amounts to bid, by ascending price: each `fromPriceMinor` is one, and so is it plus each of the amounts, again and
   * again in periods of the last amount, up to the next row.
   */
  bidSteps: v.exactOptional(
    v.array(v.object({ fromPriceMinor: StoredAmountMinor, amountsMinor: v.array(StoredAmountMinor) })),
  ),
  /** Amounts between steps are refused, and maximums count as the step below. */
  onlySteps: v.exactOptional(v.literal(true)),
}

/** How long after its `endTime` a soft close may end an auction: at most one week. */
export const maxOvertimeMs = 7 * 24 * 60 * 60 * 1000

/** The fields of an auction as they are stored. `fields.ts` has the rules for new ones. */
export const AuctionFields = v.object({
  format: v.exactOptional(v.literal('english')),
  ...common.storedNames,
  ...common.storedTexts,
  ...prices,
  currency: common.storedCurrency,
  ...conditions,
  ...ladder,
  ...common.storedRest,
})
export type EnglishAuction = Readonly<v.InferOutput<typeof AuctionFields>>
export type SoftClose = NonNullable<EnglishAuction['softClose']>
export type EnglishTerms = common.TermsOf<EnglishAuction>

/** The terms that can be corrected. */
export const CorrectableTerms = v.object({ ...prices, ...conditions })
