import type { Entry } from '../../../../src/ledger/entry.ts'
import { isoOf } from '../../../../src/moment.ts'
import type { Store } from '../../../../src/store.ts'
import { createPlainStore } from '../../../support/plain-store.ts'
import { rightSubject, type StoreMutation } from '../planted.ts'

const shown = 'shows everything as it was when it is opened again'
const taken = 'knows all keys as taken when it is opened again'
const goesOn = 'goes on where it was each time that it is opened again'

/** A store that is another one when it is opened again. */
const reopened = (
  bug: string,
  change: (right: Store) => Partial<Store>,
  ...caughtBy: readonly string[]
): StoreMutation => ({
  bug,
  makeSubject: () => {
    const right = createPlainStore()
    return { ...rightSubject(), store: right, reopen: async () => ({ ...right, ...change(right) }) }
  },
  caughtBy,
})

/** A store that keeps what was written in its memory, and writes it down when somebody asks for more. */
function writesLate(): StoreMutation {
  return {
    bug: 'writes down what it was given last when more is given to it',
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

/** A store that takes for taken what it was given since it was opened. */
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
})

export const reopeningMutations: readonly StoreMutation[] = [
  {
    bug: 'can’t be opened again, and does not say so',
    makeSubject: () => {
      const { reopen: _, ...subject } = rightSubject()
      return subject
    },
    caughtBy: ['runs against a store that is opened again'],
  },
  reopened('has lost everything when it is opened again', () => createPlainStore(), shown, taken, goesOn),
  writesLate(),
  reopened(
    'does not know which ids and keys of auctions are taken',
    (right) => ({ insertAuction: forgetsTaken(right).insertAuction }),
    taken,
  ),
  reopened('does not know which keys of entries are taken', (right) => ({ append: forgetsTaken(right).append }), taken),
  reopened('does not know which blocks are taken', () => ({ claimIdBlock: async () => 'claimed' }), taken),
  reopened('counts blocks anew', () => ({ highestIdBlock: async () => undefined }), shown, goesOn),
  reopened('has lost the keys of auctions', () => ({ findAuctionByKey: async () => undefined }), shown),
  reopened(
    'has lost the keys of entries',
    (right) => changedEntries(right, ({ requestKey: _, ...entry }) => entry),
    shown,
  ),
  reopened(
    'reads auctions in the order in which they were written',
    (right) => ({
      listAuctions: async (query) => {
        const { items, next } = await right.listAuctions(query)
        return { items: items.toSorted((a, b) => a.auction.id - b.auction.id), next }
      },
    }),
    shown,
    goesOn,
  ),
  reopened(
    'reads times without what is finer than a millisecond',
    (right) => ({
      findAuction: async (id) => {
        const auction = await right.findAuction(id)
        return auction && { ...auction, endTime: { ...auction.endTime, iso: isoOf(auction.endTime.epochMs) } }
      },
    }),
    shown,
  ),
  reopened(
    'has lost the agenda',
    (right) => ({
      listAuctions: async (query) =>
        query.order === 'agenda' ? { items: [], next: undefined } : right.listAuctions(query),
    }),
    shown,
  ),
  reopened(
    'reads the first entry of a ledger only',
    (right) => ({ listEntries: async (auctionId) => (await right.listEntries(auctionId, { limit: 9 })).slice(-1) }),
    shown,
    goesOn,
  ),
]
