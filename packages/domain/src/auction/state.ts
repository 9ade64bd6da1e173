import type { BidId, UserId } from '../ids.ts'
import { type AmountMinor, addAmounts, ONE_MINOR } from '../money.ts'
import type { Terms } from './auction.ts'

/** Who bids highest, with which bid. */
export type Leader = {
  readonly bidId: BidId
  readonly bidderId: UserId
  readonly amountMinor: AmountMinor
  /** Up to which the service bids for the leader, where that is more than the amount. */
  readonly maximumMinor?: AmountMinor
}

export type Sold = {
  readonly outcome: 'sold'
  readonly bidId: BidId
  readonly winnerId: UserId
  readonly priceMinor: AmountMinor
}
export type Unsold = { readonly outcome: 'unsold'; readonly reason: 'no-bids' | 'reserve-not-met' }
export type BoughtResult = { readonly outcome: 'bought'; readonly buyerId: UserId; readonly priceMinor: AmountMinor }
export type CancelledResult = { readonly outcome: 'cancelled'; readonly reason?: string }

/** How an auction ended. It is final: nothing is ever recorded behind it. */
export type AuctionResult = Sold | Unsold | BoughtResult | CancelledResult

type Standing = {
  readonly bidCount: number
  readonly leader: Leader | null
  /** The time of the last entry, in milliseconds since 1970; 0 before there is one. Time in a ledger never goes back. */
  readonly atMs: number
  /** When it ends, in milliseconds since 1970, where a bid has moved that. */
  readonly extendedEndMs?: number
}

/** All that an auction's entries have led to. Every entry carries the state after it, so no decision reads further back. */
export type AuctionState = (Standing & { readonly phase: 'open' }) | ClosedState

/** Nothing follows it. */
export type ClosedState = Standing & { readonly phase: 'closed'; readonly result: AuctionResult }

/** The state of an auction without entries. */
export const initialState: AuctionState = Object.freeze({ phase: 'open', bidCount: 0, leader: null, atMs: 0 })

/** The highest bid, or the starting price as long as there is none. */
export const currentPriceMinor = (terms: Pick<Terms, 'startingPriceMinor'>, { leader }: AuctionState): AmountMinor =>
  leader === null ? terms.startingPriceMinor : leader.amountMinor

/**
 * The least that the next bid must offer: no bid is free, so one minor unit where the starting price is 0. Undefined where
 * it would be more than any bid may offer.
 */
export function minimumNextBidMinor(
  terms: Pick<Terms, 'startingPriceMinor' | 'minimumBidIncrementMinor'>,
  { leader }: AuctionState,
): AmountMinor | undefined {
  if (leader === null) return terms.startingPriceMinor > 0 ? terms.startingPriceMinor : ONE_MINOR
  return addAmounts(leader.amountMinor, terms.minimumBidIncrementMinor)
}
