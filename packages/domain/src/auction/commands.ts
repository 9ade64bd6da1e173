import type { UserId } from '../values/ids.ts'
import type { Decimal } from '../values/money.ts'

/** Places a bid, in the currency of the auction. */
export type PlaceBidCommand = {
  readonly type: 'place-bid'
  readonly bidderId: UserId
  readonly amount: Decimal
  /** The limit up to which the service bids for the bidder; at least the amount. */
  readonly maximumAmount?: Decimal
}

/** Buys the product for the buy-now price. */
export type BuyNowCommand = { readonly type: 'buy-now'; readonly buyerId: UserId }

/** Cancels the auction. */
export type CancelCommand = {
  readonly type: 'cancel'
  readonly reason?: string
  /** The user who cancels, who must be the owner. If omitted, the caller may cancel any auction. */
  readonly requesterId?: UserId
  /** Whether a reason suffices to cancel any auction until its end, even one of another owner, and even after bids. */
  readonly mayForce?: boolean
  /** Set if the request has a key. The key is recorded even if the auction is already cancelled. */
  readonly isKeyed?: true
}

/** Corrects the title or the description of an auction. A null removes it; an absent member keeps it. */
export type CorrectCommand = {
  readonly type: 'correct'
  readonly title?: string | null
  readonly description?: string | null
  /** Who corrects: a user id, or another name of up to 100 characters. */
  readonly editor: string
  /**
   * How many corrections the auction has had in the state that the caller expects, if any: only a correction can change what is corrected.
   * Null: the auction is in another state.
   */
  readonly expectedCorrections?: number | null
}

/**
 * Records the end and the result of an auction, `marginMs` after its end. Until then, any process may still record a command that arrived
 * before the end; the clocks of processes differ, and a store may be slow.
 */
export type CloseCommand = { readonly type: 'close'; readonly marginMs: number }

export type Command = PlaceBidCommand | BuyNowCommand | CancelCommand | CorrectCommand | CloseCommand
