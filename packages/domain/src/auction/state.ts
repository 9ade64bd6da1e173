import type * as v from 'valibot'
import { type AmountMinor, addAmounts, ONE_MINOR } from '../money.ts'
import type { ResultFields, StateFields } from '../stored.ts'
import type { Terms } from './auction.ts'

/** All that an auction's entries have led to. Every entry carries the state after it, so no decision reads further back. */
export type AuctionState = Readonly<v.InferOutput<typeof StateFields>>

/** Nothing follows it. */
export type ClosedState = Extract<AuctionState, { readonly phase: 'closed' }>

/** Who bids highest, with which bid. */
export type Leader = Readonly<NonNullable<AuctionState['leader']>>

/** How an auction ended. It is final: nothing that is recorded after it changes it. */
export type AuctionResult = Readonly<v.InferOutput<typeof ResultFields>>

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
