import type { AuctionId } from '../values/ids.ts'
import type { Moment } from '../values/moment.ts'
import type { AmountMinor, Currency } from '../values/money.ts'
import type { ClosedState } from './state.ts'

/** The current prices of the auction. */
type Prices = {
  readonly currentPriceMinor: AmountMinor
  /** Undefined if no higher bid is possible. */
  readonly minimumNextBidMinor: AmountMinor | undefined
  readonly currency: Currency
}

type BidTooLow = Prices & { readonly code: 'bid-too-low' }

/** The bidder can buy for no more than the bid. `buyNowPriceMinor` is the price. */
type BuyNowIsLower = Prices & {
  readonly code: 'buy-now-is-lower'
  readonly auctionId: AuctionId
  readonly buyNowPriceMinor: AmountMinor
}

/** The reasons why an auction accepts no bids and purchases. */
export type NotOpen =
  | { readonly code: 'auction-not-started'; readonly startTime: Moment }
  | {
      readonly code: 'auction-ended'
      /** When the auction actually ended, at its end time or by a purchase. */
      readonly endTime: Moment
      /** Set if the result is recorded, after which even a command that arrived in time is too late. */
      readonly final?: 'closed' | 'bought'
    }
  | { readonly code: 'auction-cancelled' }

/** The refusals of a bid, with the data that the caller needs to correct it. */
export type PlaceBidRefusal =
  | {
      readonly code: 'inexact-amount'
      /** The inexact amounts; at least one. */
      readonly fields: readonly ('amount' | 'maximumAmount')[]
      readonly currency: Currency
    }
  | { readonly code: 'maximum-below-amount' }
  | NotOpen
  | { readonly code: 'owner-cannot-bid' }
  | BidTooLow
  | BuyNowIsLower
  /** The bidder already leads with a higher maximum or bid, or with the same and the amount is no bid. */
  | { readonly code: 'maximum-not-raised' }

export type BuyNowNotOffered = Prices & {
  readonly code: 'buy-now-not-offered'
  readonly reason: 'no-buy-now-price' | 'has-bids' | 'reserve-met'
}

/** The refusals of a purchase. */
export type BuyNowRefusal = NotOpen | { readonly code: 'owner-cannot-buy' } | BuyNowNotOffered

/** The refusals of a cancellation. */
export type CancelRefusal =
  | { readonly code: 'not-the-owner'; readonly needsReason?: NeedsReason }
  /** The use case returns this as a success. */
  | { readonly code: 'already-cancelled'; readonly state: ClosedState }
  | Extract<NotOpen, { readonly code: 'auction-ended' }>
  | { readonly code: 'auction-has-bids'; readonly prevents: 'cancellation'; readonly needsReason?: NeedsReason }

/** Set if the caller may cancel any auction, but gave no reason. */
type NeedsReason = true

/** The refusals of a correction. */
export type CorrectRefusal =
  | Exclude<NotOpen, { readonly code: 'auction-not-started' }>
  | { readonly code: 'auction-has-bids'; readonly prevents: 'correction' }
  | { readonly code: 'too-many-corrections' }
  /** The auction is not in the state that the caller expects. */
  | { readonly code: 'precondition-failed' }

/** The refusals of a closing. */
export type CloseRefusal =
  /** Too early. `endTime` is the end including extensions so far. */
  | { readonly code: 'not-due'; readonly endTime: Moment }
  /** `endedMs` is when it ended, by the function of that name. */
  | { readonly code: 'already-closed'; readonly endedMs: number }

export type Refusal = PlaceBidRefusal | BuyNowRefusal | CancelRefusal | CorrectRefusal | CloseRefusal
