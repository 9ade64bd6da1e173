import { createMemoryStore } from '@auction/adapters/memory'
import { StoreUnavailableError, UnreadableStoredError } from '@auction/domain/errors'
import type { AppendOptions, Entry, Store } from '@auction/domain/store'
import type { TestRunner } from '../../src/runner.ts'
import { type StoreSubject, storeContract } from '../../src/store-contract.ts'

/** The availability of the store, and the fault of its next operation. */
export type Power = { isOff: boolean; fault?: FaultName | undefined }

/** The ways in which an operation of a planted store fails. Reads are not affected by a full disk. */
export const faults = { 'a full disk': 'nothing', 'a lost response': 'all', 'a cut connection': 'a prefix' } as const
type FaultName = keyof typeof faults

/** The contract, with the options of planted stores. */
export const plantedContract = (runner: TestRunner, makeSubject: () => Promise<StoreSubject>): void =>
  storeContract(runner, makeSubject, { faults, knowsAppends: true })

/** The store in memory as a subject that has all hooks. */
export const rightSubject = (): StoreSubject => subjectOf(createMemoryStore())

/** A correct store that can be made unavailable, whose other handles are the first one. */
export function subjectOf(store: Store): StoreSubject {
  const power: Power = { isOff: false }
  return breakable(withPower(store, power), power)
}

export const breakable = (store: Store, power: Power): StoreSubject =>
  withServer(
    withDamage(
      withClosing({
        store,
        openSecondHandle: async () => store,
        reopen: async () => store,
        breakStore: async () => {
          power.isOff = true
          return async () => {
            power.isOff = false
          }
        },
        failNext: async (fault) => {
          power.fault = fault as FaultName // The suite passes one of `faults`.
        },
      }),
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

export const away = () => new StoreUnavailableError('the store is unavailable', { cause: new Error('ECONNREFUSED') })

/** The subject with a first handle that can be closed, which waits for calls in flight. */
function withClosing({ store, ...subject }: StoreSubject): StoreSubject {
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

/** The operations that return entries. */
const entryReads = ['findHeads', 'findEntries', 'findEntriesByKey', 'listEntries', 'listBidderEntries']

/** The subject with a store whose data can be damaged. */
function withDamage({ store, ...subject }: StoreSubject): StoreSubject {
  const damaged = { auction: new Set<number>(), entry: new Set<number>() }
  const readable = <Value>(value: Value, kind: 'auction' | 'entry', id: number | undefined): Value => {
    if (id !== undefined && damaged[kind].has(id)) throw new UnreadableStoredError(kind, { id }, 'an invalid field')
    return value
  }
  const reading = mapOperations(store, (call, name) => async (...args) => {
    const value = await call(...args)
    if (!entryReads.includes(name)) return value
    for (const { id } of value as readonly Entry[]) readable(value, 'entry', id) // It reads entries.
    return value
  })
  return {
    ...subject,
    store: {
      ...reading,
      async findAuction(id) {
        const auction = await store.findAuction(id)
        return readable(auction, 'auction', auction?.id)
      },
      async findAuctions(wanted, signal) {
        const found = await store.findAuctions(wanted, signal)
        return found.map((each) => readable(each, 'auction', each.auction.id))
      },
      async listAuctions(query) {
        const { items, next } = await store.listAuctions(query)
        const [unreadable = [], rest = []] = [true, false].map((isDamaged) =>
          items.filter(({ auction: { id } }) => damaged.auction.has(id) === isDamaged),
        )
        const errors = unreadable.map(
          ({ auction: { id } }) => new UnreadableStoredError('auction', { id }, 'an invalid field'),
        )
        return { items: rest, next, ...(errors.length > 0 && { unreadable: errors }) }
      },
    },
    damage: async (kind, id) => {
      damaged[kind].add(id)
    },
  }
}

/** The store while it is available. Its next operation may fail. */
export function withPower<Powered extends Store>(store: Powered, power: Power): Powered {
  /** The fault of the next operation with this name; it occurs once. */
  function takeFault(operation: string): FaultName | undefined {
    const { fault } = power
    if (fault === 'a full disk' && /^(find|list|highest|appendedSince)/.test(operation)) return undefined
    power.fault = undefined
    return fault
  }
  const failing = mapOperations(store, (call, operation) => async (...args) => {
    const fault = takeFault(operation)
    if (fault === undefined) return call(...args)
    if (fault === 'a lost response') await call(...args)
    throw away()
  })
  async function append(entries: readonly Entry[], options?: AppendOptions): Promise<number> {
    const { length } = entries
    const reached = { 'a full disk': 0, 'a cut connection': Math.ceil(length / 2), 'a lost response': length }
    const fault = takeFault('append')
    if (fault === undefined) return store.append(entries, options)
    await store.append(entries.slice(0, reached[fault]))
    throw away()
  }
  return mapOperations({ ...failing, append }, (call) => async (...args) => {
    if (power.isOff) throw away()
    return call(...args)
  })
}

type Change = <Args extends readonly unknown[], Value>(
  call: (...args: Args) => Promise<Value>,
  operation: string,
) => (...args: Args) => Promise<Value>

/** An adapter with all operations changed. */
export function mapOperations<Operations extends object>(operations: Operations, change: Change): Operations {
  const changed = Object.entries(operations).map(([name, call]) => [name, change(call, name)])
  return Object.fromEntries(changed) as Operations // The same operations as before.
}

/** Caches the first result of each call. */
export function remembering<Args extends readonly unknown[], Value>(call: (...args: Args) => Promise<Value>) {
  const known = new Map<string, Promise<Value>>()
  return (...args: Args): Promise<Value> => {
    const asked = JSON.stringify(args)
    const value = known.get(asked) ?? call(...args)
    known.set(asked, value)
    return value
  }
}
