export type RecentMap<Key, Value> = {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  delete(key: Key): void
}

/**
 * Remembers at most `max` values (2 where that is less), and always the half of it that was used last. What is used is in the young
 * generation. When that is full it becomes the old one, and what nobody has used since the last time is forgotten. Two plain maps
 * take half the time of a list in the exact order of use, and a hundred lines less.
 */
export function createRecentMap<Key, Value>(max: number): RecentMap<Key, Value> {
  const perGeneration = Math.max(1, Math.floor(max / 2))
  let young = new Map<Key, Value>()
  let old = new Map<Key, Value>()

  function set(key: Key, value: Value): void {
    if (young.size >= perGeneration && !young.has(key)) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }

  return {
    get(key) {
      const value = young.get(key)
      if (value !== undefined) return value
      const older = old.get(key)
      if (older !== undefined) set(key, older)
      return older
    },
    set,
    delete(key) {
      young.delete(key)
      old.delete(key)
    },
  }
}
