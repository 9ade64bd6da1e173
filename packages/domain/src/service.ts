import type { Clock } from './clock.ts'
import type { AuctionId, BidId } from './ids.ts'
import { createIdsFromBlocks, type IdSources } from './ids-from-blocks.ts'
import { createGatheredReads } from './ledger/gathered-reads.ts'
import { createGuardedStore } from './ledger/guarded-store.ts'
import { createLanes } from './ledger/lanes.ts'
import { createPaceKeeper } from './ledger/pace.ts'
import { createLifetime } from './lifetime.ts'
import { type Limits, limitsWith } from './limits.ts'
import { type Backlog, createSafeObserver, type Observer } from './observer.ts'
import { requireParts } from './service-parts.ts'
import type { Store } from './store.ts'
import { createTimeLimit } from './time-limit.ts'
import { createAgenda } from './use-cases/agenda.ts'
import { type BuyNow, buyNowUseCase } from './use-cases/buy-now.ts'
import { type CancelAuction, cancelAuctionUseCase } from './use-cases/cancel-auction.ts'
import { type CloseDue, createCloser } from './use-cases/close-due.ts'
import { type CreateAuction, createAuctionUseCase } from './use-cases/create-auction.ts'
import { type ListAuctions, listAuctionsUseCase } from './use-cases/list-auctions.ts'
import { type ListBids, listBidsUseCase } from './use-cases/list-bids.ts'
import { type PlaceBid, placeBidUseCase } from './use-cases/place-bid.ts'
import { type ReadAuction, readAuctionUseCase } from './use-cases/read-auction.ts'
import { type ReadBid, readBidUseCase } from './use-cases/read-bid.ts'
import { createReadLimit } from './use-cases/read-limit.ts'

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

// A bid is far more frequent than an auction. What is left of a block is lost at each restart, so blocks are small enough
// for ids to stay short, and large enough to last longer than the claim of the next one takes.
const auctionIdsPerBlock = 100
const entryIdsPerBlock = 1_000

/**
 * Ids from blocks that are claimed in the store, which is asked as all of the service asks it: within the deadline, and again
 * after a claim that fails.
 * @throws TypeError that names a part which is missing: the store, the clock, or a function of either
 */
export function createBlockIds(parts: Omit<AuctionServiceParts, 'ids'>) {
  requireParts(parts)
  const { store, clock, limits, observer } = parts
  const safe = observer && createSafeObserver(observer)
  return idsOf(createGuardedStore({ store, clock, limits: limitsWith(limits), observer: safe }))
}

function idsOf(guarded: Store) {
  return {
    auctions: createIdsFromBlocks<AuctionId>(guarded, 'auctions', auctionIdsPerBlock),
    entries: createIdsFromBlocks<BidId>(guarded, 'entries', entryIdsPerBlock),
  }
}

/**
 * The service over a store, for a host or a test to call. Make one for a process: the commands of one service share lanes and
 * appends. Several services, in one process or many, may share a store.
 * @throws TypeError that names a part which is missing: the store, the clock, or a function of either
 * @throws InvalidValueError that names a limit which is out of its bounds
 */
export const createAuctionService = (parts: AuctionServiceParts): AuctionService =>
  composeAuctionService(parts, { createLanes, createCloser })

/** What a simulation puts faulty ones in the place of. */
export type ServiceModules = {
  readonly createLanes: typeof createLanes
  readonly createCloser: typeof createCloser
}

/** The service from modules of one's own: `createAuctionService` is the one for everybody. */
export function composeAuctionService(parts: AuctionServiceParts, modules: ServiceModules): AuctionService {
  requireParts(parts)
  const { clock } = parts
  const limits = limitsWith(parts.limits)
  const observer = parts.observer && createSafeObserver(parts.observer)
  const { start, pace } = createPaceKeeper(clock, limits.deadlineMs)
  const guarded = createGuardedStore({ store: parts.store, clock, limits, observer, startTiming: start })
  const store = { ...guarded, ...createGatheredReads(guarded) }
  const ids = parts.ids ?? idsOf(guarded)
  const limit = createTimeLimit(clock, limits.deadlineMs)
  const lanes = modules.createLanes({ store, clock, ids: ids.entries, limits, limit, pace, observer })
  const { within, inBackground, close } = createLifetime(limit)
  const limited = createReadLimit(limits.maxReads)
  const updateAgenda = inBackground(createAgenda(store))
  // Each closing by itself: nobody waits for those that a read begins, and `closeDue` ends soon when the service does.
  const closing = { close: within(lanes.close) }
  const closer = modules.createCloser({ store, clock, limits, lanes: closing, updateAgenda, inBackground, observer })
  const { closeDue, closeOverdue } = closer
  const ending = { store, lanes, updateAgenda }
  return {
    createAuction: within(createAuctionUseCase({ store, clock, limits, ids: ids.auctions, limit, observer })),
    placeBid: within(placeBidUseCase(lanes)),
    buyNow: within(buyNowUseCase(ending)),
    cancelAuction: within(cancelAuctionUseCase(ending)),
    readAuction: within(limited(readAuctionUseCase({ store, clock, closeOverdue }))),
    readBid: within(limited(readBidUseCase({ store }))),
    listAuctions: within(limited(listAuctionsUseCase({ store, clock, limits, closeOverdue, observer }))),
    listBids: within(limited(listBidsUseCase({ store, clock, limits }))),
    closeDue: within(closeDue),
    backlog: () => ({ ...lanes.backlog(), ...closer.backlog() }),
    close,
  }
}
