import * as v from 'valibot'
import { StoredAmountMinor } from '../values/amount.ts'
import { StoredBidId, StoredUserId } from '../values/ids.ts'
import { StoredCount, StoredInteger } from '../values/primitives.ts'
import { CorrectableTerms } from './auction.ts'
import { StoredMetadata, StoredMetadataPatch } from './metadata.ts'

// The events, each as its schema and its type. The schemas read what is stored, so they are less strict than the rules
// for new input: data stays readable when those rules change.

/** Who changed the auction. Entries of earlier versions do not have it. */
const by = v.exactOptional(v.picklist(['owner', 'staff']))
export type Role = 'owner' | 'staff'

/** The automatic bid within the event. It follows the bid and leads. Its id is the entry's id plus one. */
const automatic = v.exactOptional(v.object({ bidderId: StoredUserId, amountMinor: StoredAmountMinor }))

const consequences = {
  automatic,
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
  by,
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

export const LeaderFields = v.object({
  bidId: StoredBidId,
  bidderId: StoredUserId,
  amountMinor: StoredAmountMinor,
  /** The maximum of the leader, if above the amount. */
  maximumMinor: v.exactOptional(StoredAmountMinor),
})

/** Why and by whom an auction was repaired. Readers see the reason, but not the editor. */
const repair = { reason: v.string(), editor: v.string() }
/** The effective end after and before the event, in milliseconds since 1970. */
const movedEnd = { endMs: StoredInteger, previousEndMs: StoredInteger }

const ExtendedFields = v.object({ type: v.literal('extended'), ...movedEnd, ...repair })
/** Staff gave the auction a later end. */
export type Extended = Readonly<v.InferOutput<typeof ExtendedFields>>

const EndedEarlyFields = v.object({ type: v.literal('ended-early'), ...movedEnd, ...repair })
/** Staff ended the auction: just after the event, or at the end that had passed. A `closed` with the result follows. */
export type EndedEarly = Readonly<v.InferOutput<typeof EndedEarlyFields>>

const WithdrawnFields = v.object({
  type: v.literal('withdrawn'),
  bidderId: StoredUserId,
  /** Set if the bidder may not bid again. */
  isBlocked: v.exactOptional(v.literal(true)),
  /** Set if the bidder was blocked, and may bid again. */
  isUnblocked: v.exactOptional(v.literal(true)),
  /** The leader and the number of bids without those of the bidder. */
  leader: v.nullable(LeaderFields),
  bidCount: StoredCount,
  ...repair,
})
/**
 * Staff withdrew all bids of a bidder. The bids of the others were decided again without them. A bidder without bids is
 * only blocked or unblocked.
 */
export type Withdrawn = Readonly<v.InferOutput<typeof WithdrawnFields>>

const ReserveLoweredFields = v.object({
  type: v.literal('reserve-lowered'),
  /** The lower reserve; 0 if it was removed. Secret, like any reserve. */
  reservePriceMinor: StoredAmountMinor,
  /** The bid at the reserve that the service places for the leader, if their maximum covers it. */
  automatic,
  reason: v.exactOptional(v.string()),
  editor: v.string(),
  by,
})
/** The owner or staff lowered the reserve. */
export type ReserveLowered = Readonly<v.InferOutput<typeof ReserveLoweredFields>>

/** Set if staff ended the auction before its end. */
const isEndedEarly = v.exactOptional(v.literal(true))
export const SoldFields = v.object({
  outcome: v.literal('sold'),
  bidId: StoredBidId,
  winnerId: StoredUserId,
  priceMinor: StoredAmountMinor,
  isEndedEarly,
})
export const UnsoldFields = v.object({
  outcome: v.literal('unsold'),
  reason: v.picklist(['no-bids', 'reserve-not-met']),
  isEndedEarly,
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
  ExtendedFields,
  WithdrawnFields,
  EndedEarlyFields,
  ReserveLoweredFields,
  BoughtFields,
  CancelledFields,
  ClosedFields,
])

/** A change by staff, or by the owner of the reserve, of an auction that may have bids. */
export type Repair = Extended | Withdrawn | EndedEarly | ReserveLowered

/**
 * The whole effect of one command, recorded in one entry or not at all. The last three end the auction; only a
 * `cancelled` may follow another `cancelled`. No bid precedes a `corrected`.
 */
export type AuctionEvent = BidPlaced | MaximumRaised | Corrected | Repair | Bought | Cancelled | Closed
