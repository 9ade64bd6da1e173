import type { Moment } from '../moment.ts'
import type { AmountMinor, Currency } from '../money.ts'
import type { ClosedState } from './state.ts'

/** What bidding takes at the moment. */
type Prices = {
  readonly currentPriceMinor: AmountMinor
  /** Undefined where no higher bid is possible. */
  readonly minimumNextBidMinor: AmountMinor | undefined
  readonly currency: Currency
}

export type BidTooLow = Prices & { readonly code: 'bid-too-low' }

/** Why nobody can bid or buy at some time. */
export type NotOpen =
  | { readonly code: 'auction-not-started'; readonly startTime: Moment }
  /** `endTime` is when it really ended, by its time or because it was bought. */
  | { readonly code: 'auction-ended'; readonly endTime: Moment; readonly isBought?: true }
  | { readonly code: 'auction-cancelled' }

/** Why an offer is not a bid, with what the caller needs to do better. */
export type PlaceBidRefusal =
  | {
      readonly code: 'inexact-amount'
      /** Those of the bid that are no exact amounts of the currency; at least one. */
      readonly fields: readonly ('amount' | 'maximumAmount')[]
      readonly currency: Currency
    }
  | { readonly code: 'maximum-below-amount' }
  | NotOpen
  | { readonly code: 'owner-cannot-bid' }
  | BidTooLow
  /** The bidder leads already, with a maximum that is as high. */
  | { readonly code: 'maximum-not-raised' }

export type BuyNowNotOffered = Prices & {
  readonly code: 'buy-now-not-offered'
  /** It never was, or it was until the first bid, or until the reserve was met. */
  readonly because: 'no-buy-now-price' | 'has-bids' | 'reserve-met'
}

/** Why the product can't be bought at once. */
export type BuyNowRefusal = NotOpen | { readonly code: 'owner-cannot-buy' } | BuyNowNotOffered

/** Why an auction is not cancelled now. */
export type CancelRefusal =
  | { readonly code: 'not-the-owner' }
  /** It is what was asked for. */
  | { readonly code: 'already-cancelled'; readonly state: ClosedState }
  | Extract<NotOpen, { readonly code: 'auction-ended' }>
  | { readonly code: 'auction-has-bids' }

/** Why an auction is not closed now. */
export type CloseRefusal =
  /** It is too early. `endTime` is when it ends as far as is known. */
  { readonly code: 'not-due'; readonly endTime: Moment } | { readonly code: 'already-closed'; readonly endedMs: number }

export type Refusal = PlaceBidRefusal | BuyNowRefusal | CancelRefusal | CloseRefusal
