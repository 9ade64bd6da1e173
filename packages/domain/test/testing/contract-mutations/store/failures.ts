import type { Entry } from '../../../../src/ledger/entry.ts'
import type { IdKind, Store, StoredAuction } from '../../../../src/store.ts'
import { StoreUnavailableError } from '../../../../src/store-unavailable.ts'
import { withoutKey } from '../../../../src/stored.ts'
import { createPlainStore } from '../../../support/plain-store.ts'
import { away, failing, leavingOpen, type Power, rightSubject, type StoreMutation } from '../planted.ts'
import { pause } from '../prove-contract.ts'

const runs = 'runs against a store that fails'
const byCode = 'fails with the code store-unavailable when it can’t be asked, whatever the operation'
const unknown = 'claims for no failure that nothing has changed, since others may know more'
const works = 'works again when it can be asked again, and has kept what it had'
const wholeAuction = 'leaves no part of an auction behind whose insert failed'
const wholeEntries = 'leaves no part of an entry behind whose append failed'
const claims = 'leaves a block of ids claimed or not, when its claim failed'
const underWay = 'has what it says that it has stored, though it fails at that moment'

/** A store that does another thing in one operation while it can't be asked. */
const insteadOf =
  <Name extends Exclude<keyof Store, 'partitions' | 'partitionOf'>>(operation: Name, instead: Store[Name]) =>
  (right: Store, power: Power): Partial<Store> => ({
    [operation]: (...args: never[]) => (power.isOff ? instead : right[operation])(...(args as [never, never])), // Those of the operation.
  })

const raw = (): never => {
  throw new Error('connect ECONNREFUSED 127.0.0.1:27017')
}

const names = [
  'insertAuction',
  'findAuction',
  'findAuctionByKey',
  'listAuctions',
  'append',
  'findHeads',
  'findEntries',
  'findEntriesByKey',
  'listEntries',
  'claimIdBlock',
  'highestIdBlock',
] as const

const telling: readonly StoreMutation[] = [
  {
    bug: 'can’t be broken, and does not say so',
    makeSubject: () => {
      const { breakStore: _, ...subject } = rightSubject()
      return subject
    },
    caughtBy: [runs],
  },
  ...names.map((name) =>
    failing(
      `throws its driver’s errors in ${name}`,
      insteadOf(name, async () => raw()),
      byCode,
    ),
  ),
  failing(
    'tells a full disk as a taken auction',
    insteadOf('insertAuction', async () => 'taken'),
    byCode,
  ),
  failing(
    'tells a full disk as a taken entry',
    insteadOf('append', async () => ({ stored: 0 })),
    byCode,
  ),
  failing(
    'tells a full disk as a taken block',
    insteadOf('claimIdBlock', async () => 'taken'),
    byCode,
  ),
  failing(
    'says stored though nothing is',
    insteadOf('append', async ({ length }) => ({ stored: length })),
    byCode,
  ),
  failing(
    'finds nothing where it can’t look',
    insteadOf('findAuction', async () => undefined),
    byCode,
  ),
  failing(
    'finds no heads where it can’t look',
    insteadOf('findHeads', async () => []),
    byCode,
  ),
  failing(
    'finds no keys where it can’t look',
    insteadOf('findEntriesByKey', async () => []),
    byCode,
  ),
  failing(
    'knows of no block where it can’t look',
    insteadOf('highestIdBlock', async () => undefined),
    byCode,
  ),
  failing(
    'claims of a failed read that nothing has changed',
    insteadOf('findHeads', async () => {
      throw new StoreUnavailableError('the store is away', { outcome: 'nothing-changed' })
    }),
    unknown,
  ),
  failing(
    'claims of a failed append that nothing has changed',
    insteadOf('append', async () => {
      throw new StoreUnavailableError('the store is away', { outcome: 'nothing-changed' })
    }),
    unknown,
  ),
]

/** A store that stops for good at its first failure. */
const staysAway = (right: Store): Partial<Store> => {
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

/** A store that loses all when it fails. */
const losesAll = (right: Store, power: Power): Partial<Store> => {
  let current = right
  return {
    findAuction: (id) => {
      if (power.isOff) current = createPlainStore()
      return (power.isOff ? right : current).findAuction(id)
    },
    findAuctionByKey: (key) => (power.isOff ? right : current).findAuctionByKey(key),
  }
}

/** A store that has taken an auction's key when it fails to store the auction. */
const leavesKey = (right: Store, power: Power): Partial<Store> => {
  const left = new Set<unknown>()
  return {
    insertAuction: async (auction: StoredAuction) => {
      if (power.isOff) left.add(auction.requestKey)
      return !power.isOff && left.has(auction.requestKey) ? 'taken' : right.insertAuction(auction)
    },
  }
}

/** A store that has put an auction in some places when it fails to put it in others. */
const leavesAuction = (right: Store, power: Power): Partial<Store> => {
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

/** A store that finds entries by their ids whose append failed before they were in their ledgers. */
const leavesEntries = (right: Store, power: Power): Partial<Store> => {
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
const storesEnd = (right: Store, power: Power): Partial<Store> => {
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

/** A store in which the keys of entries stay taken whose append failed. */
const leavesKeys = (right: Store, power: Power): Partial<Store> => {
  const left = new Set<unknown>()
  return {
    append: async (entries) => {
      if (power.isOff) for (const { requestKey } of entries) left.add(requestKey)
      const free = entries.findIndex(({ requestKey }) => requestKey !== undefined && left.has(requestKey))
      return right.append(power.isOff || free < 0 ? entries : entries.slice(0, free))
    },
  }
}

/** A store in which a block is nobody's whose claim failed. */
const leavesClaim = (right: Store, power: Power): Partial<Store> => {
  const left = new Set<string>()
  const nameOf = (kind: IdKind, block: number) => `${kind} ${block}`
  return {
    claimIdBlock: async (kind, block) => {
      if (power.isOff) left.add(nameOf(kind, block))
      return !power.isOff && left.has(nameOf(kind, block)) ? 'taken' : right.claimIdBlock(kind, block)
    },
  }
}

/** A store that returns before it has stored, and stores in a moment, if it can. */
const storesLater = (right: Store, power: Power): Partial<Store> => ({
  append: async (entries) => {
    if (power.isOff) throw away()
    const copies = structuredClone(entries)
    void pause().then(() => (power.isOff ? undefined : right.append(copies)))
    return { stored: entries.length }
  },
})

const aftermath: readonly StoreMutation[] = [
  {
    bug: 'leaves a transaction open where it failed',
    makeSubject: () => leavingOpen(({ hasFailed }) => hasFailed),
    caughtBy: [works],
  },
  failing('stays away after a failure', staysAway, works),
  failing('loses all at a failure', losesAll, works),
  failing('leaves the key of an auction taken that it failed to store', leavesKey, wholeAuction),
  failing('leaves an auction in one place that it failed to put in others', leavesAuction, wholeAuction),
  failing('leaves entries in one place that it failed to put in others', leavesEntries, wholeEntries),
  failing('stores the end of an append that failed, and not its beginning', storesEnd, wholeEntries),
  failing('leaves the keys of entries taken that it failed to store', leavesKeys, wholeEntries),
  failing('leaves a block claimed for nobody', leavesClaim, claims),
  failing('says stored before it is', storesLater, underWay),
]

export const failureMutations: readonly StoreMutation[] = [...telling, ...aftermath]
