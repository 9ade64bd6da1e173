import { createMemoryStore } from '@auction/adapters/memory'
import type { Checkpoints } from '@auction/delivery/checkpoints'
import type { Clock } from '../../src/clock.ts'
import type { Entry, Store } from '../../src/store/store.ts'
import { noResponse } from './service.ts'

/** The outcome of one call: it succeeds, or its response is lost. */
export type CallOutcome =
  | 'none'
  | 'lost-before-storing'
  | 'lost-after-storing'
  /** This number of entries is stored. */
  | { readonly lostAfter: number }
  /** All entries are stored after they are looked up: just before the next append. */
  | 'arrives-late'
  /** The network sends it twice: the response is that of the second call. */
  | 'repeated'
  | 'no-response'

export type CallOutcomes = { readonly [Operation in keyof Store]?: readonly CallOutcome[] }

export const many = (fault: CallOutcome): readonly CallOutcome[] => Array.from({ length: 100 }, () => fault)

/** A store whose calls have the given outcomes, one after another, and then succeed. */
export function createUnreliableStore(right: Store, faults: CallOutcomes): Store {
  const late: (readonly Entry[])[] = []
  const left = new Map(
    Object.entries(faults).map(([operation, list]) => [operation, [...(list as readonly CallOutcome[])]]),
  )
  const nextOutcome = (operation: string): CallOutcome => left.get(operation)?.shift() ?? 'none'

  async function append(entries: readonly Entry[]): Promise<number> {
    for (const arriving of late.splice(0)) await right.append(arriving)
    const fault = nextOutcome('append')
    if (fault === 'none') return right.append(entries)
    if (fault === 'no-response') return new Promise(() => undefined)
    if (fault === 'arrives-late') late.push(entries)
    if (fault === 'lost-after-storing' || fault === 'repeated') await right.append(entries)
    if (fault === 'repeated') return right.append(entries)
    if (typeof fault === 'object') await right.append(entries.slice(0, fault.lostAfter))
    throw noResponse()
  }

  return new Proxy(right, {
    get(target, operation, receiver) {
      if (operation === 'append') return append
      const call: unknown = Reflect.get(target, operation, receiver)
      if (typeof call !== 'function') return call
      return async (...values: unknown[]) => {
        const fault = nextOutcome(String(operation))
        if (fault === 'none') return call.apply(target, values)
        if (fault === 'no-response') return new Promise(() => undefined)
        if (fault === 'lost-after-storing' || fault === 'repeated') await call.apply(target, values)
        if (fault === 'repeated') return call.apply(target, values)
        throw noResponse()
      }
    },
  })
}

/** An append that waits until the test releases it. */
export type HeldAppend = { readonly entries: readonly Entry[]; readonly release: () => Promise<number> }

/** A store whose appends wait for the test. */
export function createHeldStore(right: Store): Store & { readonly nextAppend: () => Promise<HeldAppend> } {
  const held: HeldAppend[] = []
  const waiting: ((append: HeldAppend) => void)[] = []
  return {
    ...right,
    append: (entries) =>
      new Promise((resolve) => {
        const release = () => {
          const appended = right.append(entries)
          resolve(appended)
          return appended
        }
        const taker = waiting.shift()
        if (taker === undefined) held.push({ entries, release })
        else taker({ entries, release })
      }),
    nextAppend: () =>
      new Promise((resolve) => {
        const append = held.shift()
        if (append === undefined) waiting.push(resolve)
        else resolve(append)
      }),
  }
}

/** A store that records the operations that are called. */
export function createCountingStore<Counted extends Store | Checkpoints>(
  right: Counted,
): { readonly store: Counted; readonly calls: string[] }
export function createCountingStore(): { readonly store: Store; readonly calls: string[] }
export function createCountingStore(right: Store | Checkpoints = createMemoryStore()) {
  const calls: string[] = []
  const store = new Proxy(right, {
    get(target, operation, receiver) {
      const call: unknown = Reflect.get(target, operation, receiver)
      if (typeof call !== 'function') return call
      return (...values: unknown[]) => {
        calls.push(String(operation))
        return call.apply(target, values)
      }
    },
  })
  return { store, calls }
}

/** A store in memory whose ledger keeps only what bids need. It does not support keys. */
export function createQuickStore(): Store {
  const heads = new Map<Entry['auctionId'], Entry>()
  const byId = new Map<Entry['id'], Entry>()
  return {
    ...createMemoryStore(),
    async append(entries) {
      for (const [index, entry] of entries.entries()) {
        if (entry.sequence <= (heads.get(entry.auctionId)?.sequence ?? 0)) return index
        heads.set(entry.auctionId, entry)
        byId.set(entry.id, entry)
      }
      return entries.length
    },
    findHeads: async (ids) => ids.map((id) => heads.get(id)).filter((head) => head !== undefined),
    findEntries: async (ids) => ids.map((id) => byId.get(id)).filter((entry) => entry !== undefined),
  }
}

/** How many reads one call may have in flight. */
const readsAtOnce = 10

/** A store that takes time by the clock, half of it before the call takes effect: 4 ms for an append, 2 ms for a read of one head. */
export function createSlowStore(right: Store, clock: Clock): Store {
  const wait = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve))
  async function taking<Value>(ms: number, call: () => Promise<Value>): Promise<Value> {
    await wait(ms / 2)
    const value = await call()
    await wait(ms / 2)
    return value
  }
  return {
    ...right,
    append: (entries) => taking(4, () => right.append(entries)),
    findAuction: (id) => taking(2, () => right.findAuction(id)),
    findHeads: (ids) => taking(2 * Math.ceil(ids.length / readsAtOnce), () => right.findHeads(ids)),
    findEntries: (ids) => taking(2, () => right.findEntries(ids)),
  }
}
