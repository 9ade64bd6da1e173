import { createMemoryStore } from '@auction/adapters/memory'
import type { Auction } from '@auction/domain/auction'
import type { Entry, Store } from '@auction/domain/store'
import { type StoreMutation, wrongCalls } from '../planted.ts'
import { pause } from '../prove-contract.ts'

const mixed = 'runs a hundred operations of all kinds at once, each as if it were alone'
const growing = 'shows the first entries of a growing ledger at any moment, and never fewer than before'
const crossed = 'returns taken only for a key that something keeps, when many writes share keys'
const gone = 'never shows an auction or entry that loses the competition for a key'
const entryKeyRace = 'lets exactly one of many concurrent appends of a request’s key win, and lets all callers find it'
const auctionKeyRace =
  'lets exactly one of many concurrent inserts of auctions under one key win, and lets all callers find it'

/**
 * A store with one transaction for all concurrent writes: if an append meets a taken key, the writes of others are
 * rolled back.
 */
const sharingTransaction = (right: Store): Partial<Store> => {
  let isUndone: Promise<boolean> = Promise.resolve(false)
  return {
    append: (entries) => {
      const appended = right.append(entries)
      isUndone = appended.then((stored) => stored < entries.length)
      return appended
    },
    insertAuction: async (auction) => ((await isUndone) ? 'inserted' : right.insertAuction(auction)),
  }
}

/** A store that refuses operations that it cannot start immediately. */
const refusingMany = (right: Store): Partial<Store> => {
  let underWay = 0
  return {
    claimNextIdBlock: async (kind) => {
      underWay += 1
      await pause()
      if (underWay > 10) throw new Error('database is locked')
      underWay -= 1
      return right.claimNextIdBlock(kind)
    },
  }
}

/** Entries that reads show before they are stored completely. */
const shownEarly =
  (early: (entries: readonly Entry[]) => readonly Entry[]) =>
  (right: Store): Partial<Store> => {
    let shown: readonly Entry[] = []
    return {
      append: async (entries) => {
        shown = early(entries)
        await pause()
        shown = []
        return right.append(entries)
      },
      listEntries: async (auctionId, query) => [
        ...shown.filter((entry) => entry.auctionId === auctionId).toReversed(),
        ...(await right.listEntries(auctionId, query)),
      ],
    }
  }

/** A store that reads heads from a copy, which is updated later. */
const laggingHeads = (right: Store): Partial<Store> => {
  const copy = createMemoryStore()
  return {
    append: async (entries) => {
      const appended = await right.append(entries)
      await pause()
      await copy.append(entries)
      return appended
    },
    findHeads: copy.findHeads,
  }
}

/** A store that records keys as taken before it stores the entries that take them. */
const reservingKeys = (right: Store): Pick<Store, 'append' | 'insertAuction'> => {
  const reserved = new Set<unknown>()
  const isTaken = (key: unknown) => key !== undefined && (reserved.has(key) || !reserved.add(key))
  return {
    append: async (entries) => {
      if (entries.some(({ requestKey }) => isTaken(requestKey))) return 0
      await pause()
      return right.append(entries)
    },
    insertAuction: async (auction) => {
      if (isTaken(auction.requestKey)) return 'taken'
      await pause()
      return right.insertAuction(auction)
    },
  }
}

/** A store that records the keys of an entry one by one, and releases them if one is taken. */
const notingOneByOne = (right: Store): Partial<Store> => {
  const noted = new Set<string>()
  return {
    append: async (entries) => {
      const own: string[] = []
      for (const { id, auctionId, sequence, requestKey } of entries) {
        for (const key of [`key ${requestKey}`, `id ${id}`, `place ${auctionId} ${sequence}`]) {
          await pause()
          if (noted.has(key)) {
            for (const each of own) noted.delete(each)
            return 0
          }
          noted.add(key)
          own.push(key)
        }
      }
      return right.append(entries)
    },
  }
}

/** A store that stores first, then checks whether a key was taken, and removes what it should not have stored. */
const removingAgain = (right: Store): Pick<Store, 'append' | 'findEntries' | 'insertAuction' | 'listAuctions'> => {
  let early: { readonly entries: readonly Entry[]; readonly auctions: readonly Auction[] } = {
    entries: [],
    auctions: [],
  }
  return {
    append: async (entries) => {
      early = { ...early, entries: [...early.entries, ...entries] }
      await pause()
      early = { ...early, entries: early.entries.filter((entry) => !entries.includes(entry)) }
      return right.append(entries)
    },
    findEntries: async (ids) => [
      ...early.entries.filter(({ id }) => ids.includes(id)),
      ...(await right.findEntries(ids)),
    ],
    insertAuction: async (auction) => {
      early = { ...early, auctions: [...early.auctions, auction] }
      await pause()
      early = { ...early, auctions: early.auctions.filter((each) => each !== auction) }
      return right.insertAuction(auction)
    },
    listAuctions: async (query) => {
      const { items, next } = await right.listAuctions(query)
      const shown = early.auctions.map((auction) => ({
        auction,
        position: { order: query.order, timeMs: auction.createdAtMs, id: auction.id },
      }))
      return { items: [...shown, ...items], next }
    },
  }
}

export const atOnceMutations: readonly StoreMutation[] = [
  wrongCalls('rolls back the writes of others when an append meets a taken key', mixed, sharingTransaction),
  wrongCalls('refuses more than a few operations at once', mixed, refusingMany),
  wrongCalls(
    'shows the last entry of an append first',
    growing,
    shownEarly((entries) => entries.slice(-1)),
  ),
  wrongCalls(
    'shows entries before their states',
    growing,
    shownEarly((entries) =>
      entries.map((entry) => ({ ...entry, state: { phase: 'open', bidCount: 0, leader: null, atMs: 0 } })),
    ),
  ),
  wrongCalls(
    'shows entries, and hides them again',
    growing,
    shownEarly((entries) => entries),
  ),
  wrongCalls('reads heads from an outdated copy', growing, laggingHeads),
  wrongCalls('stores entries, and removes those with a taken key', gone, (right) => {
    const { append, findEntries } = removingAgain(right)
    return { append, findEntries }
  }),
  wrongCalls('stores auctions, and removes those with a taken key', gone, (right) => {
    const { insertAuction, listAuctions } = removingAgain(right)
    return { insertAuction, listAuctions }
  }),
  wrongCalls('refuses keys that no stored entry has', crossed, notingOneByOne),
  wrongCalls('reports a key of an entry as taken too early', entryKeyRace, (right) => ({
    append: reservingKeys(right).append,
  })),
  wrongCalls('reports a key of an auction as taken too early', auctionKeyRace, (right) => ({
    insertAuction: reservingKeys(right).insertAuction,
  })),
]
