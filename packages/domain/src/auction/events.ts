import type * as v from 'valibot'
import type { EventFields } from '../store/stored.ts'

/**
 * The whole effect of one command, recorded in one entry or not at all. The last three end the auction; only a `cancelled` may follow
 * another `cancelled`. A `corrected` may follow only other ones.
 */
export type AuctionEvent = BidPlaced | MaximumRaised | Corrected | Bought | Cancelled | Closed

type EventOf<Type extends Stored['type']> = Readonly<Extract<Stored, { readonly type: Type }>>
type Stored = v.InferOutput<typeof EventFields>

/** The bid has the id of its entry. */
export type BidPlaced = EventOf<'bid-placed'>

/** The leader raised their maximum. This is not a bid, but it may contain an automatic bid, up to the reserve. */
export type MaximumRaised = EventOf<'maximum-raised'>

/** The title or the description was corrected. Each correction is kept, with its editor. */
export type Corrected = EventOf<'corrected'>

/** The product was bought for the buy-now price, which ends the auction. */
export type Bought = EventOf<'bought'>

/** The auction was cancelled, which ends it. A second cancellation changes nothing. */
export type Cancelled = EventOf<'cancelled'>

/** The auction ended at its end time. */
export type Closed = EventOf<'closed'>

/** The bid that the service places within the same event, for a bidder with a maximum. */
export type AutomaticBid = Readonly<NonNullable<BidPlaced['automatic']>>
