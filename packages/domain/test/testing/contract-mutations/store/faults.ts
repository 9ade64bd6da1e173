import type { Entry } from '../../../../src/ledger/entry.ts'
import type { Store, StoredAuction } from '../../../../src/store.ts'
import { createPlainStore } from '../../../support/plain-store.ts'
import {
  away,
  type Fault,
  failing,
  faults,
  leavingOpen,
  type Power,
  rightSubject,
  type StoreMutation,
} from '../planted.ts'
import { pause } from '../prove-contract.ts'

const names = Object.keys(faults) as readonly Fault[] // All of its names.
const auctionAfter = (fault: Fault) => `has an auction whose insert met ${fault}, or has it not, everywhere`
const entriesAfter = (fault: Fault) => `has a prefix of the entries whose append met ${fault}, everywhere`
const blockAfter = (fault: Fault) => `has a block of ids whose claim met ${fault}, or has it not, everywhere`
const agendaAfter = (fault: Fault) =>
  `has each place on the agenda whose change met ${fault} as it was, or as it was to be`
const shownDuring = (fault: Fault) => `shows of an append that meets ${fault} nothing that is gone in the end`
const atOnceWith = (fault: Fault) => `loses nothing that was done at once with what met ${fault}`
const againWith = (fault: Fault) => `is none the worse for meeting ${fault} again and again`
const everywhere = names.flatMap((fault) => [auctionAfter(fault), entriesAfter(fault), blockAfter(fault)])

/** A store of which one operation goes wrong when it fails. */
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
    bug: 'leaves a transaction open that met a fault',
    makeSubject: () => leavingOpen(({ hasFailed }) => hasFailed),
    caughtBy: everywhere,
  },
  onFailure(
    'leaves an auction behind whose insert failed',
    (right, onFailure) => ({
      insertAuction: (auction) => onFailure(right.insertAuction(auction), () => right.insertAuction(auction)),
    }),
    auctionAfter('a full disk'),
  ),
  onFailure(
    'leaves the beginning of an append behind that failed',
    (right, onFailure) => ({
      append: (entries) => onFailure(right.append(entries), () => right.append(entries.slice(0, 1))),
    }),
    entriesAfter('a full disk'),
  ),
  onFailure(
    'leaves a block claimed whose claim failed',
    (right, onFailure) => ({
      claimIdBlock: (kind, block) => onFailure(right.claimIdBlock(kind, block), () => right.claimIdBlock(kind, block)),
    }),
    blockAfter('a full disk'),
  ),
  onFailure(
    'leaves the end of an append behind that failed',
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
    'takes the keys of an auction for taken whose insert failed',
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
    'takes a block for claimed by nobody whose claim failed',
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
    'puts auctions at the end of the agenda whose place it failed to change',
    (right, onFailure) => ({
      updateAgenda: (updates) =>
        onFailure(right.updateAgenda(updates), () =>
          right.updateAgenda(updates.map(({ auctionId }) => ({ auctionId, dueMs: Number.MAX_SAFE_INTEGER }))),
        ),
    }),
    ...names.map(agendaAfter),
  ),
  onFailure(
    'takes auctions off the agenda whose place it failed to change',
    (right, onFailure) => ({
      updateAgenda: (updates) =>
        onFailure(right.updateAgenda(updates), () =>
          right.updateAgenda(updates.map(({ auctionId }) => ({ auctionId, endedMs: 0 }))),
        ),
    }),
    ...names.map(agendaAfter),
  ),
  onFailure(
    'changes no place any more once it has failed to',
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

/** A store that has what was stored when the answer got lost, but has not put it wherever it is looked for. */
const halfKnown: readonly StoreMutation[] = [
  onFailure(
    'knows no key of an auction whose insert was not answered',
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
    'remembers the head from before an append that was not answered',
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
    'knows nothing of a claim that was not answered',
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

/** A store that shows entries before they are stored, and takes them back when that fails. */
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

/** A store whose pool gets back no connection on which something failed. */
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

/** A store with one transaction for all who write at once: where one of them fails, what the others wrote is undone. */
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

/** A store with one transaction for all who write at once, which has no end once one of them has failed. */
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
    bug: 'has no way to make an operation fail, and does not say so',
    makeSubject: () => {
      const { failNext: _, ...subject } = rightSubject()
      return subject
    },
    caughtBy: ['runs against operations that fail'],
  },
  ...rollbacks,
  ...agendas,
  ...halfKnown,
  failing('keeps a connection for each write that fails', runsOut, ...names.map(againWith)),
  failing('undoes what others write at once with a write that fails', undoesOthers, ...names.map(atOnceWith)),
  failing('loses auctions for good once an append has failed', losesInserts, ...names.map(atOnceWith)),
  failing('shows entries before they are stored, and takes them back', showsTooEarly, ...names.map(shownDuring)),
]
