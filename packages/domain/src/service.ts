import type { Clock } from './clock.ts'
import { blockIdsOf, composeAuctionService } from './compose-service.ts'
import type { IdSources } from './ids-from-blocks.ts'
import { createGuardedStore } from './ledger/guarded-store.ts'
import { createLanes } from './ledger/lanes.ts'
import { type Limits, limitsWith } from './limits.ts'
import { type Backlog, createSafeObserver, type Observer } from './observer.ts'
import { requireParts } from './service-parts.ts'
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
  /** Where ids come from; from blocks that the store keeps, if left out. */
  readonly ids?: IdSources
  /** Limits other than the default ones. */
  readonly limits?: Partial<Limits>
  /** Is told what happens inside, for metrics and traces. */
  readonly observer?: Observer
}

/** All that can be done with auctions. */
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
  /** What waits now. Asks no store; it looks at every auction that is being served, so a second apart is often enough. */
  readonly backlog: () => Backlog
  /**
   * Ends the service, for which whoever opened its store waits before closing that. Every operation that is called from now on
   * throws a ServiceClosedError. What is under way, closings in the background too, goes on to its end; that is when this
   * resolves, and after `limits.deadlineMs` at the latest, whatever the store does.
   */
  close(): Promise<void>
}

/**
 * Ids from blocks that are claimed in the store, which is asked as all of the service asks it: within the deadline, and again
 * after a claim that fails.
 * @throws TypeError that names a part which is missing: the store, the clock, or a function of either
 */
export function createBlockIds(parts: Omit<AuctionServiceParts, 'ids'>) {
  requireParts(parts)
  const { store, clock, limits, observer } = parts
  const safe = observer && createSafeObserver(observer)
  return blockIdsOf(createGuardedStore({ store, clock, limits: limitsWith(limits), observer: safe }))
}

/**
 * The service over a store, for a host or a test to call. Make one for a process: the commands of one service share lanes and
 * appends. Several services, in one process or many, may share a store.
 * @throws TypeError that names a part which is missing: the store, the clock, or a function of either
 * @throws InvalidValueError that names a limit which is out of its bounds
 */
export const createAuctionService = (parts: AuctionServiceParts): AuctionService =>
  composeAuctionService(parts, { createLanes, createCloser })
