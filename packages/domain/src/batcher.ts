import type { CallSignal } from './store.ts'
import { isStoreUnavailable, StoreUnavailableError } from './store-unavailable.ts'

export type Batcher<Item, Value> = {
  /** The item's part in the result of a call that begins after this one. */
  add(item: Item, signal?: CallSignal): Promise<Value>
}

export type BatcherParts<Item, Value> = {
  /** Does the work of several items at once, of which there is at least one. Returns a value for each, in their order. */
  readonly run: (items: readonly Item[], signal: CallSignal) => Promise<readonly Value[]>
  /** How many calls of `run` are under way at the most. */
  readonly maxCalls: number
  /** What all items of one call weigh at the most; a heavier one goes alone. */
  readonly maxWeight: number
  /** 1, if left out. */
  readonly weightOf?: (item: Item) => number
  /**
   * Whether a call of several that fails, although the store answers, is made again in halves, until what it fails on is alone.
   * What is written must be such that writing it twice does no harm.
   */
  readonly isHalved?: boolean
  /**
   * Starts the next call when what arrives together has arrived, such as at the end of a turn of the event loop. Left out, it starts
   * at once, so that of many items which arrive together the first goes alone, and the others wait for it.
   */
  readonly defer?: (start: () => void) => void
}

type Waiting<Item, Value> = {
  readonly item: Item
  readonly signal: CallSignal | undefined
  readonly resolve: (value: Value) => void
  readonly reject: (error: unknown) => void
}

/**
 * Gathers what arrives while calls are under way into the next call. Nobody waits on a timer: what finds room for a call goes at
 * once. What nobody waits for any more when its turn comes is left out, and a call that nobody waits for any more takes no room from
 * others: one that hangs holds up nothing for ever.
 */
export function createBatcher<Item, Value>(parts: BatcherParts<Item, Value>): Batcher<Item, Value> {
  const { run, maxCalls, maxWeight, weightOf = () => 1, isHalved = false, defer = (start) => start() } = parts
  type Waiter = Waiting<Item, Value>
  let waiting: Waiter[] = []
  const underWay = new Set<CallSignal>()
  let isDeferred = false

  function hasRoom(): boolean {
    let calls = 0
    for (const { aborted } of underWay) if (!aborted) calls += 1
    return calls < maxCalls
  }

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

  /** Takes from the front as much as one call may carry. */
  function takeGroup(): readonly Waiter[] {
    const group: Waiter[] = []
    let weight = 0
    let taken = 0
    for (const waiter of waiting) {
      const isLeft = waiter.signal?.aborted === true
      if (!isLeft) {
        weight += weightOf(waiter.item)
        if (group.length > 0 && weight > maxWeight) break
        group.push(waiter)
      } else waiter.reject(new StoreUnavailableError('the caller stopped waiting before the store was asked'))
      taken += 1
    }
    waiting = taken === waiting.length ? [] : waiting.slice(taken)
    return group
  }

  async function start(group: readonly Waiter[]): Promise<void> {
    const signal = {
      get aborted() {
        return group.every((waiter) => waiter.signal?.aborted === true)
      },
    }
    underWay.add(signal)
    try {
      await call(group, signal)
    } catch (error) {
      for (const { reject } of group) reject(error) // Not even the error could be looked at.
    }
    underWay.delete(signal)
    startCalls()
  }

  async function call(group: readonly Waiter[], signal: CallSignal): Promise<void> {
    const items = group.map(({ item }) => item)
    let values: readonly Value[]
    try {
      values = await run(items, signal)
      if (values.length !== group.length) throw new TypeError(`${values.length} results for ${group.length} calls`)
    } catch (error) {
      if (!isHalved || group.length === 1 || isStoreUnavailable(error)) {
        for (const { reject } of group) reject(error)
        return
      }
      const half = Math.ceil(group.length / 2)
      await call(group.slice(0, half), signal)
      await call(group.slice(half), signal)
      return
    }
    for (const [index, { resolve }] of group.entries()) resolve(values[index] as Value) // One for each, as was checked.
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
