import { createMemoryStore } from '@auction/adapters/memory'
import type { Auction } from '@auction/domain/auction'
import { createGroupCommit } from '@auction/domain/batching'
import { StoreUnavailableError, UnreadableStoredError } from '@auction/domain/errors'
import type { AppendOptions, AuctionPage, CompleteStore, Entry, FoundAuction, Store } from '@auction/domain/store'
import type { TestRunner } from '../../src/runner.ts'
import { type StoreSubject, storeContract } from '../../src/store-contract.ts'
import { pause } from './prove-contract.ts'

/** The store in memory as a subject that has all hooks. */
export const rightSubject = (): StoreSubject => subjectOf(createMemoryStore())

/** The availability of the store, and the fault of its next operation. */
export type Power = { isOff: boolean; fault?: FaultName | undefined }

/** The ways in which an operation of a planted store fails. Reads are not affected by a full disk. */
export const faults = { 'a full disk': 'nothing', 'a lost answer': 'all', 'a cut connection': 'a prefix' } as const
export type FaultName = keyof typeof faults

/** The contract, with the options of planted stores. */
export const plantedContract = (runner: TestRunner, makeSubject: () => Promise<StoreSubject>): void =>
  storeContract(runner, makeSubject, { faults, knowsAppends: true })

/** A correct store that can be made unavailable, whose other handles are the first one. */
export function subjectOf(store: Store): StoreSubject {
  const power: Power = { isOff: false }
  return breakable(withPower(store, power), power)
}

export const breakable = (store: Store, power: Power): StoreSubject =>
  withServer(
    withDamage(
      withClosing({ ...breakableStore(store, power), openSecondHandle: async () => store, reopen: async () => store }),
    ),
  )

/** The subject with a server that can be halted, has other sessions, and counts the bytes that it sends. */
function withServer({ store, reopen, ...subject }: StoreSubject): StoreSubject {
  let heldId = 0
  let isHalted = false
  let hasLaterFormat = false
  let bytes = 0
  const served = mapOperations(store, (call) => async (...args) => {
    if (isHalted) throw away()
    const value = await call(...args)
    bytes += JSON.stringify(value)?.length ?? 0
    return value
  })
  const unlessHeld = async <Value>(id: number | undefined, write: () => Promise<Value>): Promise<Value> => {
    if (id === heldId) throw away()
    return write()
  }
  return {
    ...subject,
    store: {
      ...served,
      insertAuction: (auction) => unlessHeld(auction.id, () => served.insertAuction(auction)),
      append: (entries, options) => unlessHeld(entries[0]?.id, () => served.append(entries, options)),
    },
    async halt() {
      isHalted = true
      return async () => {
        isHalted = false
      }
    },
    async holdKeys(id) {
      heldId = id
      return async () => {
        heldId = 0
      }
    },
    async otherFormat() {
      hasLaterFormat = true
      return '99'
    },
    async reopen() {
      if (hasLaterFormat) throw new Error('the data has format 99')
      return (await reopen?.()) ?? store
    },
    bytesRead: async () => bytes,
  }
}

const breakableStore = (store: Store, power: Power): StoreSubject => ({
  store,
  breakStore: async () => {
    power.isOff = true
    return async () => {
      power.isOff = false
    }
  },
  failNext: async (fault) => {
    power.fault = fault as FaultName // The suite passes one of `faults`.
  },
})

export const away = () => new StoreUnavailableError('the store is unavailable', { cause: new Error('ECONNREFUSED') })

/** The subject with a first handle that can be closed, which waits for calls in flight. */
export function withClosing({ store, ...subject }: StoreSubject): StoreSubject {
  const underWay = new Set<Promise<unknown>>()
  let isClosed = false
  const closable = mapOperations(store, (call) => async (...args) => {
    if (isClosed) throw new StoreUnavailableError('the store is closed')
    const result = call(...args)
    underWay.add(result)
    try {
      return await result
    } finally {
      underWay.delete(result)
    }
  })
  return {
    ...subject,
    store: closable,
    closeStore: async () => {
      isClosed = true
      await Promise.allSettled(underWay)
    },
  }
}

/** The behaviour of a store that reads unreadable data: a single auction, an auction of a list, and entries. */
export type OnDamage = {
  readonly auction: (id: number) => undefined
  readonly found: (found: readonly FoundAuction[], isDamaged: (id: number) => boolean) => readonly FoundAuction[]
  readonly listed: (page: AuctionPage, isDamaged: (id: number) => boolean) => AuctionPage
  readonly entries: (entries: readonly Entry[], isDamaged: (id: number) => boolean) => readonly Entry[]
}

export const unreadable = (kind: 'auction' | 'entry', id: number) =>
  new UnreadableStoredError(kind, { id }, 'an invalid field')

export const rightOnDamage: OnDamage = {
  auction: (id) => {
    throw unreadable('auction', id)
  },
  found: (found, isDamaged) => {
    const damaged = found.find(({ auction: { id } }) => isDamaged(id))
    if (damaged !== undefined) throw unreadable('auction', damaged.auction.id)
    return found
  },
  listed: ({ items, next }, isDamaged) => ({
    items: items.filter(({ auction: { id } }) => !isDamaged(id)),
    unreadable: items
      .filter(({ auction: { id } }) => isDamaged(id))
      .map(({ auction: { id } }) => unreadable('auction', id)),
    next,
  }),
  entries: (entries, isDamaged) => {
    const damaged = entries.find(({ id }) => isDamaged(id))
    if (damaged !== undefined) throw unreadable('entry', damaged.id)
    return entries
  },
}

/** The subject with a store whose data can be damaged. */
export function withDamage(subject: StoreSubject, onDamage: OnDamage = rightOnDamage): StoreSubject {
  const { store } = subject
  const damaged = { auction: new Set<number>(), entry: new Set<number>() }
  const isDamagedAuction = (id: number) => damaged.auction.has(id)
  const isDamagedEntry = (id: number) => damaged.entry.has(id)
  const readable = (auction: Auction | undefined) =>
    auction !== undefined && isDamagedAuction(auction.id) ? onDamage.auction(auction.id) : auction
  const reading: Store = {
    ...store,
    ...mapEntries(store, (entries) => onDamage.entries(entries, isDamagedEntry)),
    findAuction: async (id) => readable(await store.findAuction(id)),
    findAuctions: async (wanted, signal) => onDamage.found(await store.findAuctions(wanted, signal), isDamagedAuction),
    listAuctions: async (query) => {
      const page = await store.listAuctions(query)
      return damaged.auction.size === 0 ? page : onDamage.listed(page, isDamagedAuction)
    },
  }
  return {
    ...subject,
    store: reading,
    damage: async (kind, id) => {
      damaged[kind].add(id)
    },
  }
}

/** The store while it is available. */
export const withPower = <Powered extends Store>(store: Powered, power: Power): Powered =>
  mapOperations(withFaults(store, power), (call) => async (...args) => {
    if (power.isOff) throw away()
    return call(...args)
  })

/** The fault of the next operation with this name; it occurs once. */
function takeFault(power: Power, operation: string): FaultName | undefined {
  const { fault } = power
  if (fault === 'a full disk' && /^(find|list|highest|appendedSince)/.test(operation)) return undefined
  power.fault = undefined
  return fault
}

/** The store, whose next operation may fail. */
const withFaults = <Failing extends Store>(store: Failing, power: Power): Failing => ({
  ...mapOperations(store, (call, operation) => async (...args) => {
    const fault = takeFault(power, operation)
    if (fault === undefined) return call(...args)
    if (fault === 'a lost answer') await call(...args)
    throw away()
  }),
  async append(entries: readonly Entry[], options?: AppendOptions) {
    const fault = takeFault(power, 'append')
    const reached = {
      'a full disk': 0,
      'a cut connection': Math.ceil(entries.length / 2),
      'a lost answer': entries.length,
    }
    if (fault === undefined) return store.append(entries, options)
    await store.append(entries.slice(0, reached[fault]))
    throw away()
  },
})

/** A correct store that takes time. Calls in progress when it becomes unavailable complete a moment later. */
export function slowSubject(): StoreSubject {
  const power: Power = { isOff: false }
  const shared = createMemoryStore()
  const handle = () =>
    mapOperations(shared, (call) => async (...args) => {
      await pause()
      if (power.isOff) {
        void pause().then(() => call(...args))
        throw away()
      }
      const value = await call(...args)
      await pause()
      if (power.isOff) throw away()
      return value
    })
  const subject = breakable(withFaults(handle(), power), power)
  return {
    ...subject,
    openSecondHandle: async () => handle(),
    reopen: async () => {
      await subject.reopen?.()
      return handle()
    },
  }
}

/** A correct store that groups the appends that arrive during a write, like stores on disks. */
export function groupingSubject(): StoreSubject {
  const right = createMemoryStore()
  const append = createGroupCommit({
    maxEntries: 10,
    async write(appends) {
      await pause()
      const stored: number[] = []
      for (const entries of appends) stored.push(await right.append(entries))
      return stored
    },
  })
  return subjectOf({ ...right, append })
}

/** Any operation of a store. */
export type AnyCall = (...args: readonly unknown[]) => Promise<unknown>

type Change = <Args extends readonly unknown[], Value>(
  call: (...args: Args) => Promise<Value>,
  operation: string,
) => (...args: Args) => Promise<Value>

/** An adapter with all operations changed. */
export function mapOperations<Operations extends object>(operations: Operations, change: Change): Operations {
  const changed = Object.entries(operations).map(([name, call]) => [name, change(call, name)])
  return Object.fromEntries(changed) as Operations // The same operations as before.
}

/** The operations that return auctions, whose results are changed. */
export function mapAuctions(store: Store, change: (auction: Auction) => Auction): Partial<Store> {
  const changed = (auction: Auction | undefined) => auction && change(auction)
  return {
    findAuction: async (id) => changed(await store.findAuction(id)),
    findAuctions: async (wanted) =>
      (await store.findAuctions(wanted)).map(({ auction, ...found }) => ({ ...found, auction: change(auction) })),
    listAuctions: async (query) => {
      const { items, next } = await store.listAuctions(query)
      return { items: items.map(({ auction, position }) => ({ auction: change(auction), position })), next }
    },
  }
}

/** The operations that return entries. */
export const entryReads = ['findHeads', 'findEntries', 'findEntriesByKey', 'listEntries', 'listBidderEntries'] as const

/** The operations that return entries, whose results are changed. */
export const mapEntries = (
  store: Store,
  change: (entries: readonly Entry[]) => readonly Entry[],
): Pick<CompleteStore, (typeof entryReads)[number]> => ({
  findHeads: async (...args) => change(await store.findHeads(...args)),
  findEntries: async (...args) => change(await store.findEntries(...args)),
  findEntriesByKey: async (...args) => change(await store.findEntriesByKey(...args)),
  listEntries: async (...args) => change(await store.listEntries(...args)),
  listBidderEntries: async (...args) => change((await store.listBidderEntries?.(...args)) ?? []),
})

/** The faults of a transaction so far. */
type Met = { readonly hasConflict: boolean; readonly hasFailed: boolean }

/** Two handles that copy their writes to each other, until one leaves a transaction open. */
export function leavingOpen(isLeftOpen: (met: Met) => boolean): StoreSubject {
  const power: Power = { isOff: false }
  const copies = [createMemoryStore(), createMemoryStore()] as const

  function handle(own: Store, other: Store): Store {
    let isOpen = false
    const copied = async <Value>(write: (store: Store) => Promise<Value>, isConflict: (value: Value) => boolean) => {
      try {
        const value = await write(own)
        isOpen ||= isLeftOpen({ hasConflict: isConflict(value), hasFailed: false })
        if (!isOpen) await write(other)
        return value
      } catch (error) {
        isOpen ||= isLeftOpen({ hasConflict: false, hasFailed: true })
        throw error
      }
    }
    const isTaken = (result: string) => result === 'taken'
    return {
      ...own,
      insertAuction: (auction) => copied((store) => store.insertAuction(auction), isTaken),
      append: (entries, options) =>
        copied(
          (store) => store.append(entries, options),
          (stored) => stored < entries.length,
        ),
      claimNextIdBlock: (kind) =>
        copied(
          (store) => store.claimNextIdBlock(kind),
          () => false,
        ),
    }
  }

  const store = handle(withPower(copies[0], power), copies[1])
  return { ...breakable(store, power), openSecondHandle: async () => handle(copies[1], copies[0]) }
}
