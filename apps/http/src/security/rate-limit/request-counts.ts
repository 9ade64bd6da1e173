/** What was counted under a key, in the window that its first request began. */
export type RequestCount = {
  requests: number
  startMs: number
  /** How often it may be passed over when room is made. */
  credit: number
}

/** Counts requests by key, each key in windows of its own. */
export type RequestCounts = {
  /** Counts one more. */
  add(key: string, nowMs: number): Readonly<RequestCount>
  /** What was counted in a window that has not ended. */
  find(key: string, nowMs: number): Readonly<RequestCount> | undefined
  /** Takes over what was counted elsewhere. */
  replace(key: string, requests: number, startMs: number): Readonly<RequestCount>
  size(): number
}

const mostKeys = 200_000
// At keys, each time that room is made.
const fewestLooks = 2
const mostLooks = 100

/**
 * Holds so many keys at most, in about 200 bytes each. When there are more, those with the fewest requests are forgotten first:
 * a key that was counted n times stays until about as many others as there is room for were counted n times. So whoever
 * can make up keys gains nothing by it, and resets nobody.
 *
 * It is the algorithm CLOCK: a hand goes round over the keys, and takes from each a credit for one request before it lets go of
 * it. So the work for a new key has a bound, and for a known one it is a look into a map.
 */
export function createRequestCounts(windowMs: number, maxKeys = mostKeys): RequestCounts {
  const counts = new Map<string, RequestCount>()
  let hand = counts.entries()

  // A clock that was set back must not keep a window open.
  const isOver = ({ startMs }: RequestCount, nowMs: number): boolean => nowMs >= startMs + windowMs || nowMs < startMs

  function find(key: string, nowMs: number): RequestCount | undefined {
    const count = counts.get(key)
    return count === undefined || isOver(count, nowMs) ? undefined : count
  }

  function begin(key: string, requests: number, startMs: number): RequestCount {
    if (!counts.has(key)) makeRoom(startMs)
    const count = { requests, startMs, credit: requests - 1 }
    counts.set(key, count)
    return count
  }

  /** Lets go of keys whose window is over as fast as new ones come, and where there is no room, of the one that was counted least. */
  function makeRoom(nowMs: number): void {
    let least: { readonly key: string; readonly credit: number } | undefined
    for (let looks = 0; looks < mostLooks && (looks < fewestLooks || counts.size >= maxKeys); looks++) {
      const [key, count] = next()
      if (count === undefined) return
      const isCounted = !isOver(count, nowMs)
      if (isCounted && counts.size < maxKeys) continue
      if (!isCounted || count.credit === 0) counts.delete(key)
      else {
        count.credit -= 1
        if (least === undefined || count.credit < least.credit) least = { key, credit: count.credit }
      }
    }
    if (least !== undefined && counts.size >= maxKeys) counts.delete(least.key)
  }

  function next(): readonly [string, RequestCount] | readonly [string, undefined] {
    const { value, done } = hand.next()
    if (done !== true) return value
    // A map's iterator that has come to its end stays there.
    hand = counts.entries()
    return hand.next().value ?? ['', undefined]
  }

  return {
    add(key, nowMs) {
      const count = find(key, nowMs)
      if (count === undefined) return begin(key, 1, nowMs)
      count.requests += 1
      count.credit += 1
      return count
    },
    find,
    replace(key, requests, startMs) {
      const count = counts.get(key)
      if (count === undefined) return begin(key, requests, startMs)
      count.credit = Math.max(count.credit, requests - 1)
      count.requests = requests
      count.startMs = startMs
      return count
    },
    size: () => counts.size,
  }
}
