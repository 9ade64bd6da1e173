import { createMemoryStore } from '@auction/adapters/memory'
import { isoOf } from '@auction/domain/moment'
import type { Store } from '@auction/domain/store'
import { lacking, type StoreMutation, wrongReopened } from '../planted.ts'
import { mapEntries, rightSubject } from '../subjects.ts'

const shown = 'returns the same data after it is reopened'
const taken = 'reports all keys as taken after it is reopened'
const goesOn = 'continues from its data each time it is reopened'

/** A store that keeps each write in memory until the next one. */
function writesLate(): StoreMutation {
  return {
    bug: 'writes each write to disk only at the next one',
    makeSubject: () => {
      let kept = createMemoryStore()
      const handle = (written: Store): Store => {
        const memory = createMemoryStore()
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
          claimNextIdBlock: (kind) => late((store) => store.claimNextIdBlock(kind)),
        }
      }
      return {
        ...rightSubject(),
        store: handle(kept),
        reopen: async () => {
          const before = kept
          kept = createMemoryStore()
          return before
        },
      }
    },
    caughtBy: [shown, taken, goesOn],
  }
}

/** A store that treats a key as taken only if it has received it since it was opened. */
const forgetsTaken = (right: Store): Pick<Store, 'insertAuction' | 'append'> => {
  const empty = createMemoryStore()
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

export const reopeningMutations: readonly StoreMutation[] = [
  lacking('cannot be reopened, and does not report that', 'runs with a reopened store', 'reopen'),
  wrongReopened('has lost everything when it is opened again', [shown, taken, goesOn], () => createMemoryStore()),
  writesLate(),
  wrongReopened('forgets the taken ids and keys of auctions', taken, (right) => ({
    insertAuction: forgetsTaken(right).insertAuction,
  })),
  wrongReopened('does not know which keys of entries are taken', taken, (right) => ({
    append: forgetsTaken(right).append,
  })),
  wrongReopened('counts blocks from the start', [taken, goesOn], () => ({
    claimNextIdBlock: createMemoryStore().claimNextIdBlock,
  })),
  wrongReopened('has lost the keys of auctions', shown, (right) => ({
    findAuctions: async (wanted) => ('ids' in wanted ? right.findAuctions(wanted) : []),
  })),
  wrongReopened('loses the keys of entries', shown, (right) =>
    mapEntries(right, (entries) => entries.map(({ requestKey: _, ...entry }) => entry)),
  ),
  wrongReopened('lists auctions in the order of their writes', [shown, goesOn], (right) => ({
    listAuctions: async (query) => {
      const { items, next } = await right.listAuctions(query)
      return { items: items.toSorted((a, b) => a.auction.id - b.auction.id), next }
    },
  })),
  wrongReopened('truncates times to milliseconds', shown, (right) => ({
    findAuction: async (id) => {
      const auction = await right.findAuction(id)
      return auction && { ...auction, endTime: { ...auction.endTime, iso: isoOf(auction.endTime.epochMs) } }
    },
  })),
  wrongReopened('loses the agenda', shown, (right) => ({
    listAuctions: async (query) =>
      query.order === 'agenda' ? { items: [], next: undefined } : right.listAuctions(query),
  })),
  wrongReopened('reads only the first entry of a ledger', [shown, goesOn], (right) => ({
    listEntries: async (auctionId) => (await right.listEntries(auctionId, { limit: 9 })).slice(-1),
  })),
]
