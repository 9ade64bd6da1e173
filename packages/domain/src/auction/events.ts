import * as v from 'valibot'
import { StoredAmountMinor } from '../values/amount.ts'
import { StoredBidId, StoredUserId } from '../values/ids.ts'
import { StoredInteger } from '../values/primitives.ts'
import { CorrectableTerms } from './auction.ts'
import { StoredMetadata, StoredMetadataPatch } from './metadata.ts'

// The events, each as its schema and its type. The schemas read what is stored, so they are less strict than the rules
// for new input: data stays readable when those rules change.

const consequences = {
  /** The automatic bid within the event. It follows the bid and leads. Its id is the entry's id plus one. */
  automatic: v.exactOptional(v.object({ bidderId: StoredUserId, amountMinor: StoredAmountMinor })),
  /** The new end, in milliseconds since 1970, if the event extends the auction. */
  extendedEndMs: v.exactOptional(StoredInteger),
}

const BidPlacedFields = v.object({
  type: v.literal('bid-placed'),
  bidderId: StoredUserId,
  amountMinor: StoredAmountMinor,
  /** The limit up to which the service bids for the bidder. */
  maximumMinor: v.exactOptional(StoredAmountMinor),
  ...consequences,
})
/** The bid has the id of its entry. */
export type BidPlaced = Readonly<v.InferOutput<typeof BidPlacedFields>>

/** The bid that the service places within the same event, for a bidder with a maximum. */
export type AutomaticBid = Readonly<NonNullable<BidPlaced['automatic']>>

const MaximumRaisedFields = v.object({
  type: v.literal('maximum-raised'),
  bidderId: StoredUserId,
  /** The amount of the request. It has no effect. */
  amountMinor: StoredAmountMinor,
  maximumMinor: StoredAmountMinor,
  ...consequences,
})
/** The leader raised their maximum. This is not a bid, but it may contain an automatic bid, up to the reserve. */
export type MaximumRaised = Readonly<v.InferOutput<typeof MaximumRaisedFields>>

const CorrectedFields = v.object({
  type: v.literal('corrected'),
  /** Null if it was removed; absent if it was not corrected. */
  title: v.exactOptional(v.nullable(v.string())),
  description: v.exactOptional(v.nullable(v.string())),
  /** The merge patch, and the metadata after it; null without members. */
  metadata: v.exactOptional(v.object({ patch: v.nullable(StoredMetadataPatch), result: v.nullable(StoredMetadata) })),
  /** The names of the corrected terms, as in requests, and all terms after the correction. */
  terms: v.exactOptional(v.object({ fields: v.array(v.string()), result: CorrectableTerms })),
  editor: v.string(),
})
/** The auction was corrected. Each correction is kept, with its editor. */
export type Corrected = Readonly<v.InferOutput<typeof CorrectedFields>>

export const bought = { buyerId: StoredUserId, priceMinor: StoredAmountMinor }
const BoughtFields = v.object({ type: v.literal('bought'), ...bought })
/** The product was bought for the buy-now price, which ends the auction. */
export type Bought = Readonly<v.InferOutput<typeof BoughtFields>>

export const cancelled = { reason: v.exactOptional(v.string()) }
const CancelledFields = v.object({
  type: v.literal('cancelled'),
  ...cancelled,
  /** Set if a caller who may cancel any auction cancelled it, with a reason. */
  isForced: v.exactOptional(v.literal(true)),
})
/** The auction was cancelled, which ends it. A second cancellation changes nothing. */
export type Cancelled = Readonly<v.InferOutput<typeof CancelledFields>>

export const SoldFields = v.object({
  outcome: v.literal('sold'),
  bidId: StoredBidId,
  winnerId: StoredUserId,
  priceMinor: StoredAmountMinor,
})
export const UnsoldFields = v.object({
  outcome: v.literal('unsold'),
  reason: v.picklist(['no-bids', 'reserve-not-met']),
})
const ClosedFields = v.object({
  type: v.literal('closed'),
  result: v.variant('outcome', [SoldFields, UnsoldFields]),
})
/** The auction ended at its end time. */
export type Closed = Readonly<v.InferOutput<typeof ClosedFields>>

export const EventFields = v.variant('type', [
  BidPlacedFields,
  MaximumRaisedFields,
  CorrectedFields,
  BoughtFields,
  CancelledFields,
  ClosedFields,
])

/**
 * The whole effect of one command, recorded in one entry or not at all. The last three end the auction; only a
 * `cancelled` may follow another `cancelled`. A `corrected` may follow only other ones.
 */
export type AuctionEvent = BidPlaced | MaximumRaised | Corrected | Bought | Cancelled | Closed
