/** Values by key, of which the least recently used goes when there are too many. */
export type BoundedCache<Key, Value> = {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
}

export function createBoundedCache<Key, Value>(maxValues: number): BoundedCache<Key, Value> {
  // A map goes through its keys in the order in which they were set.
  const values = new Map<Key, Value>()

  function set(key: Key, value: Value): void {
    values.delete(key)
    values.set(key, value)
    if (values.size <= maxValues) return
    for (const oldest of values.keys()) {
      values.delete(oldest)
      break
    }
  }

  return {
    get(key) {
      const value = values.get(key)
      if (value !== undefined) set(key, value)
      return value
    },
    set,
  }
}
