import type * as v from 'valibot'
import type { EventFields } from '../stored.ts'

/**
 * The whole effect of one command: it is recorded in one entry, or not at all. Nothing follows the last three, except that one
 * `cancelled` may follow another.
 */
export type AuctionEvent = BidPlaced | MaximumRaised | Bought | Cancelled | Closed

type EventOf<Type extends Stored['type']> = Readonly<Extract<Stored, { readonly type: Type }>>
type Stored = v.InferOutput<typeof EventFields>

/** The bid's id is that of its entry. */
export type BidPlaced = EventOf<'bid-placed'>

/** The leader has raised its own maximum. It is no bid; what it may have is an automatic one, up to the reserve. */
export type MaximumRaised = EventOf<'maximum-raised'>

/** The product was bought for the buy-now price, which ends the auction. */
export type Bought = EventOf<'bought'>

/** The auction was cancelled, which ends it; one that is cancelled already stays as it is. */
export type Cancelled = EventOf<'cancelled'>

/** The end of an auction by its time. */
export type Closed = EventOf<'closed'>

/** The bid that the service makes within the same event, for a bidder who named a maximum. */
export type AutomaticBid = Readonly<NonNullable<BidPlaced['automatic']>>
