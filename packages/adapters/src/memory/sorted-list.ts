/** Distinct values in a sorted array with binary search. */
export type SortedList<Value> = {
  insert(value: Value): void
  /** Removes the value that compares as equal. */
  remove(value: Value): void
  /** The values after a place, in order; all values if it is undefined. */
  after(place: Value | undefined): Iterable<Value>
  /** The values before a place, in reverse order; all values if it is undefined. */
  before(place: Value | undefined): Iterable<Value>
}

export function createSortedList<Value>(compare: (a: Value, b: Value) => number): SortedList<Value> {
  const values: Value[] = []

  /** The index of the first value that is not before the place. */
  function firstNotBefore(place: Value): number {
    let low = 0
    let high = values.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const candidate = values[middle]
      if (candidate !== undefined && compare(candidate, place) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  const isAt = (index: number, value: Value): boolean => {
    const found = values[index]
    return found !== undefined && compare(found, value) === 0
  }

  return {
    insert(value) {
      const last = values.at(-1)
      if (last === undefined || compare(last, value) < 0) values.push(value)
      else values.splice(firstNotBefore(value), 0, value)
    },
    remove(value) {
      const index = firstNotBefore(value)
      if (isAt(index, value)) values.splice(index, 1)
    },
    *after(place) {
      const index = place === undefined ? 0 : firstNotBefore(place)
      for (let next = place !== undefined && isAt(index, place) ? index + 1 : index; ; next++) {
        const value = values[next]
        if (value === undefined) return
        yield value
      }
    },
    *before(place) {
      for (let next = (place === undefined ? values.length : firstNotBefore(place)) - 1; ; next--) {
        const value = values[next]
        if (value === undefined) return
        yield value
      }
    },
  }
}
