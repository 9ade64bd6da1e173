import type { Entry } from './auction/entry.ts'
import type { Clock } from './clock.ts'
import type { Hooks } from './hooks.ts'
import { createLanes, type LaneParts } from './ledger/lanes.ts'
import { createPaceKeeper } from './ledger/pace.ts'
import { createLifetime } from './lifetime.ts'
import { type AllLimits, createReadLimit, type Limits, limitsWith } from './limits.ts'
import { type Backlog, createSafeObserver, notifySafely, type Observer } from './observer.ts'
import { requireParts } from './require-parts.ts'
import { createBatchedReads } from './store/batched-reads.ts'
import { createGuardedStore } from './store/guarded-store.ts'
import { createIdsFromBlocks } from './store/ids-from-blocks.ts'
import type { Store } from './store/store.ts'
import { createTimeLimit } from './time-limit.ts'
import { createAgenda } from './use-cases/agenda.ts'
import { createAuctionViews } from './use-cases/auction-views.ts'
import { type BuyNow, buyNowUseCase } from './use-cases/buy-now.ts'
import { type CancelAuction, cancelAuctionUseCase } from './use-cases/cancel-auction.ts'
import { type CloseDue, createCloser } from './use-cases/close-due.ts'
import { type CorrectAuction, correctAuctionUseCase } from './use-cases/correct-auction.ts'
import { type CreateAuction, createAuctionUseCase } from './use-cases/create-auction.ts'
import { type EndAuction, endAuctionUseCase } from './use-cases/end-auction.ts'
import { type ExtendAuction, extendAuctionUseCase } from './use-cases/extend-auction.ts'
import { type ListAuctions, listAuctionsUseCase } from './use-cases/list-auctions.ts'
import { type ListBids, listBidsUseCase } from './use-cases/list-bids.ts'
import { type ListBidsOfBidder, listBidsOfBidderUseCase } from './use-cases/list-bids-of-bidder.ts'
import { type ListEvents, listEventsUseCase } from './use-cases/list-events.ts'
import { type ListRepairs, listRepairsUseCase } from './use-cases/list-repairs.ts'
import { type LowerReserve, lowerReserveUseCase } from './use-cases/lower-reserve.ts'
import { type PlaceBid, placeBidUseCase } from './use-cases/place-bid.ts'
import {
  type ReadAuction,
  type ReadAuctionAt,
  readAuctionAtUseCase,
  readAuctionUseCase,
} from './use-cases/read-auction.ts'
import { type ReadBid, readBidUseCase } from './use-cases/read-bid.ts'
import { createWatching, type WatchAuction } from './use-cases/watch-auctions.ts'
import { type WithdrawBidder, withdrawBidderUseCase } from './use-cases/withdraw-bidder.ts'
import type { AuctionId, BidId } from './values/ids.ts'

export type AuctionServiceParts = {
  readonly store: Store
  readonly clock: Clock
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<Limits>
  /** Receives internal events, for metrics and traces. */
  readonly observer?: Observer
  /** A program that follows all auctions has hooks, such as `createDelivery(…).hooks`. */
  readonly hooks?: Hooks
}

export type AuctionService = {
  readonly createAuction: CreateAuction
  readonly placeBid: PlaceBid
  readonly buyNow: BuyNow
  readonly cancelAuction: CancelAuction
  readonly correctAuction: CorrectAuction
  readonly withdrawBidder: WithdrawBidder
  readonly extendAuction: ExtendAuction
  readonly endAuction: EndAuction
  readonly lowerReserve: LowerReserve
  readonly readAuction: ReadAuction
  readonly readAuctionAt: ReadAuctionAt
  readonly readBid: ReadBid
  readonly listAuctions: ListAuctions
  readonly listBids: ListBids
  readonly listBidsOfBidder: ListBidsOfBidder
  readonly listEvents: ListEvents
  readonly listRepairs: ListRepairs
  readonly watchAuction: WatchAuction
  readonly closeDue: CloseDue
  /** Returns the current queues without a store call. Call it at most once a second: it visits every active auction. */
  readonly backlog: () => Backlog
  /**
   * Closes the service. Close the store only after this resolves. New operations throw a ServiceClosedError. Resolves
   * when the operations in progress and closings in the background end, or after `limits.deadlineMs`.
   */
  close(): Promise<void>
}

/** The maximum time that an end waits for the agenda, which is only a hint, and its maximum part of the deadline. */
const agendaMs = 1_000
const agendaShare = 0.4

/** The ledgers that are read whole at the same time, a page of each in memory. Further ones are refused as `overloaded`. */
const maxReadLedgers = 20

/**
 * Creates the service for a store. Create one per process, because the commands of a service share lanes and appends.
 * Several services may share a store.
 * @throws TypeError that names a missing store, clock or function of either
 * @throws InvalidValueError that names an invalid limit
 */
export function createAuctionService(parts: AuctionServiceParts): AuctionService {
  requireParts(parts, 'an auction service')
  return createServiceWithLimits(parts, limitsWith(parts.limits))
}

/** Creates the service with all limits. Tests set limits that programs cannot, so that they meet them soon. */
export function createServiceWithLimits(parts: Omit<AuctionServiceParts, 'limits'>, limits: AllLimits): AuctionService {
  const { clock } = parts
  const observer = parts.observer && createSafeObserver(parts.observer)
  const { start, pace } = createPaceKeeper(clock, limits.deadlineMs)
  const guarded = createGuardedStore({ store: parts.store, clock, limits, observer, startTiming: start })
  const store = { ...guarded, ...createBatchedReads(guarded) }
  const auctionIds = createIdsFromBlocks<AuctionId>(guarded, 'auctions', limits.idsPerBlock.auctions)
  const entryIds = createIdsFromBlocks<BidId>(guarded, 'entries', limits.idsPerBlock.entries)
  const limit = createTimeLimit(clock, limits.deadlineMs)
  const { whileOpen, inBackground, close } = createLifetime(limit)
  const watched = { ...store, appendedSince: parts.store.appendedSince?.bind(parts.store) }
  const watching = createWatching({ store: watched, clock, limit, inBackground, observer })
  const { onStored, beforeLeavingAgenda } = parts.hooks ?? {}
  const noticeStored = onStored && notifySafely(onStored)
  const onWritten: LaneParts['onWritten'] = (written, entries) => {
    watching.onWritten(written, entries)
    const [entry] = entries
    if (noticeStored === undefined || written.stored === 0 || entry === undefined || isAfterEnd(entry)) return
    const { auctionId, sequence: first } = entry
    noticeStored({ auctionId, first, last: first + Math.min(written.stored, entries.length) - 1 })
  }
  const lanes = createLanes({ store, clock, ids: entryIds, limits, limit, pace, observer, onWritten })
  const limited = createReadLimit(limits.maxReads)
  const limitedLedgers = createReadLimit(maxReadLedgers)
  const updateAgenda = inBackground(createAgenda(store, beforeLeavingAgenda))
  // Each closing is tracked separately, so that `closeDue` ends soon after `close`.
  const closing = { close: whileOpen(lanes.close) }
  const closer = createCloser({ store, clock, limits, lanes: closing, updateAgenda, observer })
  const views = createAuctionViews({ store, observer })
  const creating = { store, clock, ids: auctionIds, lanes, limits, limit, observer, onStored: noticeStored }
  const agendaLimit = createTimeLimit(clock, Math.min(agendaMs, limits.deadlineMs * agendaShare))
  const recording = { store, lanes, clock, updateAgenda, agendaLimit }
  return {
    createAuction: whileOpen(createAuctionUseCase(creating)),
    placeBid: whileOpen(placeBidUseCase({ lanes, clock })),
    buyNow: whileOpen(buyNowUseCase(recording)),
    cancelAuction: whileOpen(cancelAuctionUseCase(recording)),
    // A correction and an early end are limited like reads, because they call the store before their command is queued.
    correctAuction: whileOpen(limited(correctAuctionUseCase({ ...recording, limit }))),
    extendAuction: whileOpen(extendAuctionUseCase(recording)),
    endAuction: whileOpen(limited(endAuctionUseCase({ ...recording, limit }))),
    lowerReserve: whileOpen(lowerReserveUseCase(recording)),
    withdrawBidder: whileOpen(limitedLedgers(withdrawBidderUseCase({ store, lanes, clock, limit }))),
    readAuction: whileOpen(limited(readAuctionUseCase({ store, clock }))),
    readAuctionAt: whileOpen(limited(readAuctionAtUseCase({ store, clock, limits }))),
    readBid: whileOpen(limited(readBidUseCase({ store }))),
    listAuctions: whileOpen(limited(listAuctionsUseCase({ store, clock, limits, views, observer }))),
    listBids: whileOpen(limited(listBidsUseCase({ store, clock, limits }))),
    listBidsOfBidder: whileOpen(limited(listBidsOfBidderUseCase({ store, clock, views }))),
    listEvents: whileOpen(limited(listEventsUseCase({ store }))),
    listRepairs: whileOpen(limited(listRepairsUseCase({ store }))),
    watchAuction: watching.watchAuction,
    closeDue: whileOpen(closer.closeDue),
    backlog: () => ({ ...lanes.backlog(), ...closer.backlog() }),
    close() {
      watching.close()
      return close()
    },
  }
}

/** A cancellation of a cancelled auction has no event, and a follower of the auction may have forgotten it already. */
const isAfterEnd = ({ state, atMs }: Entry): boolean => state.phase === 'closed' && state.atMs < atMs
