import type { UserId } from '../ids.ts'
import type { Decimal } from '../money.ts'

/** To bid: who, and how much in the auction's currency. */
export type PlaceBid = {
  readonly type: 'place-bid'
  readonly bidderId: UserId
  readonly amount: Decimal
  /** Up to which the service bids for the bidder; at least the amount. */
  readonly maximumAmount?: Decimal
}

/** To buy the product for the buy-now price, as long as that is offered. */
export type BuyNow = { readonly type: 'buy-now'; readonly buyerId: UserId }

/** To cancel the auction. */
export type Cancel = {
  readonly type: 'cancel'
  readonly reason?: string
  /** Who asks for it, where that has to be the owner; left out where whoever asks may cancel any auction. */
  readonly requesterId?: UserId
  /** Whether it has a key, which is recorded, so that it is remembered, even where the auction is cancelled already. */
  readonly isKeyed?: true
}

/**
 * To record an auction's end and result. `marginMs` is by how much the clocks of those who serve the auction may differ: no
 * auction is closed before that much time has passed since its end, so that no bid is decided in time and then found shut out.
 */
export type Close = { readonly type: 'close'; readonly marginMs: number }

export type Command = PlaceBid | BuyNow | Cancel | Close
