import type * as v from 'valibot'
import type { ResultFields, StateFields } from '../store/stored.ts'
import { type AmountMinor, addAmounts, ONE_MINOR } from '../values/money.ts'
import type { Terms } from './auction.ts'

/** The state of an auction. Every entry contains the state after it, so decisions need only the last entry. */
export type AuctionState = Readonly<v.InferOutput<typeof StateFields>>

/** The final state. */
export type ClosedState = Extract<AuctionState, { readonly phase: 'closed' }>

/** The highest bidder and their bid. */
export type Leader = Readonly<NonNullable<AuctionState['leader']>>

/** How an auction ended. A result never changes. */
export type AuctionResult = Readonly<v.InferOutput<typeof ResultFields>>

/** The state of an auction without entries. */
export const initialState: AuctionState = Object.freeze({ phase: 'open', bidCount: 0, leader: null, atMs: 0 })

/** The highest bid, or the starting price if the auction has no bids. */
export const currentPriceMinor = (terms: Pick<Terms, 'startingPriceMinor'>, { leader }: AuctionState): AmountMinor =>
  leader === null ? terms.startingPriceMinor : leader.amountMinor

/** The minimum next bid: at least one minor unit, even if the starting price is 0. Undefined if it would exceed the largest amount. */
export function minimumNextBidMinor(
  terms: Pick<Terms, 'startingPriceMinor' | 'minimumBidIncrementMinor'>,
  { leader }: AuctionState,
): AmountMinor | undefined {
  if (leader === null) return terms.startingPriceMinor > 0 ? terms.startingPriceMinor : ONE_MINOR
  return addAmounts(leader.amountMinor, terms.minimumBidIncrementMinor)
}
