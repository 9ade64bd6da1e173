import type { Entry, Store } from '@auction/domain/store'
import { sampleAuction } from '../../src/samples.ts'
import { type StoreMutation, wrongCalls, wrongSubject } from './planted.ts'
import { pause } from './prove-contract.ts'
import { away, remembering } from './subjects.ts'

const mixed = 'runs a hundred operations of all kinds at once, each as if it were alone'
const growing = 'shows the first entries of a growing ledger at any moment, and never fewer than before'
const crossed = 'returns taken only for a key that something keeps, when many writes share keys'
const gone = 'never shows an auction or entry that loses the competition for a key'
const winner = (what: string) => `lets exactly one of many concurrent ${what} win, and lets all callers find it`
const conflict = 'ends only the append that has a taken key, at that key'
const untrue = [
  winner('appends of a sequence'),
  winner('appends of an id'),
  conflict,
  `${conflict}, contended`,
  'refuses in concurrent appends with common keys only what another append has stored',
  ...['', 'contended '].flatMap((kind) => [
    `stores exactly one of several concurrent ${kind}appends of an auction, completely`,
    `stores entries once when several concurrent ${kind}appends have them`,
  ]),
]
const abandoned = ['', ', contended'].map(
  (kind) => `stores what an aborted append returns, and all of the others${kind}`,
)
const updatesAtOnce = 'makes concurrent updates of one auction, in any order'
const openedAtOnce = 'opens several handles at once, each of which shows and stores data'

const aborted = 'completes an aborted append, or refuses it and stores nothing'
const abortedReads = 'completes aborted reads and lists, or refuses them'
const manyAborted = 'keeps working after many calls were aborted that waited for their turn'
const leavesOpen = (call: string) =>
  `leaves nothing open when ${call} is aborted, whenever the store looks at the signal`

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

/** A store that shows entries before they are stored completely, and hides them again. */
const showingEarly = (right: Store): Partial<Store> => {
  let shown: readonly Entry[] = []
  return {
    append: async (entries) => {
      shown = entries
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

/** A store that records keys as taken before it stores the entries that take them. */
const reservingKeys = (right: Store): Partial<Store> => {
  const reserved = new Set<unknown>()
  const isTaken = (key: unknown) => key !== undefined && (reserved.has(key) || !reserved.add(key))
  return {
    append: async (entries) => {
      if (entries.some(({ requestKey }) => isTaken(requestKey))) return 0
      await pause()
      return right.append(entries)
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
        for (const key of [`key ${requestKey}`, `id ${id}`, `position ${auctionId} ${sequence}`]) {
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
const removingAgain = (right: Store): Partial<Store> => {
  let early: readonly Entry[] = []
  return {
    append: async (entries) => {
      early = [...early, ...entries]
      await pause()
      early = early.filter((entry) => !entries.includes(entry))
      return right.append(entries)
    },
    findEntries: async (ids) => [...early.filter(({ id }) => ids.includes(id)), ...(await right.findEntries(ids))],
  }
}

/** A store that locks auctions, and refuses updates that meet a lock. */
const deadlocking = (right: Store): Partial<Store> => {
  const locked = new Set<number>()
  return {
    updateAgenda: async (updates) => {
      for (const { auctionId } of updates) {
        if (locked.has(auctionId)) throw new Error('deadlock detected')
        locked.add(auctionId)
      }
      await pause()
      locked.clear()
      await right.updateAgenda(updates)
    },
  }
}

/** A pool that loses a connection when a call is aborted that waits for it. */
const losingConnections = (right: Store): Partial<Store> => {
  let free = 20
  return {
    findHeads: async (ids, signal) => {
      // Instead of a wait that never ends.
      if (free <= 0) throw away()
      await pause()
      free -= 1
      if (signal?.aborted) throw away()
      const heads = await right.findHeads(ids)
      free += 1
      return heads
    },
  }
}

/** A store that keeps the keys of an append that is aborted within its transaction. */
const keepingLocks = (right: Store): Partial<Store> => {
  const held = new Set<unknown>()
  return {
    append: async (entries, options) => {
      if (options?.signal?.aborted || held.has(entries[0]?.auctionId)) throw away()
      await pause()
      if (options?.signal?.aborted) {
        held.add(entries[0]?.auctionId)
        throw away()
      }
      return right.append(entries)
    },
  }
}

/** A store that stays in the snapshot of a read that is aborted within it. */
const keepingSnapshot = (right: Store): Partial<Store> => {
  const listAgain = remembering(right.listEntries)
  let isLeft = false
  return {
    findHeads: async (ids, signal) => {
      if (signal?.aborted) throw away()
      await pause()
      isLeft ||= signal?.aborted === true
      return right.findHeads(ids)
    },
    listEntries: (...query) => (isLeft ? listAgain : right.listEntries)(...query),
  }
}

/** Bugs that show when calls are made at once, or are aborted. */
export const bugsAtOnce: readonly StoreMutation[] = [
  wrongCalls('reports all entries of an append as stored', untrue, (right) => ({
    append: async (entries) => {
      await right.append(entries)
      return entries.length
    },
  })),
  wrongCalls('reports an aborted append as stored that it omitted', abandoned, (right) => ({
    append: async (entries, options) => (options?.signal?.aborted ? entries.length : right.append(entries, options)),
  })),
  wrongCalls('rolls back the writes of others when an append meets a taken key', mixed, sharingTransaction),
  wrongCalls('shows entries, and hides them again', growing, showingEarly),
  wrongCalls('stores entries, and removes those with a taken key', gone, removingAgain),
  wrongCalls('refuses keys that no stored entry has', crossed, notingOneByOne),
  wrongCalls('reports a key as taken too early', winner('appends of a request’s key'), reservingKeys),
  wrongCalls('refuses concurrent updates', updatesAtOnce, deadlocking),
  wrongSubject('opens one handle at a time', openedAtOnce, ({ store }) => {
    let isOpening = false
    return {
      async openSecondHandle() {
        if (isOpening) throw new Error('deadlock detected')
        isOpening = true
        await pause()
        isOpening = false
        return store
      },
    }
  }),

  wrongCalls('finds nothing for an aborted read', abortedReads, (right) => ({
    listEntries: (auctionId, query) =>
      right.listEntries(query.signal?.aborted ? sampleAuction({ id: 99 }).id : auctionId, query),
  })),
  wrongCalls('fails all appends after an aborted one', aborted, (right) => {
    let isLeft = false
    return {
      append: async (entries, options) => {
        isLeft ||= options?.signal?.aborted === true
        if (isLeft) throw away()
        return right.append(entries)
      },
    }
  }),
  wrongCalls('loses a connection when a waiting read is aborted', manyAborted, losingConnections),
  wrongCalls(
    'keeps the keys of an append that is aborted',
    ['an append', 'a contended append'].map(leavesOpen),
    keepingLocks,
  ),
  wrongCalls('stays in the snapshot of a read that is aborted', leavesOpen('a read'), keepingSnapshot),
]
