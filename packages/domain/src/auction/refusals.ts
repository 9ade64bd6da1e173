import type { Moment } from '../moment.ts'
import type { AmountMinor, Currency, Decimal } from '../money.ts'

export type BidTooLow = {
  readonly code: 'bid-too-low'
  readonly currentPriceMinor: AmountMinor
  /** Undefined where no higher bid is possible. */
  readonly minimumNextBidMinor: AmountMinor | undefined
  readonly currency: Currency
}

/** Why an offer is not a bid, with what the caller needs to do better. */
export type PlaceBidRefusal =
  | { readonly code: 'inexact-amount'; readonly amount: Decimal; readonly currency: Currency }
  | { readonly code: 'auction-not-started'; readonly startTime: Moment }
  | { readonly code: 'auction-ended'; readonly endTime: Moment }
  | { readonly code: 'owner-cannot-bid' }
  | BidTooLow

/** Why an auction is not closed now: it is too early, or it is closed already. */
export type CloseRefusal = { readonly code: 'not-due'; readonly endTime: Moment } | { readonly code: 'already-closed' }

export type Refusal = PlaceBidRefusal | CloseRefusal
