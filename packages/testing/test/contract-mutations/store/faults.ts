import type { Entry, Store, StoredAuction } from '@auction/domain/store'
import { createPlainStore } from '../../../../domain/test/support/plain-store.ts'
import {
  away,
  type FaultName,
  failing,
  faults,
  leavingOpen,
  type Power,
  rightSubject,
  type StoreMutation,
} from '../planted.ts'
import { pause } from '../prove-contract.ts'

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

/** A store with a bug in one operation that shows when the operation fails. */
const onFailure = (
  bug: string,
  breaks: (
    right: Store,
    onFailure: <Value>(call: Promise<Value>, undo: () => unknown) => Promise<Value>,
  ) => Partial<Store>,
  ...caughtBy: readonly string[]
): StoreMutation =>
  failing(
    bug,
    (right) =>
      breaks(right, async (call, react) => {
        try {
          return await call
        } catch (error) {
          await react()
          throw error
        }
      }),
    ...caughtBy,
  )

const rollbacks: readonly StoreMutation[] = [
  {
    bug: 'leaves a transaction open after a fault',
    makeSubject: () => leavingOpen(({ hasFailed }) => hasFailed),
    caughtBy: everywhere,
  },
  onFailure(
    'keeps an auction whose insert failed',
    (right, onFailure) => ({
      insertAuction: (auction) => onFailure(right.insertAuction(auction), () => right.insertAuction(auction)),
    }),
    auctionAfter('a full disk'),
  ),
  onFailure(
    'keeps the beginning of a failed append',
    (right, onFailure) => ({
      append: (entries) => onFailure(right.append(entries), () => right.append(entries.slice(0, 1))),
    }),
    entriesAfter('a full disk'),
  ),
  onFailure(
    'leaves a block whose claim failed claimed',
    (right, onFailure) => ({
      claimIdBlock: (kind, block) => onFailure(right.claimIdBlock(kind, block), () => right.claimIdBlock(kind, block)),
    }),
    blockAfter('a full disk'),
  ),
  onFailure(
    'keeps the end of a failed append',
    (right, onFailure) => ({
      append: (entries) => onFailure(right.append(entries), () => right.append(entries.slice(-1))),
    }),
    entriesAfter('a full disk'),
    entriesAfter('a cut connection'),
  ),
  onFailure(
    'stores the entries of a failed append with the next one',
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
    entriesAfter('a full disk'),
  ),
  onFailure(
    'stores the auction of a failed insert with the next one',
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
    auctionAfter('a full disk'),
  ),
  onFailure(
    'reports the keys of an auction whose insert failed as taken',
    (right, onFailure) => {
      const taken = new Set<number>()
      return {
        insertAuction: async (auction) =>
          taken.has(auction.id) ? 'taken' : onFailure(right.insertAuction(auction), () => taken.add(auction.id)),
      }
    },
    auctionAfter('a full disk'),
    auctionAfter('a cut connection'),
  ),
  onFailure(
    'reports a block whose claim failed as unclaimed',
    (right, onFailure) => {
      const taken = new Set<number>()
      return {
        claimIdBlock: async (kind, block) =>
          taken.has(block) ? 'taken' : onFailure(right.claimIdBlock(kind, block), () => taken.add(block)),
      }
    },
    blockAfter('a full disk'),
    blockAfter('a cut connection'),
  ),
]

const agendas: readonly StoreMutation[] = [
  onFailure(
    'moves auctions to the end of the agenda after a failed change',
    (right, onFailure) => ({
      updateAgenda: (updates) =>
        onFailure(right.updateAgenda(updates), () =>
          right.updateAgenda(updates.map(({ auctionId }) => ({ auctionId, dueMs: Number.MAX_SAFE_INTEGER }))),
        ),
    }),
    ...names.map(agendaAfter),
  ),
  onFailure(
    'removes auctions from the agenda after a failed change',
    (right, onFailure) => ({
      updateAgenda: (updates) =>
        onFailure(right.updateAgenda(updates), () =>
          right.updateAgenda(updates.map(({ auctionId }) => ({ auctionId, endedMs: 0 }))),
        ),
    }),
    ...names.map(agendaAfter),
  ),
  onFailure(
    'changes no place after a failed change',
    (right, onFailure) => {
      let hasFailed = false
      return {
        updateAgenda: async (updates) => {
          if (hasFailed) return
          await onFailure(right.updateAgenda(updates), () => {
            hasFailed = true
          })
        },
      }
    },
    agendaAfter('a full disk'),
  ),
]

/** A store that keeps a write whose response was lost, but not everywhere that reads look for it. */
const halfKnown: readonly StoreMutation[] = [
  onFailure(
    'does not find the key of an auction whose insert had no answer',
    (right, onFailure) => {
      const lost = new Set<unknown>()
      return {
        insertAuction: (auction) => onFailure(right.insertAuction(auction), () => lost.add(auction.requestKey)),
        findAuctionByKey: async (key) => (lost.has(key) ? undefined : right.findAuctionByKey(key)),
      }
    },
    auctionAfter('a lost answer'),
  ),
  onFailure(
    'caches the head before an append without an answer',
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
    entriesAfter('a lost answer'),
    entriesAfter('a cut connection'),
  ),
  onFailure(
    'does not find a claim without an answer',
    (right, onFailure) => {
      let isLost = false
      return {
        claimIdBlock: (kind, block) =>
          onFailure(right.claimIdBlock(kind, block), () => {
            isLost = true
          }),
        highestIdBlock: async (kind) => (isLost ? undefined : right.highestIdBlock(kind)),
      }
    },
    blockAfter('a lost answer'),
  ),
]

/** A store that shows entries before they are stored, and hides them again if that fails. */
const showsTooEarly = (right: Store, power: Power): Partial<Store> => {
  const early = createPlainStore()
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
  {
    bug: 'cannot make an operation fail, and does not report that',
    makeSubject: () => {
      const { failNext: _, ...subject } = rightSubject()
      return subject
    },
    caughtBy: ['runs with failing operations'],
  },
  ...rollbacks,
  ...agendas,
  ...halfKnown,
  failing('keeps a connection for each write that fails', runsOut, ...names.map(againWith)),
  failing('rolls back the concurrent writes of others when a write fails', undoesOthers, ...names.map(atOnceWith)),
  failing('loses auctions for good once an append has failed', losesInserts, ...names.map(atOnceWith)),
  failing('shows entries before they are stored, and hides them again', showsTooEarly, ...names.map(shownDuring)),
]
