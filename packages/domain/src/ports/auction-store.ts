import type { Auction, AuctionStatus } from '../auction.ts'
import type { AuctionId } from '../ids.ts'

/** A place in the order of auctions: newest first, and of those created in one millisecond the higher id first. */
export type AuctionPosition = { readonly createdAtMs: number; readonly id: AuctionId }

export type AuctionQuery = {
  /** How many at the most, at least 1. */
  readonly limit: number
  /** Only what comes after this place, that is, what is older. */
  readonly after?: AuctionPosition
  /** Only auctions that have this status at `nowMs`. */
  readonly status?: { readonly is: AuctionStatus; readonly nowMs: number }
}

/** Where auctions are kept. They never change, so there is nothing to update, and any copy may be cached. */
export interface AuctionStore {
  /**
   * Stores the auction durably, or answers `taken` when its id is stored already, and changes nothing.
   * @throws StoreUnavailableError when the store can't say; the auction may then be stored or not.
   */
  insert(auction: Auction): Promise<'inserted' | 'taken'>
  /** The auction of this id; an insert that was answered is seen. */
  find(id: AuctionId): Promise<Auction | undefined>
  list(query: AuctionQuery): Promise<readonly Auction[]>
}
