import type { Clock } from './clock.ts'
import { composeAuctionService } from './compose-service.ts'
import { createLanes } from './ledger/lanes.ts'
import type { Limits } from './limits.ts'
import type { Backlog, Observer } from './observer.ts'
import type { Store } from './store.ts'
import type { BuyNow } from './use-cases/buy-now.ts'
import type { CancelAuction } from './use-cases/cancel-auction.ts'
import { type CloseDue, createCloser } from './use-cases/close-due.ts'
import type { CreateAuction } from './use-cases/create-auction.ts'
import type { ListAuctions } from './use-cases/list-auctions.ts'
import type { ListBids } from './use-cases/list-bids.ts'
import type { PlaceBid } from './use-cases/place-bid.ts'
import type { ReadAuction } from './use-cases/read-auction.ts'
import type { ReadBid } from './use-cases/read-bid.ts'

export type AuctionServiceParts = {
  readonly store: Store
  readonly clock: Clock
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<Limits>
  /** Receives internal events, for metrics and traces. */
  readonly observer?: Observer
}

/** The operations on auctions. */
export type AuctionService = {
  readonly createAuction: CreateAuction
  readonly placeBid: PlaceBid
  readonly buyNow: BuyNow
  readonly cancelAuction: CancelAuction
  readonly readAuction: ReadAuction
  readonly readBid: ReadBid
  readonly listAuctions: ListAuctions
  readonly listBids: ListBids
  readonly closeDue: CloseDue
  /** Returns the current queues without a store call. It visits every active auction, so call it at most once a second. */
  readonly backlog: () => Backlog
  /**
   * Closes the service. Close the store only after this resolves. New operations throw a ServiceClosedError. Resolves when the operations
   * in progress and closings in the background end, or after `limits.deadlineMs`.
   */
  close(): Promise<void>
}

/**
 * Creates the service for a store. Create one per process, because the commands of a service share lanes and appends. Several services
 * may share a store.
 * @throws TypeError that names a missing store, clock or function of either
 * @throws InvalidValueError that names an invalid limit
 */
export const createAuctionService = (parts: AuctionServiceParts): AuctionService =>
  composeAuctionService(parts, { createLanes, createCloser })
