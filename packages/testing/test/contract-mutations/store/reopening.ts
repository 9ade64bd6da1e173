import { isoOf } from '@auction/domain/moment'
import type { Entry, Store } from '@auction/domain/store'
import { createPlainStore } from '../../../../domain/test/support/plain-store.ts'
import { lacking, type Plant, type StoreMutation } from '../planted.ts'
import { rightSubject } from '../subjects.ts'

const shown = 'returns the same data after it is reopened'
const taken = 'reports all keys as taken after it is reopened'
const goesOn = 'continues from its data each time it is reopened'

/** A store that is wrongCalls when it is reopened. */
const reopened: Plant<(right: Store) => Partial<Store>> = (bug, caughtBy, change) => ({
  bug,
  makeSubject: () => {
    const right = createPlainStore()
    return { ...rightSubject(), store: right, reopen: async () => ({ ...right, ...change(right) }) }
  },
  caughtBy,
})

/** A store that keeps each write in memory until the next one. */
function writesLate(): StoreMutation {
  return {
    bug: 'writes each write to disk only at the next one',
    makeSubject: () => {
      let kept = createPlainStore()
      const handle = (written: Store): Store => {
        const memory = createPlainStore()
        let last: (() => Promise<unknown>) | undefined
        const late = async <Value>(write: (store: Store) => Promise<Value>) => {
          await last?.()
          last = () => write(written)
          return write(memory)
        }
        return {
          ...memory,
          insertAuction: (auction) => late((store) => store.insertAuction(auction)),
          append: (entries) => late((store) => store.append(entries)),
          claimIdBlock: (kind, block) => late((store) => store.claimIdBlock(kind, block)),
        }
      }
      return {
        ...rightSubject(),
        store: handle(kept),
        reopen: async () => {
          const before = kept
          kept = createPlainStore()
          return before
        },
      }
    },
    caughtBy: [shown, taken, goesOn],
  }
}

/** A store that treats a key as taken only if it has received it since it was opened. */
const forgetsTaken = (right: Store): Pick<Store, 'insertAuction' | 'append'> => {
  const empty = createPlainStore()
  return {
    insertAuction: async (auction) => {
      await right.insertAuction(auction)
      return empty.insertAuction(auction)
    },
    append: async (entries) => {
      await right.append(entries)
      return empty.append(entries)
    },
  }
}

const changedEntries = (right: Store, change: (entry: Entry) => Entry): Partial<Store> => ({
  findHeads: async (ids) => (await right.findHeads(ids)).map(change),
  findEntries: async (ids) => (await right.findEntries(ids)).map(change),
  findEntriesByKey: async (keys) => (await right.findEntriesByKey(keys)).map(change),
  listEntries: async (auctionId, query) => (await right.listEntries(auctionId, query)).map(change),
  listBidderEntries: async (bidderId, query) => (await right.listBidderEntries(bidderId, query)).map(change),
})

export const reopeningMutations: readonly StoreMutation[] = [
  lacking('cannot be reopened, and does not report that', 'runs with a reopened store', 'reopen'),
  reopened('has lost everything when it is opened again', [shown, taken, goesOn], () => createPlainStore()),
  writesLate(),
  reopened('forgets the taken ids and keys of auctions', taken, (right) => ({
    insertAuction: forgetsTaken(right).insertAuction,
  })),
  reopened('does not know which keys of entries are taken', taken, (right) => ({ append: forgetsTaken(right).append })),
  reopened('does not know which blocks are taken', taken, () => ({ claimIdBlock: async () => 'claimed' })),
  reopened('counts blocks from the start', [shown, goesOn], () => ({ highestIdBlock: async () => undefined })),
  reopened('has lost the keys of auctions', shown, () => ({ findAuctionByKey: async () => undefined })),
  reopened('loses the keys of entries', shown, (right) =>
    changedEntries(right, ({ requestKey: _, ...entry }) => entry),
  ),
  reopened('lists auctions in the order of their writes', [shown, goesOn], (right) => ({
    listAuctions: async (query) => {
      const { items, next } = await right.listAuctions(query)
      return { items: items.toSorted((a, b) => a.auction.id - b.auction.id), next }
    },
  })),
  reopened('truncates times to milliseconds', shown, (right) => ({
    findAuction: async (id) => {
      const auction = await right.findAuction(id)
      return auction && { ...auction, endTime: { ...auction.endTime, iso: isoOf(auction.endTime.epochMs) } }
    },
  })),
  reopened('loses the agenda', shown, (right) => ({
    listAuctions: async (query) =>
      query.order === 'agenda' ? { items: [], next: undefined } : right.listAuctions(query),
  })),
  reopened('reads only the first entry of a ledger', [shown, goesOn], (right) => ({
    listEntries: async (auctionId) => (await right.listEntries(auctionId, { limit: 9 })).slice(-1),
  })),
]
