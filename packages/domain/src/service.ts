import { createAuctionLedger } from './auction/auction-ledger.ts'
import type { AuctionEntry } from './auction/entry.ts'
import { isPublicEntry, publicSequenceOf } from './auction/public-sequence.ts'
import type { Clock } from './clock.ts'
import { createHooks, type Extend, type Stored } from './hooks.ts'
import { createPaceKeeper } from './ledger/contention.ts'
import { createLanes } from './ledger/lanes.ts'
import type { EntryIds } from './ledger/proposals.ts'
import type { Written } from './ledger/recording.ts'
import { createLifetime } from './lifetime.ts'
import { createReadLimit, type Limits, limitsWith } from './limits.ts'
import { type Backlog, createSafeObserver, notifySafely, type Observer } from './observer.ts'
import { createRegisters } from './registers.ts'
import { createSales } from './sales.ts'
import { noSealer, type Sealer } from './sealer.ts'
import { createBatchedReads } from './store/batched-reads.ts'
import { createGuardedStore, requiredOperations } from './store/guarded-store.ts'
import { createIdsFromBlocks, createScatteredIds } from './store/ids-from-blocks.ts'
import type { Store } from './store/store.ts'
import { createTimeLimit } from './time-limit.ts'
import type { AddLots } from './use-cases/add-lots.ts'
import { createAgenda } from './use-cases/agenda.ts'
import { createAuctionViews } from './use-cases/auction-views.ts'
import { type BuyNow, buyNowUseCase } from './use-cases/buy-now.ts'
import { type CancelAuction, cancelAuctionUseCase } from './use-cases/cancel-auction.ts'
import type { CancelLots } from './use-cases/cancel-lots.ts'
import { type CloseDue, createCloser } from './use-cases/close-due.ts'
import { type CorrectAuction, correctAuctionUseCase } from './use-cases/correct-auction.ts'
import { type CreateAuction, createAuctionUseCase } from './use-cases/create-auction.ts'
import type { CreateRegister } from './use-cases/create-register.ts'
import type { CreateSale } from './use-cases/create-sale.ts'
import { type EndAuction, endAuctionUseCase } from './use-cases/end-auction.ts'
import { type ExtendAuction, extendAuctionUseCase } from './use-cases/extend-auction.ts'
import type { ExtendSale } from './use-cases/extend-sale.ts'
import { createInsertion } from './use-cases/insert-auction.ts'
import { type ListAuctions, listAuctionsUseCase } from './use-cases/list-auctions.ts'
import { type ListBids, listBidsUseCase } from './use-cases/list-bids.ts'
import { type ListBidsOfBidder, listBidsOfBidderUseCase } from './use-cases/list-bids-of-bidder.ts'
import { type ListEvents, listEventsUseCase } from './use-cases/list-events.ts'
import { type ListRepairs, listRepairsUseCase } from './use-cases/list-repairs.ts'
import { type LowerReserve, lowerReserveUseCase } from './use-cases/lower-reserve.ts'
import { type MakeOffer, makeOfferUseCase } from './use-cases/make-offer.ts'
import { type PlaceBid, placeBidUseCase } from './use-cases/place-bid.ts'
import {
  type ReadAuction,
  type ReadAuctionAt,
  readAuctionAtUseCase,
  readAuctionUseCase,
} from './use-cases/read-auction.ts'
import { type ReadBid, readBidUseCase } from './use-cases/read-bid.ts'
import type { ListBidders, ListRegisters, ReadBidder, ReadRegister } from './use-cases/read-registers.ts'
import type { ListLotIds, ListLots, ListSales, ReadSale } from './use-cases/read-sales.ts'
import { createRecentEvents, type Head } from './use-cases/recent-events.ts'
import { type RelistAuction, relistAuctionUseCase } from './use-cases/relist-auction.ts'
import type { SetBidders } from './use-cases/set-bidders.ts'
import { createSubmitForBidder } from './use-cases/submit-for-bidder.ts'
import { createWatching, type WatchAuction, type WatchSale } from './use-cases/watch-auctions.ts'
import { type WithdrawBidder, withdrawBidderUseCase } from './use-cases/withdraw-bidder.ts'
import { createWithdrawEverywhere } from './use-cases/withdraw-everywhere.ts'
import { type WithdrawOwnBid, withdrawOwnBidUseCase } from './use-cases/withdraw-own-bid.ts'
import type { AuctionId, EntryId } from './values/ids.ts'

export type AuctionServiceParts = {
  readonly store: Store
  readonly clock: Clock
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<Limits>
  /** Seals the bids of sealed auctions. Without it, there can be none. */
  readonly sealer?: Sealer
  /** Receives internal events, for metrics and traces. */
  readonly observer?: Observer
}

export type AuctionService = {
  readonly createAuction: CreateAuction
  readonly relistAuction: RelistAuction
  readonly makeOffer: MakeOffer
  readonly placeBid: PlaceBid
  readonly buyNow: BuyNow
  readonly cancelAuction: CancelAuction
  readonly correctAuction: CorrectAuction
  readonly withdrawBidder: WithdrawBidder
  readonly withdrawOwnBid: WithdrawOwnBid
  readonly extendAuction: ExtendAuction
  readonly endAuction: EndAuction
  readonly lowerReserve: LowerReserve
  readonly createRegister: CreateRegister
  readonly setBidders: SetBidders
  readonly readRegister: ReadRegister
  readonly listRegisters: ListRegisters
  readonly readBidder: ReadBidder
  readonly listBidders: ListBidders
  readonly createSale: CreateSale
  readonly addLots: AddLots
  readonly extendSale: ExtendSale
  readonly cancelLots: CancelLots
  readonly readSale: ReadSale
  readonly listSales: ListSales
  readonly listLots: ListLots
  readonly listLotIds: ListLotIds
  readonly readAuction: ReadAuction
  readonly readAuctionAt: ReadAuctionAt
  readonly readBid: ReadBid
  readonly listAuctions: ListAuctions
  readonly listBids: ListBids
  readonly listBidsOfBidder: ListBidsOfBidder
  readonly listEvents: ListEvents
  readonly listRepairs: ListRepairs
  readonly watchAuction: WatchAuction
  readonly watchSale: WatchSale
  readonly closeDue: CloseDue
  readonly extend: Extend
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

/**
 * The ledgers that are read whole at the same time, a page of each in memory. Further ones are refused as `overloaded`.
 */
const maxReadLedgers = 20

/**
 * Creates the service for a store. Create one per process, because the commands of a service share lanes and appends.
 * Several services may share a store.
 * @throws TypeError that names a missing store, clock or function of either
 * @throws InvalidValueError that names an invalid limit
 */
export function createAuctionService(parts: AuctionServiceParts): AuctionService {
  const { clock, sealer = noSealer } = requireParts(parts)
  const limits = limitsWith(parts.limits)
  const observer = parts.observer && createSafeObserver(parts.observer)
  const { start: startTiming, handoverMs } = createPaceKeeper(clock, limits.deadlineMs)
  const guarded = createGuardedStore({ store: parts.store, clock, limits, observer, startTiming })
  const store = { ...guarded, ...createBatchedReads(guarded) }
  const auctionIds = createIdsFromBlocks<AuctionId>(guarded, 'auctions', limits.auctionIdsPerBlock)
  const entryIds = createEntryIds(guarded, limits.entryIdsPerBlock, sealer)
  const limit = createTimeLimit(clock, limits.deadlineMs)
  const { whileOpen, inBackground, close } = createLifetime(limit)
  const appendedSince = parts.store.appendedSince?.bind(parts.store)
  const watching = createWatching({ store: { ...store, appendedSince }, clock, limit, inBackground, observer })
  const hooks = createHooks()
  const recentEvents = createRecentEvents()
  const laneParts = { clock, ids: entryIds, limits, limit, handoverMs, observer }
  const onWritten = createNotices({ hooks, recentEvents, watching })
  const lanes = createLanes({ ...laneParts, kind: createAuctionLedger(sealer), store, onWritten })
  const limited = createReadLimit(limits.maxReads)
  const registers = createRegisters({ ...laneParts, store, auctionIds })
  const limitedLedgers = createReadLimit(maxReadLedgers)
  const updateAgenda = inBackground(createAgenda(store, hooks.beforeLeavingAgenda))
  // Each closing is tracked separately, so that `closeDue` ends soon after `close`.
  const submitWith = whileOpen(lanes.submitWith)
  const closer = createCloser({ store, clock, limits, lanes: { submitWith }, updateAgenda, observer, sealer })
  const views = createAuctionViews({ store, observer })
  const inserting = { ...laneParts, store, ids: auctionIds, lanes, onStored: hooks.onStored, sealer }
  const insertAuction = createInsertion(inserting)
  const creating = { store, clock, limit, observer, insertAuction }
  const agendaLimit = createTimeLimit(clock, Math.min(agendaMs, limits.deadlineMs * agendaShare))
  const readEvents = listEventsUseCase({ store })
  const recording = { store, lanes, clock, updateAgenda, agendaLimit }
  const submitForBidder = createSubmitForBidder({ lanes, lists: registers.lists, clock, limits, limit })
  const withdrawBidder = limitedLedgers(withdrawBidderUseCase({ store, lanes, clock, limit }))
  const withdrawEverywhere = createWithdrawEverywhere({ store, withdrawBidder, clock, limits })
  const cancelAuction = cancelAuctionUseCase(recording)
  const findRegister = registers.find
  const ofSales = { auctionIds, auctionLanes: lanes, findRegister, insertAuction, cancelAuction, sealer }
  const sales = createSales({ ...laneParts, ...ofSales, store, views, watching, whileOpen, limited, limitedLedgers })
  return {
    createAuction: whileOpen(createAuctionUseCase({ ...creating, findRegister })),
    relistAuction: whileOpen(limited(relistAuctionUseCase(creating))),
    makeOffer: whileOpen(limitedLedgers(makeOfferUseCase({ ...creating, sealer }))),
    placeBid: whileOpen(placeBidUseCase({ submitForBidder, sealer })),
    buyNow: whileOpen(buyNowUseCase({ ...recording, submitForBidder })),
    cancelAuction: whileOpen(cancelAuction),
    // A correction and an early end are limited like reads, because they call the store before their command is queued.
    correctAuction: whileOpen(limited(correctAuctionUseCase({ ...recording, limit }))),
    extendAuction: whileOpen(extendAuctionUseCase(recording)),
    endAuction: whileOpen(limited(endAuctionUseCase({ ...recording, limit }))),
    lowerReserve: whileOpen(lowerReserveUseCase(recording)),
    withdrawBidder: whileOpen(withdrawBidder),
    withdrawOwnBid: whileOpen(limited(withdrawOwnBidUseCase({ store, lanes, clock, limit }))),
    ...registers.useCases({ withdrawEverywhere, whileOpen, limited }),
    ...sales,
    readAuction: whileOpen(limited(readAuctionUseCase({ store, clock, limits, sealer }))),
    readAuctionAt: whileOpen(limited(readAuctionAtUseCase({ store, clock, limits }))),
    readBid: whileOpen(limited(readBidUseCase({ store, clock, limits, sealer }))),
    listAuctions: whileOpen(limited(listAuctionsUseCase({ store, clock, limits, views, observer }))),
    listBids: whileOpen(limited(listBidsUseCase({ store, clock, limits, sealer }))),
    listBidsOfBidder: whileOpen(limited(listBidsOfBidderUseCase({ store, clock, limits, views, sealer }))),
    listEvents: whileOpen(recentEvents.insteadOf(limited(readEvents))),
    listRepairs: whileOpen(limited(listRepairsUseCase({ store }))),
    watchAuction: watching.watchAuction,
    closeDue: whileOpen(closer.closeDue),
    extend(added) {
      hooks.add(added)
      const listEvents: ListEvents = (id, query) => readEvents(id, { ...query, seesPrivate: true })
      return { store, clock, limit, observer, listEvents: recentEvents.insteadOf(listEvents) }
    },
    backlog: () => ({ ...lanes.backlog(), ...closer.backlog() }),
    close() {
      watching.close()
      return close()
    },
  }
}

type NoticeParts = {
  readonly hooks: ReturnType<typeof createHooks>
  readonly recentEvents: Pick<ReturnType<typeof createRecentEvents>, 'note'>
  readonly watching: Pick<ReturnType<typeof createWatching>, 'isWatched' | 'onWritten'>
}

/** Lets those who follow auctions know of written entries. */
const createNotices =
  ({ hooks, recentEvents, watching }: NoticeParts) =>
  (written: Written<AuctionEntry>, entries: readonly AuctionEntry[], head: Head): void => {
    const stored = entries.slice(0, written.stored)
    const [entry] = stored
    // Followers read an entry whose event cannot be made.
    if (entry !== undefined && (hooks.hasAny() || watching.isWatched(entry.auctionId)))
      notifySafely(() => recentEvents.note(head, stored))(undefined)
    watching.onWritten(written, entries)
    const shown = entry === undefined || isAfterEnd(entry) ? undefined : shownOf(stored)
    if (shown !== undefined) hooks.onStored(shown)
  }

const createEntryIds = (store: Pick<Store, 'claimNextIdBlock'>, idsPerBlock: number, { draw }: Sealer): EntryIds => ({
  ...createIdsFromBlocks<EntryId>(store, 'entries', idsPerBlock),
  nextScattered: createScatteredIds<EntryId>(store, 'entries', idsPerBlock, draw),
})

/** What everyone may see of entries of one auction. Undefined if that is nothing. */
function shownOf(entries: readonly AuctionEntry[]): Stored | undefined {
  const shown = entries.filter(isPublicEntry)
  const [first, last] = [shown[0], shown.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const sequenceOf = ({ state, sequence }: AuctionEntry) => publicSequenceOf(state, sequence)
  return { auctionId: first.auctionId, first: sequenceOf(first), last: sequenceOf(last) }
}

/** A cancellation of a cancelled auction has no event, and a follower of the auction may have forgotten it already. */
const isAfterEnd = ({ state, atMs }: AuctionEntry): boolean => state.phase === 'closed' && state.atMs < atMs

const clockFunctions = ['nowMs', 'after'] as const satisfies readonly (keyof Clock)[]

/** JavaScript programs may pass any value, such as the promise of a store. */
function requireParts(parts: AuctionServiceParts): AuctionServiceParts {
  const { store, clock }: { readonly store?: unknown; readonly clock?: unknown } = Object(parts)
  requireFunctions('store of an auction service', store, requiredOperations)
  requireFunctions('clock of an auction service', clock, clockFunctions)
  return parts
}

function requireFunctions(name: string, part: unknown, functions: readonly string[]): void {
  if (part instanceof Promise) throw new TypeError(`the ${name} must be awaited: it is a promise`)
  const missing = functions.find((required) => typeof Object(part)[required] !== 'function')
  if (missing === undefined) return
  throw new TypeError(`the ${name} must be an object with the function ${missing}`)
}
