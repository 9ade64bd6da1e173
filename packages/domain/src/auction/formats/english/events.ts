import * as v from 'valibot'
import { StoredAmountMinor } from '../../../values/amount.ts'
import { StoredBidId, StoredUserId } from '../../../values/ids.ts'
import { StoredCount, StoredInteger } from '../../../values/primitives.ts'
import { admission } from '../../admission.ts'
import * as life from '../../life-events.ts'
import { CorrectableTerms } from './terms.ts'

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
  admission,
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
  admission,
  ...consequences,
})
/** The leader raised their maximum. This is not a bid, but it may contain an automatic bid, up to the reserve. */
export type MaximumRaised = Readonly<v.InferOutput<typeof MaximumRaisedFields>>

const BoughtFields = v.object({ type: v.literal('bought'), ...life.bought, admission })
/** The product was bought for the buy-now price, which ends the auction. */
export type Bought = Readonly<v.InferOutput<typeof BoughtFields>>

export const LeaderFields = v.object({
  bidId: StoredBidId,
  bidderId: StoredUserId,
  amountMinor: StoredAmountMinor,
  /** The maximum of the leader, if above the amount. */
  maximumMinor: v.exactOptional(StoredAmountMinor),
  paddle: life.paddle,
})

const CorrectedFields = life.correctedWith(CorrectableTerms)
const WithdrawnFields = v.object({
  ...life.withdrawal,
  leader: v.nullable(LeaderFields),
  bidCount: StoredCount,
  ...life.repair,
})
const ReserveLoweredFields = v.object({
  type: v.literal('reserve-lowered'),
  /** The lower reserve; 0 if it was removed. Secret, like any reserve. */
  reservePriceMinor: StoredAmountMinor,
  /** The bid at the reserve that the service places for the leader, if their maximum covers it. */
  automatic,
  reason: v.exactOptional(v.string()),
  editor: v.string(),
  by: life.by,
})
/** The owner or staff lowered the reserve. */
export type ReserveLowered = Readonly<v.InferOutput<typeof ReserveLoweredFields>>

export const EventFields = v.variant('type', [
  BidPlacedFields,
  MaximumRaisedFields,
  CorrectedFields,
  life.ExtendedFields,
  WithdrawnFields,
  life.EndedEarlyFields,
  ReserveLoweredFields,
  BoughtFields,
  life.CancelledFields,
  life.ClosedFields,
])

/** All events of an English auction. */
export type EnglishEvent = Readonly<v.InferOutput<typeof EventFields>>

/** The events that other formats do not have. */
export type OwnEvent = BidPlaced | MaximumRaised | ReserveLowered | Bought
