import { createInFlight, type Indexed } from '../in-flight.ts'
import { isStoreUnavailable, StoreUnavailableError } from './errors.ts'
import type { CallSignal, Entry, Store } from './store.ts'

type Batcher<Item, Value> = {
  /** Adds an item to a batch, and resolves with its value. */
  add(item: Item, signal?: CallSignal): Promise<Value>
}

export type BatcherParts<Item, Value> = {
  /** Runs a batch of at least one item. Returns one value per item, in order. */
  readonly run: (items: readonly Item[], signal: CallSignal) => Promise<readonly Value[]>
  /** The maximum number of concurrent calls of `run`. */
  readonly maxCalls: number
  /** The maximum weight of a batch. A heavier item forms its own batch. */
  readonly maxWeight: number
  /** Defaults to 1 per item. */
  readonly weightOf?: (item: Item) => number
  /** Whether to split a failed batch in halves, unless the store is unavailable. Requires idempotent writes. */
  readonly isHalved?: boolean
  /**
   * Defers the start of a batch, for example to the end of a turn of the event loop, so that items of one turn share a
   * batch. By default, the first item starts a batch at once, and the others wait for it.
   */
  readonly defer?: (start: () => void) => void
}

type Waiting<Item, Value> = {
  readonly item: Item
  readonly signal: CallSignal | undefined
  readonly resolve: (value: Value) => void
  readonly reject: (error: unknown) => void
}

/** A class, because V8 makes a hidden class for each object literal with a getter. */
class GroupSignal implements CallSignal, Indexed {
  index: number | undefined = undefined
  private readonly group: readonly Pick<Waiting<unknown, unknown>, 'signal'>[]

  constructor(group: GroupSignal['group']) {
    this.group = group
  }

  get aborted(): boolean {
    return this.group.every(({ signal }) => signal?.aborted === true)
  }
}

/**
 * Collects items in batches while earlier calls run. It has no timer: an item starts at once if a call is free. It
 * drops items whose callers stopped waiting. A call whose callers all stopped waiting no longer counts against
 * `maxCalls`, so a call that hangs does not block others.
 */
export function createBatcher<Item, Value>(parts: BatcherParts<Item, Value>): Batcher<Item, Value> {
  const { maxCalls, maxWeight, weightOf = () => 1, defer = (start) => start() } = parts
  type Waiter = Waiting<Item, Value>
  let waiting: Waiter[] = []
  const inFlight = createInFlight<GroupSignal>()
  let isDeferred = false

  const hasRoom = (): boolean => inFlight.all.filter(({ aborted }) => !aborted).length < maxCalls

  function startCalls(): void {
    if (isDeferred) return
    isDeferred = true
    defer(startAll)
  }

  function startAll(): void {
    isDeferred = false
    while (waiting.length > 0 && hasRoom()) {
      const group = takeGroup()
      if (group.length > 0) void start(group)
    }
  }

  /** Takes the next batch from the queue. */
  function takeGroup(): readonly Waiter[] {
    const group: Waiter[] = []
    let weight = 0
    let passed = 0
    for (const waiter of waiting) {
      const isLeft = waiter.signal?.aborted === true
      if (!isLeft) {
        weight += weightOf(waiter.item)
        if (group.length > 0 && weight > maxWeight) break
        group.push(waiter)
      } else waiter.reject(new StoreUnavailableError('the caller stopped waiting before the store was called'))
      passed += 1
    }
    waiting = passed === waiting.length ? [] : waiting.slice(passed)
    return group
  }

  async function start(group: readonly Waiter[]): Promise<void> {
    const signal = new GroupSignal(group)
    inFlight.add(signal)
    try {
      await settle(parts, group, signal)
    } catch (error) {
      for (const { reject } of group) reject(error) // `settle` failed while it handled an error.
    }
    inFlight.remove(signal)
    startCalls()
  }

  return {
    add(item, signal) {
      return new Promise((resolve, reject) => {
        waiting.push({ item, signal, resolve, reject })
        startCalls()
      })
    },
  }
}

/** Runs a batch and settles its items. */
async function settle<Item, Value>(
  parts: BatcherParts<Item, Value>,
  group: readonly Waiting<Item, Value>[],
  signal: CallSignal,
): Promise<void> {
  const items = group.map(({ item }) => item)
  let values: readonly Value[]
  try {
    values = await parts.run(items, signal)
    if (values.length !== group.length)
      throw new TypeError(`a batch returned ${values.length} values for ${group.length} items`)
  } catch (error) {
    if (parts.isHalved !== true || group.length === 1 || isStoreUnavailable(error)) {
      for (const { reject } of group) reject(error)
      return
    }
    const half = Math.ceil(group.length / 2)
    await settle(parts, group.slice(0, half), signal)
    await settle(parts, group.slice(half), signal)
    return
  }
  // The cast: the batch has one value per item, as checked above.
  for (const [index, { resolve }] of group.entries()) resolve(values[index] as Value)
}

export type GroupCommitParts = {
  /**
   * Writes lists of entries, each of one auction, and returns how many entries of each list are stored. A taken key
   * ends only its own list. If services share the store, two lists may be of one auction and compete for keys. If it
   * throws, any entry may be stored. A taken key is likely if `isContended` is true, and unlikely otherwise.
   */
  readonly write: (appends: readonly (readonly Entry[])[], isContended: boolean) => Promise<readonly number[]>
  /** The maximum number of entries per write. Default: 1,000. */
  readonly maxEntries?: number
  /** The maximum number of concurrent writes. Default: 1. */
  readonly maxWrites?: number
  /**
   * The maximum number of concurrent writes of contended appends, in addition to the others. Default: 1. If a taken key
   * makes a write slower, set `maxContendedEntries` to 1, so that each append has its own write.
   */
  readonly maxContendedWrites?: number
  /** The maximum number of entries per write of contended appends. Default: `maxEntries`. */
  readonly maxContendedEntries?: number
  /** See `createBatcher`. With `setImmediate`, appends of one turn of the event loop share a write. */
  readonly defer?: (start: () => void) => void
}

/**
 * Creates an `append` that combines appends into shared writes, like the group commit of a database log. While a write
 * runs, appends collect for the next write. It has no timer: an append to an idle store is written at once. If the
 * store is unavailable, each append of the group fails. For any other error, the group is written again in halves, so
 * that only the failing append fails. Entries that were stored before return as taken: the caller checks whose they
 * are.
 */
export function createGroupCommit(parts: GroupCommitParts): Store['append'] {
  const { write, maxEntries = 1_000, maxWrites = 1, maxContendedWrites = 1, defer } = parts
  const { maxContendedEntries = maxEntries } = parts
  const weightOf = (entries: readonly Entry[]): number => entries.length
  const create = (isContended: boolean, maxCalls: number, maxWeight: number) => {
    const run = (appends: readonly (readonly Entry[])[]) => write(appends, isContended)
    return createBatcher({ run, weightOf, isHalved: true, maxCalls, maxWeight, ...(defer && { defer }) })
  }
  const calm = create(false, maxWrites, maxEntries)
  const contended = create(true, maxContendedWrites, maxContendedEntries)
  return (entries, { isContended = false, signal } = {}) => (isContended ? contended : calm).add(entries, signal)
}

type EntryKeys = {
  readonly id: number
  readonly auctionId: number
  readonly sequence: number
  readonly requestKey?: string | undefined
}

/**
 * The keys of an entry, none of which two entries may share: its id, its position in its auction, and its `requestKey`.
 */
export const keysOfEntry = ({ id, auctionId, sequence, requestKey }: EntryKeys): readonly string[] => [
  `id ${id}`,
  `position ${auctionId} ${sequence}`,
  ...(requestKey === undefined ? [] : [`key ${requestKey}`]),
]

/** Each list up to its first item with a taken key, or with a key of an earlier item of the group. */
export function freePrefixes<Item>(
  lists: readonly (readonly Item[])[],
  keysOf: (item: Item) => readonly string[],
  isTaken: (key: string) => boolean = () => false,
): readonly (readonly Item[])[] {
  const own = new Set<string>()
  return lists.map((list) => {
    const end = list.findIndex((item) => {
      const keys = keysOf(item)
      if (keys.some((key) => isTaken(key) || own.has(key))) return true
      for (const key of keys) own.add(key)
      return false
    })
    return end < 0 ? list : list.slice(0, end)
  })
}
