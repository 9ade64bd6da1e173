import * as v from 'valibot'
import { StoredAmountMinor } from '../values/amount.ts'
import { StoredCurrency } from '../values/currency.ts'
import { StoredAuctionId, StoredProductId, StoredUserId } from '../values/ids.ts'
import { StoredMoment } from '../values/moment.ts'
import { StoredCount, StoredInteger } from '../values/primitives.ts'
import { StoredMetadata } from './metadata.ts'

/** The fields of an auction as they are stored. `new-auction-fields.ts` has the rules for new ones. */
export const AuctionFields = v.object({
  id: StoredAuctionId,
  productId: StoredProductId,
  ownerId: StoredUserId,
  title: v.exactOptional(v.string()),
  description: v.exactOptional(v.string()),
  startingPriceMinor: StoredAmountMinor,
  minimumBidIncrementMinor: StoredAmountMinor,
  currency: StoredCurrency,
  startTime: StoredMoment,
  endTime: StoredMoment,
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
  /** Whether the auction can be cancelled after bids. */
  cancellableUntilEnd: v.exactOptional(v.boolean()),
  /** The increments from prices on, by ascending price. They never fall. */
  incrementSteps: v.exactOptional(
    v.array(v.object({ fromPriceMinor: StoredAmountMinor, incrementMinor: StoredAmountMinor })),
  ),
  /** The increment as a part of the price, in hundredths of a percent. */
  incrementBasisPoints: v.exactOptional(StoredCount),
  /** How far the amount of one bid may exceed the price. */
  maximumBidIncrementMinor: v.exactOptional(StoredAmountMinor),
  /** Data of clients, without a meaning for the service. */
  metadata: v.exactOptional(StoredMetadata),
  createdAtMs: StoredInteger,
})

/** The terms that can be corrected. */
export const CorrectableTerms = v.omit(AuctionFields, [
  ...(['id', 'productId', 'ownerId', 'currency', 'createdAtMs', 'title', 'description', 'metadata'] as const),
])
export type CorrectableTerms = Readonly<v.InferOutput<typeof CorrectableTerms>>

export const isCorrectable = (name: string): boolean => Object.hasOwn(CorrectableTerms.entries, name)

/** An auction as it was created. It never changes; its ledger and the clock determine its status, price and result. */
export type Auction = Readonly<v.InferOutput<typeof AuctionFields>>

/** A new auction, with amounts in minor units. `parseNewAuction` checks it. */
export type NewAuction = Omit<Auction, 'id' | 'createdAtMs'>

export type SoftClose = NonNullable<Auction['softClose']>

/** How long after its `endTime` a soft close may end an auction: at most one week. */
export const maxOvertimeMs = 7 * 24 * 60 * 60 * 1000

/** An auction in a list. It has no description, because a page of descriptions may take megabytes. */
export type ListedAuction = Omit<Auction, 'description'>

/**
 * The fields of an auction that decisions need. A process caches them as they were created: a few hundred bytes, without
 * the long texts.
 */
export type Terms = Omit<Auction, 'productId' | 'title' | 'description' | 'createdAtMs'>

export function termsOf(auction: ListedAuction): Terms {
  const { productId: _, title: __, description: ___, createdAtMs: ____, ...terms }: Auction = auction
  return terms
}
