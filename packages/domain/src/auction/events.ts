import type { UserId } from '../ids.ts'
import type { AmountMinor } from '../money.ts'
import type { Sold, Unsold } from './state.ts'

/** The bid that the service makes within the same event, for a bidder who named a maximum. */
export type AutomaticBid = { readonly bidderId: UserId; readonly amountMinor: AmountMinor }

/** What may follow from a bid. */
type Consequences = {
  /** It comes behind the bid, and leads. Its id is the one that follows on the entry's. */
  readonly automatic?: AutomaticBid
  /** To when the event moves the end, in milliseconds since 1970. */
  readonly extendedEndMs?: number
}

/** The bid's id is that of its entry. */
export type BidPlaced = Consequences & {
  readonly type: 'bid-placed'
  readonly bidderId: UserId
  readonly amountMinor: AmountMinor
  /** Up to which the service bids for the bidder. */
  readonly maximumMinor?: AmountMinor
}

/** The leader has raised its own maximum. It is no bid; what it may have is an automatic one, up to the reserve. */
export type MaximumRaised = Consequences & {
  readonly type: 'maximum-raised'
  readonly bidderId: UserId
  /** As it was sent; nothing follows from it. */
  readonly amountMinor: AmountMinor
  readonly maximumMinor: AmountMinor
}

/** The product was bought for the buy-now price, which ends the auction. */
export type Bought = { readonly type: 'bought'; readonly buyerId: UserId; readonly priceMinor: AmountMinor }

/** The auction was cancelled, which ends it; one that is cancelled already stays as it is. */
export type Cancelled = { readonly type: 'cancelled'; readonly reason?: string }

/** The end of an auction by its time. */
export type Closed = { readonly type: 'closed'; readonly result: Sold | Unsold }

/** The whole effect of one command: it is recorded in one entry, or not at all. Nothing follows the last three, except that one `cancelled` may follow another. */
export type AuctionEvent = BidPlaced | MaximumRaised | Bought | Cancelled | Closed
