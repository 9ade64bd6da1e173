import { createMemoryStore } from '@auction/adapters/memory'
import type { StoreOperation } from '@auction/domain'
import { StoreUnavailableError } from '@auction/domain/errors'
import type { CompleteStore, Entry, StoredAuction } from '@auction/domain/store'
import { withoutKey } from '@auction/domain/stored'
import { lacking, type StoreMutation, wrongOnFailure } from '../planted.ts'
import { pause } from '../prove-contract.ts'
import { away, faults, leavingOpen, type Power } from '../subjects.ts'

const runs = 'runs with an unavailable store'
/** The tests of failed writes or reads, while the store is unavailable and during a fault. */
const telling = (kind: 'write' | 'read') =>
  ['while it is unavailable', ...Object.keys(faults).map((fault) => `because of ${fault}`)].map(
    (when) => `fails every ${kind} with the code store-unavailable and a cause ${when}`,
  )
const works = 'works again after it recovers, and has kept its data'
const wholeAuction = 'stores an auction whose insert fails while it is unavailable for all handles or for none'
const wholeEntries =
  'stores a prefix of the entries whose append fails while it is unavailable, the same for all handles'
const claims = 'claims a block of ids whose claim fails while it is unavailable for all handles or for none'
const underWay = 'keeps what it reports as stored when it fails at that moment'

/** A store in which one operation does something else when it should fail. */
const insteadOf = <Name extends StoreOperation>(
  bug: string,
  operation: Name,
  instead: CompleteStore[Name],
  caughtBy: readonly string[],
): StoreMutation =>
  wrongOnFailure(bug, caughtBy, (right, power) => ({
    [operation]: (...args: never[]) => {
      const isTroubled = power.isOff || power.fault !== undefined
      power.fault = undefined
      return (isTroubled ? instead : right[operation])(...(args as [never, never])) // Those of the operation.
    },
  }))

const writes = ['insertAuction', 'append', 'addTitleWords'] as const
const empty = {
  findAuction: undefined,
  findAuctions: [],
  listAuctions: { items: [], next: undefined },
  findHeads: [],
  findEntries: [],
  findEntriesByKey: [],
  listEntries: [],
  listBidderEntries: [],
} as const
const reads = Object.keys(empty) as readonly (keyof typeof empty)[] // All of its names.

const tellingMutations: readonly StoreMutation[] = [
  lacking('cannot become unavailable, and does not report that', runs, 'breakStore'),
  ...[...writes, ...reads, 'claimNextIdBlock' as const].flatMap((operation) => {
    const caughtBy = telling((writes as readonly string[]).includes(operation) ? 'write' : 'read')
    const raw = async () => {
      throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:27017'), { code: 'ECONNREFUSED' })
    }
    const claiming = async () => {
      throw new StoreUnavailableError('the store is unavailable', { cause: away(), outcome: 'nothing-changed' })
    }
    const silent = async () => {
      throw new StoreUnavailableError('the store is unavailable')
    }
    return [
      insteadOf(`throws its driver’s errors in ${operation}`, operation, raw, caughtBy),
      insteadOf(`reports after a failed ${operation} that nothing has changed`, operation, claiming, caughtBy),
      insteadOf(`does not report why ${operation} failed`, operation, silent, caughtBy),
    ]
  }),
  ...reads.map((operation) =>
    insteadOf(
      `finds nothing in ${operation} where it cannot look`,
      operation,
      async () => empty[operation] as never, // The result without data.
      telling('read'),
    ),
  ),
  insteadOf('reports a full disk as a taken auction', 'insertAuction', async () => 'taken', telling('write')),
  insteadOf('reports a full disk as a taken entry', 'append', async () => 0, telling('write')),
  insteadOf(
    'adds no words where it cannot, and does not report that',
    'addTitleWords',
    async () => undefined,
    telling('write'),
  ),
  insteadOf('returns inserted although nothing is stored', 'insertAuction', async () => 'inserted', telling('write')),
  insteadOf('returns a block that it has not stored', 'claimNextIdBlock', async () => 1, [claims]),
  insteadOf('reports entries as stored although nothing is', 'append', async ({ length }) => length, telling('write')),
]

/** A store that stops for good at its first failure. */
const staysAway = (right: CompleteStore): Partial<CompleteStore> => {
  let hasFailed = false
  return {
    findAuction: async (id) => {
      if (hasFailed) throw away()
      try {
        return await right.findAuction(id)
      } catch (error) {
        hasFailed = true
        throw error
      }
    },
  }
}

/** A store that loses all data when it fails. */
const losesAll = (right: CompleteStore, power: Power): Partial<CompleteStore> => {
  let current = right
  return {
    findAuction: (id) => {
      if (power.isOff) current = createMemoryStore()
      return (power.isOff ? right : current).findAuction(id)
    },
    findAuctions: (wanted) => (power.isOff ? right : current).findAuctions(wanted),
  }
}

/** A store that has taken an auction's key when it fails to store the auction. */
const leavesKey = (right: CompleteStore, power: Power): Partial<CompleteStore> => {
  const left = new Set<unknown>()
  return {
    insertAuction: async (auction: StoredAuction) => {
      if (power.isOff) left.add(auction.requestKey)
      return !power.isOff && left.has(auction.requestKey) ? 'taken' : right.insertAuction(auction)
    },
  }
}

/** A store that has put an auction in some places when it fails to put it in others. */
const leavesAuction = (right: CompleteStore, power: Power): Partial<CompleteStore> => {
  const left = new Map<number, StoredAuction>()
  return {
    insertAuction: async (auction) => {
      if (power.isOff) left.set(auction.id, structuredClone(auction))
      return right.insertAuction(auction)
    },
    findAuction: async (id) => {
      const auction = left.get(id)
      return auction === undefined ? right.findAuction(id) : withoutKey(auction)
    },
  }
}

/** A store in which the entries of a failed append are found by their ids, but are not in their ledgers. */
const leavesEntries = (right: CompleteStore, power: Power): Partial<CompleteStore> => {
  const left: Entry[] = []
  return {
    append: async (entries) => {
      if (power.isOff) left.push(...structuredClone(entries))
      return right.append(entries)
    },
    findEntries: async (ids) => [...left.filter(({ id }) => ids.includes(id)), ...(await right.findEntries(ids))],
  }
}

/** A store that stores the end of an append that failed, and not its beginning. */
const storesEnd = (right: CompleteStore, power: Power): Partial<CompleteStore> => {
  let end: readonly Entry[] = []
  return {
    append: async (entries) => {
      if (power.isOff) end = structuredClone(entries).slice(1)
      return right.append(entries)
    },
    listEntries: async (auctionId, query) => {
      await right.append(end)
      return right.listEntries(auctionId, query)
    },
  }
}

/** A store in which the keys of a failed append stay taken. */
const leavesKeys = (right: CompleteStore, power: Power): Partial<CompleteStore> => {
  const left = new Set<unknown>()
  return {
    append: async (entries) => {
      if (power.isOff) for (const { requestKey } of entries) left.add(requestKey)
      const free = entries.findIndex(({ requestKey }) => requestKey !== undefined && left.has(requestKey))
      return right.append(power.isOff || free < 0 ? entries : entries.slice(0, free))
    },
  }
}

/** A store that returns a block again after a claim has failed. */
const repeatsBlock = (right: CompleteStore, power: Power): Partial<CompleteStore> => {
  let hasFailed = false
  let last: number | undefined
  return {
    claimNextIdBlock: async (kind) => {
      hasFailed ||= power.isOff
      if (!hasFailed || last === undefined) last = await right.claimNextIdBlock(kind)
      return last
    },
  }
}

/** A store that returns before the data is stored, and stores it a moment later, if it can. */
const storesLater = (right: CompleteStore, power: Power): Partial<CompleteStore> => ({
  append: async (entries) => {
    if (power.isOff) throw away()
    const copies = structuredClone(entries)
    void pause().then(() => (power.isOff ? undefined : right.append(copies)))
    return entries.length
  },
})

const aftermath: readonly StoreMutation[] = [
  {
    bug: 'leaves a transaction open after a failure',
    makeSubject: () => leavingOpen(({ hasFailed }) => hasFailed),
    caughtBy: [works],
  },
  wrongOnFailure('stays unavailable after a failure', works, staysAway),
  wrongOnFailure('loses all data at a failure', works, losesAll),
  wrongOnFailure('leaves the key of an auction that it failed to store taken', wholeAuction, leavesKey),
  wrongOnFailure('leaves an auction that it failed to store in one of several places', wholeAuction, leavesAuction),
  wrongOnFailure('leaves entries that it failed to store in one of several places', wholeEntries, leavesEntries),
  wrongOnFailure('stores the end of an append that failed, and not its beginning', wholeEntries, storesEnd),
  wrongOnFailure('leaves the keys of entries that it failed to store taken', wholeEntries, leavesKeys),
  wrongOnFailure('returns a block twice after a failed claim', claims, repeatsBlock),
  wrongOnFailure('reports entries as stored before they are', underWay, storesLater),
]

export const failureMutations: readonly StoreMutation[] = [...tellingMutations, ...aftermath]
