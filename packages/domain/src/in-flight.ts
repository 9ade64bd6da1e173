/** An item's index among those in flight. The collection sets it. */
export type Indexed = { index?: number | undefined }

/** Items in flight, in any order. */
export type InFlight<Item extends Indexed> = {
  readonly all: readonly Item[]
  add(item: Item): void
  /** Removes an item. Returns whether it was in flight. */
  remove(item: Item): boolean
}

/**
 * Collects what is in flight: thousands of short-lived items a second, a few of them at a time. A Set or a Map would
 * keep them alive. Each table that it outgrows references the next one, so items that have left stay in memory until a
 * full garbage collection, which took a third of the time of a bid.
 */
export function createInFlight<Item extends Indexed>(): InFlight<Item> {
  const all: Item[] = []
  return {
    all,
    add(item) {
      item.index = all.length
      all.push(item)
    },
    remove(item) {
      const { index } = item
      const last = all.at(-1)
      if (index === undefined || last === undefined) return false
      // The last item moves to the index of the removed one.
      all[index] = last
      last.index = index
      all.pop()
      item.index = undefined
      return true
    },
  }
}

/** Items in flight by their key, instead of a Map. */
export const createRecordInFlight = <Item>(): Record<number, Item> => Object.create(null)

/** The calls in flight, for what limits them, or ends after them. */
export function createCallsInFlight() {
  let count = 0
  let waiting: (() => void)[] = []

  function end(): void {
    count -= 1
    if (count > 0) return
    for (const resolve of waiting) resolve()
    waiting = []
  }

  return {
    count: (): number => count,
    /** Counts a call until it has ended. */
    during<Value>(call: Promise<Value>): Promise<Value> {
      count += 1
      call.then(end, end)
      return call
    },
    /** Resolves when no call is in flight. */
    ended: (): Promise<void> =>
      count === 0 ? Promise.resolve() : new Promise((resolve) => void waiting.push(resolve)),
  }
}
