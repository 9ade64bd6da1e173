import { createMemoryStore } from '@auction/adapters/memory'
import type { Entry, Store, StoredAuction } from '@auction/domain/store'
import { lacking, type Plant, type StoreMutation, wrongOnFailure } from '../planted.ts'
import { pause } from '../prove-contract.ts'
import { away, type FaultName, faults, leavingOpen, type Power } from '../subjects.ts'

const names = Object.keys(faults) as readonly FaultName[] // All of its names.
const auctionAfter = (fault: FaultName) =>
  `stores an auction whose insert fails because of ${fault} for all handles or for none`
const entriesAfter = (fault: FaultName) =>
  `stores a prefix of the entries whose append fails because of ${fault}, the same for all handles`
const blockAfter = (fault: FaultName) =>
  `claims a block of ids whose claim fails because of ${fault} for all handles or for none`
const agendaAfter = (fault: FaultName) =>
  `keeps the old or the new place on the agenda when its change fails because of ${fault}`
const shownDuring = (fault: FaultName) =>
  `never shows entries of an append that fails because of ${fault} that are missing later`
const atOnceWith = (fault: FaultName) => `keeps the writes made at once with one that fails because of ${fault}`
const againWith = (fault: FaultName) => `keeps working after appends often fail because of ${fault}`
const everywhere = names.flatMap((fault) => [auctionAfter(fault), entriesAfter(fault), blockAfter(fault)])

/** Does something when a call fails. */
type React = <Value>(call: Promise<Value>, react: () => unknown) => Promise<Value>

/** A store with a bug in one operation that shows when the operation fails. */
const onFailure: Plant<(right: Store, onFailure: React) => Partial<Store>> = (bug, caughtBy, breaks) =>
  wrongOnFailure(bug, caughtBy, (right) =>
    breaks(right, async (call, react) => {
      try {
        return await call
      } catch (error) {
        await react()
        throw error
      }
    }),
  )

const rollbacks: readonly StoreMutation[] = [
  {
    bug: 'leaves a transaction open after a fault',
    makeSubject: () => leavingOpen(({ hasFailed }) => hasFailed),
    caughtBy: everywhere,
  },
  onFailure('keeps an auction whose insert failed', auctionAfter('a full disk'), (right, onFailure) => ({
    insertAuction: (auction) => onFailure(right.insertAuction(auction), () => right.insertAuction(auction)),
  })),
  onFailure('keeps the beginning of a failed append', entriesAfter('a full disk'), (right, onFailure) => ({
    append: (entries) => onFailure(right.append(entries), () => right.append(entries.slice(0, 1))),
  })),
  onFailure('leaves a block whose claim failed claimed', blockAfter('a full disk'), (right, onFailure) => ({
    claimNextIdBlock: (kind) => onFailure(right.claimNextIdBlock(kind), () => right.claimNextIdBlock(kind)),
  })),
  onFailure(
    'keeps the end of a failed append',
    [entriesAfter('a full disk'), entriesAfter('a cut connection')],
    (right, onFailure) => ({
      append: (entries) =>
        onFailure(right.append(entries), async () => {
          const [last] = entries.slice(-1)
          const [head] = last === undefined ? [] : await right.findHeads([last.auctionId])
          if (last !== undefined) await right.append([{ ...last, sequence: (head?.sequence ?? 0) + 1 }])
        }),
    }),
  ),
  onFailure(
    'stores the entries of a failed append with the next one',
    entriesAfter('a full disk'),
    (right, onFailure) => {
      let left: readonly Entry[] = []
      return {
        append: async (entries) => {
          if (left.length > 0) await right.append(left)
          left = []
          return onFailure(right.append(entries), () => {
            left = entries.slice(0, 1)
          })
        },
      }
    },
  ),
  onFailure(
    'stores the auction of a failed insert with the next one',
    auctionAfter('a full disk'),
    (right, onFailure) => {
      let left: readonly StoredAuction[] = []
      return {
        insertAuction: async (auction) => {
          for (const each of left) await right.insertAuction(each)
          left = []
          return onFailure(right.insertAuction(auction), () => {
            left = [auction]
          })
        },
      }
    },
  ),
  onFailure(
    'reports the keys of an auction whose insert failed as taken',
    [auctionAfter('a full disk'), auctionAfter('a cut connection')],
    (right, onFailure) => {
      const taken = new Set<number>()
      return {
        insertAuction: async (auction) =>
          taken.has(auction.id) ? 'taken' : onFailure(right.insertAuction(auction), () => taken.add(auction.id)),
      }
    },
  ),
]

const agendas: readonly StoreMutation[] = [
  onFailure(
    'moves auctions to the end of the agenda after a failed change',
    names.map(agendaAfter),
    (right, onFailure) => ({
      updateAgenda: (updates) =>
        onFailure(right.updateAgenda(updates), () =>
          right.updateAgenda(updates.map(({ auctionId }) => ({ auctionId, dueMs: Number.MAX_SAFE_INTEGER }))),
        ),
    }),
  ),
  onFailure('removes auctions from the agenda after a failed change', names.map(agendaAfter), (right, onFailure) => ({
    updateAgenda: (updates) =>
      onFailure(right.updateAgenda(updates), () =>
        right.updateAgenda(updates.map(({ auctionId }) => ({ auctionId, endedMs: 0, outcome: 'sold' }))),
      ),
  })),
  onFailure('changes no place after a failed change', agendaAfter('a full disk'), (right, onFailure) => {
    let hasFailed = false
    return {
      updateAgenda: async (updates) => {
        if (hasFailed) return
        await onFailure(right.updateAgenda(updates), () => {
          hasFailed = true
        })
      },
    }
  }),
]

/** A store that keeps a write whose response was lost, but not everywhere that reads look for it. */
const halfKnown: readonly StoreMutation[] = [
  onFailure(
    'does not find the key of an auction whose insert had no answer',
    auctionAfter('a lost answer'),
    (right, onFailure) => {
      const lost = new Set<unknown>()
      return {
        insertAuction: (auction) => onFailure(right.insertAuction(auction), () => lost.add(auction.requestKey)),
        findAuctions: async (wanted) =>
          right.findAuctions('ids' in wanted ? wanted : { keys: wanted.keys.filter((key) => !lost.has(key)) }),
      }
    },
  ),
  onFailure(
    'caches the head before an append without an answer',
    [entriesAfter('a lost answer'), entriesAfter('a cut connection')],
    (right, onFailure) => {
      const stale = new Map<number, Entry | undefined>()
      return {
        append: (entries) =>
          onFailure(right.append(entries), () => {
            for (const { auctionId } of entries) stale.set(auctionId, undefined)
          }),
        findHeads: async (ids) => (await right.findHeads(ids)).filter(({ auctionId }) => !stale.has(auctionId)),
      }
    },
  ),
]

/** A store that shows entries before they are stored, and hides them again if that fails. */
const showsTooEarly = (right: Store, power: Power): Partial<Store> => {
  const early = createMemoryStore()
  let underWay: readonly Entry[] = []
  return {
    append: async (entries) => {
      const isFailing = power.fault !== undefined
      underWay = entries
      await early.append(entries)
      if (isFailing) await pause()
      underWay = []
      if (!isFailing) return right.append(entries)
      power.fault = undefined
      throw away()
    },
    listEntries: (auctionId, query) => (underWay.length > 0 ? early : right).listEntries(auctionId, query),
  }
}

/** A store that never returns a connection to its pool after a failure on it. */
const runsOut = (right: Store): Partial<Store> => {
  let left = 10
  return {
    append: async (entries) => {
      if (left === 0) throw away()
      return right.append(entries).catch((error: unknown) => {
        left -= 1
        throw error
      })
    },
  }
}

/** A store with one transaction for all concurrent writes: if one of them fails, the others are rolled back. */
const undoesOthers = (right: Store): Partial<Store> => {
  let isUndone: Promise<boolean> | undefined
  return {
    append: async (entries) => {
      if (isUndone !== undefined && (await isUndone)) return entries.length
      const appended = right.append(entries)
      isUndone ??= appended.then(
        () => false,
        () => true,
      )
      return appended
    },
    insertAuction: async (auction) => ((await isUndone) ? 'inserted' : right.insertAuction(auction)),
  }
}

/** A store with one transaction for all concurrent writes, which never ends once one of them has failed. */
const losesInserts = (right: Store): Partial<Store> => {
  let hasFailed = false
  return {
    append: (entries) =>
      right.append(entries).catch((error: unknown) => {
        hasFailed = true
        throw error
      }),
    insertAuction: async (auction) => {
      await pause()
      return hasFailed ? 'inserted' : right.insertAuction(auction)
    },
  }
}

export const faultMutations: readonly StoreMutation[] = [
  lacking('cannot make an operation fail, and does not report that', 'runs with failing operations', 'failNext'),
  ...rollbacks,
  ...agendas,
  ...halfKnown,
  wrongOnFailure('keeps a connection for each write that fails', names.map(againWith), runsOut),
  wrongOnFailure('rolls back the concurrent writes of others when a write fails', names.map(atOnceWith), undoesOthers),
  wrongOnFailure('loses auctions for good once an append has failed', names.map(atOnceWith), losesInserts),
  wrongOnFailure('shows entries before they are stored, and hides them again', names.map(shownDuring), showsTooEarly),
]
