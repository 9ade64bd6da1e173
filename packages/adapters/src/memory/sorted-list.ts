type Compare<Value> = (a: Value, b: Value) => number

/** Distinct values in a sorted array with binary search. A class, because there is one list for each bidder: an object of closures would take five times the memory. */
export class SortedList<Value> {
  private readonly values: Value[] = []
  private readonly compare: Compare<Value>

  constructor(compare: Compare<Value>) {
    this.compare = compare
  }

  insert(value: Value): void {
    const { values, compare } = this
    const last = values.at(-1)
    if (last === undefined || compare(last, value) < 0) values.push(value)
    else values.splice(this.firstNotBefore(value), 0, value)
  }

  /** Removes the value that compares as equal. */
  remove(value: Value): void {
    const index = this.firstNotBefore(value)
    if (this.isAt(index, value)) this.values.splice(index, 1)
  }

  /** The values after a place, in order; all values if it is undefined. */
  *after(place: Value | undefined): Iterable<Value> {
    const index = place === undefined ? 0 : this.firstNotBefore(place)
    for (let next = place !== undefined && this.isAt(index, place) ? index + 1 : index; ; next++) {
      const value = this.values[next]
      if (value === undefined) return
      yield value
    }
  }

  /** The values before a place, in reverse order; all values if it is undefined. */
  *before(place: Value | undefined): Iterable<Value> {
    for (let next = (place === undefined ? this.values.length : this.firstNotBefore(place)) - 1; ; next--) {
      const value = this.values[next]
      if (value === undefined) return
      yield value
    }
  }

  /** The index of the first value that is not before the place. */
  private firstNotBefore(place: Value): number {
    let low = 0
    let high = this.values.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const candidate = this.values[middle]
      if (candidate !== undefined && this.compare(candidate, place) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  private isAt(index: number, value: Value): boolean {
    const found = this.values[index]
    return found !== undefined && this.compare(found, value) === 0
  }
}
