import type { AuctionId, BidId } from './ids.ts'
import { createIdsFromBlocks } from './ids-from-blocks.ts'
import { createBatchedReads } from './ledger/batched-reads.ts'
import { createGuardedStore } from './ledger/guarded-store.ts'
import type { createLanes } from './ledger/lanes.ts'
import { createPaceKeeper } from './ledger/pace.ts'
import { createLifetime } from './lifetime.ts'
import { limitsWith } from './limits.ts'
import { createSafeObserver } from './observer.ts'
import type { AuctionService, AuctionServiceParts } from './service.ts'
import { requireParts } from './service-parts.ts'
import type { Store } from './store.ts'
import { createTimeLimit } from './time-limit.ts'
import { createAgenda } from './use-cases/agenda.ts'
import { buyNowUseCase } from './use-cases/buy-now.ts'
import { cancelAuctionUseCase } from './use-cases/cancel-auction.ts'
import type { createCloser } from './use-cases/close-due.ts'
import { createAuctionUseCase } from './use-cases/create-auction.ts'
import { listAuctionsUseCase } from './use-cases/list-auctions.ts'
import { listBidsUseCase } from './use-cases/list-bids.ts'
import { placeBidUseCase } from './use-cases/place-bid.ts'
import { readAuctionUseCase } from './use-cases/read-auction.ts'
import { readBidUseCase } from './use-cases/read-bid.ts'
import { createReadLimit } from './use-cases/read-limit.ts'

// A bid is far more frequent than an auction. What is left of a block is lost at each restart, so blocks are small enough
// for ids to stay short, and large enough to last longer than the claim of the next one takes.
const auctionIdsPerBlock = 100
const entryIdsPerBlock = 1_000

/** Ids from blocks of a guarded store. */
export function blockIdsOf(guarded: Store) {
  return {
    auctions: createIdsFromBlocks<AuctionId>(guarded, 'auctions', auctionIdsPerBlock),
    entries: createIdsFromBlocks<BidId>(guarded, 'entries', entryIdsPerBlock),
  }
}

/** The modules that tests and the simulation replace. */
export type ServiceModules = {
  readonly createLanes: typeof createLanes
  readonly createCloser: typeof createCloser
}

/** Composes the service: `createAuctionService` is its public form. */
export function composeAuctionService(parts: AuctionServiceParts, modules: ServiceModules): AuctionService {
  requireParts(parts)
  const { clock } = parts
  const limits = limitsWith(parts.limits)
  const observer = parts.observer && createSafeObserver(parts.observer)
  const { start, pace } = createPaceKeeper(clock, limits.deadlineMs)
  const guarded = createGuardedStore({ store: parts.store, clock, limits, observer, startTiming: start })
  const store = { ...guarded, ...createBatchedReads(guarded) }
  const ids = parts.ids ?? blockIdsOf(guarded)
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
