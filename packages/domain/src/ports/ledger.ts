import type { Bid } from '../bid.ts'
import type { AuctionId, BidId } from '../ids.ts'

export type Appended = {
  /** How many of the bids are stored, from the first on. Below their number, the next one's key was taken. */
  readonly stored: number
}

export type BidQuery = {
  /** How many at the most, at least 1. */
  readonly limit: number
  /** Only bids of a lower sequence, that is, older ones. An integer from 1 on; before the first there is nothing. */
  readonly before?: number
}

/**
 * The append-only ledger of bids, one sequence an auction. Inserting a bid is all there is to committing it, so a store needs
 * one ability: a durable insert that fails when its key is taken. A bid has two keys: (auctionId, sequence), and its id.
 */
export interface Ledger {
  /**
   * Stores bids of any auctions durably in the order given, up to the first whose key is taken; that one and all behind it
   * are not stored.
   * @throws StoreUnavailableError when the store can't say; any prefix may then be stored.
   */
  append(bids: readonly Bid[]): Promise<Appended>
  /** The auction's last bid; an append that was answered is seen. */
  head(auctionId: AuctionId): Promise<Bid | undefined>
  /** Those of the bids that are stored, in any order. */
  find(ids: readonly BidId[]): Promise<readonly Bid[]>
  /** The auction's bids, newest first. For a `before` below 1, which nobody should ask for, it answers none, as for 1. */
  page(auctionId: AuctionId, query: BidQuery): Promise<readonly Bid[]>
}
