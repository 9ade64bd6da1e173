import { createMemoryStore } from '@auction/adapters/memory'
import type { StoreOperation } from '@auction/domain'
import type { AuctionId } from '@auction/domain/ids'
import type { CompleteStore, Entry } from '@auction/domain/store'
import { lacking, type StoreMutation, wrongCalls, wrongHandles, wrongSubject } from '../planted.ts'
import { pause } from '../prove-contract.ts'
import { type AnyCall, leavingOpen, rightSubject } from '../subjects.ts'
import { isHit, isMiss, remembering } from './remembering.ts'

const runs = 'runs with a second handle on the same data'
const auctions = 'shows an auction at once, after reads that did not find it'
const lists = 'lists an auction at once, after earlier reads of the lists'
const bidsOfBidder = 'lists a bid of a bidder at once, after lists of the previous ones'
const heads = 'shows a new head at once, after reads of the previous one'
const entries = 'shows an entry by its id and its key at once, after reads that did not find it'
const cutLists = 'shows new data after a read of a full page'
const agenda = 'shows a changed agenda at once, after earlier reads of it'
const conflicts = 'rolls back and leaves nothing open when a key is taken'
const openedAtOnce = 'opens several handles at once, each of which shows and stores data'
const later = 'shows all data to a handle that is opened later'

/** A handle that caches the heads that it has read or appended, until one of its appends fails. */
function cachingHeads(shared: CompleteStore): Partial<CompleteStore> {
  const known = new Map<AuctionId, Entry>()
  return {
    append: async (appended) => {
      const stored = await shared.append(appended)
      for (const entry of appended.slice(0, stored)) known.set(entry.auctionId, entry)
      for (const { auctionId } of appended.slice(stored)) known.delete(auctionId)
      return stored
    },
    findHeads: async (ids) => {
      for (const head of await shared.findHeads(ids.filter((id) => !known.has(id)))) known.set(head.auctionId, head)
      return ids.flatMap((id) => known.get(id) ?? [])
    },
  }
}

/**
 * A handle whose reads stay in the snapshot of a list that was cut at a full page, because that read was never
 * completed.
 */
function cuttingAtSnapshots(shared: CompleteStore): Partial<CompleteStore> {
  const read = remembering(shared.listEntries)
  let isCut = false
  return {
    listEntries: async (auctionId, query) => {
      const page = isCut ? await read(auctionId, query) : await shared.listEntries(auctionId, query)
      if (page.length === query.limit && !isCut) {
        await read(auctionId, query)
        isCut = true
      }
      return page
    },
  }
}

/** A handle that applies its changes of the agenda only to its lists. */
function changingAtHome(shared: CompleteStore): Partial<CompleteStore> {
  const dueMs = new Map<AuctionId, number>()
  return {
    updateAgenda: async (updates) => {
      for (const update of updates) if ('dueMs' in update) dueMs.set(update.auctionId, update.dueMs)
      await shared.updateAgenda(updates.filter((update) => 'endedMs' in update))
    },
    listAuctions: async (query) => {
      const { items, next } = await shared.listAuctions(query)
      if (query.order === 'newest') return { items, next }
      const own = items.map(({ auction, position }) => ({
        auction,
        position: { ...position, timeMs: dueMs.get(auction.id) ?? position.timeMs },
      }))
      return { items: own.toSorted((a, b) => a.position.timeMs - b.position.timeMs), next }
    },
  }
}

/** The operations that may remember what they did not find, and the tests that notice it. */
const lookedFor = {
  findAuction: auctions,
  findAuctions: auctions,
  findEntries: entries,
  findEntriesByKey: entries,
  findHeads: heads,
  listEntries: heads,
  listBidderEntries: bidsOfBidder,
} as const
/** The operations that may remember what they found. */
const growing = {
  findHeads: heads,
  listEntries: heads,
  listBidderEntries: bidsOfBidder,
  listAuctions: lists,
} as const

/** A store that remembers what an operation returned, if that is worth it. */
const remembers =
  (operation: StoreOperation, isWorthIt?: (value: unknown) => boolean) =>
  (right: CompleteStore): Partial<CompleteStore> => ({
    [operation]: remembering(right[operation] as AnyCall, isWorthIt), // Any of them.
  })

/** Stores with one handle, which remembers what it has read. */
const rereading: readonly StoreMutation[] = [
  ...Object.entries(lookedFor).map(([operation, caughtBy]) =>
    wrongCalls(`remembers what ${operation} did not find`, caughtBy, remembers(operation as StoreOperation, isMiss)),
  ),
  ...Object.entries(growing).map(([operation, caughtBy]) =>
    wrongCalls(`remembers what ${operation} returned`, caughtBy, remembers(operation as StoreOperation, isHit)),
  ),
]

export const visibilityMutations: readonly StoreMutation[] = [
  ...rereading,
  lacking('has no second handle, and does not report that', runs, 'openSecondHandle'),
  wrongSubject('opens one handle at a time', openedAtOnce, ({ openSecondHandle }) => {
    let isOpening = false
    return {
      async openSecondHandle() {
        if (isOpening) throw new Error('deadlock detected')
        isOpening = true
        await pause()
        isOpening = false
        return (await openSecondHandle?.()) ?? createMemoryStore()
      },
    }
  }),
  wrongHandles('has separate data in each handle', [auctions, lists, heads, entries, conflicts, later], () =>
    createMemoryStore(),
  ),
  wrongHandles('caches missing auctions in each handle', auctions, remembers('findAuction', isMiss)),
  wrongHandles('caches unused keys of auctions in each handle', auctions, remembers('findAuctions', isMiss)),
  wrongHandles('caches lists in each handle', [lists, agenda], remembers('listAuctions')),
  wrongHandles('changes the agenda in the memory of each handle', agenda, changingAtHome),
  wrongHandles('caches missing heads in each handle', [heads, entries], remembers('findHeads', isMiss)),
  wrongHandles('remembers heads in each handle', heads, cachingHeads),
  wrongHandles('caches lists of entries in each handle', heads, remembers('listEntries')),
  wrongHandles('caches missing entries in each handle', entries, remembers('findEntries', isMiss)),
  wrongHandles('caches unused keys of entries in each handle', entries, remembers('findEntriesByKey', isMiss)),
  wrongHandles('reads a snapshot after a full page', cutLists, cuttingAtSnapshots),
  {
    bug: 'leaves a transaction open after a taken key',
    makeSubject: () => leavingOpen(({ hasConflict }) => hasConflict),
    caughtBy: [conflicts],
  },
  {
    bug: 'opens handles without data',
    makeSubject: () => ({ ...rightSubject(), openSecondHandle: async () => createMemoryStore() }),
    caughtBy: [later],
  },
]
