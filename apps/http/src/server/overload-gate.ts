export type OverloadGate = {
  /** Whether one more request may be taken on. Call it once for each. */
  admits(): boolean
}

export type OverloadParts = {
  /** How many requests may be taken on in one tick of the event loop, those included that wait for the store. */
  readonly maxAtOnce: number
  /** How many wait for the store now. */
  readonly inWork: () => number
  readonly nowMs: () => number
}

// For so long, all in all, may ticks of the event loop take on more than they should: a burst is served, however large its tick.
const standingMs = 100
// Time in which no more comes than should makes up for as much, and for no more than this.
const longestMemoryMs = 1_000
// No burst is larger than this.
const burstFactor = 8

/**
 * Tells overload by its queue. One tick of the event loop takes on all requests that have arrived: what comes meanwhile waits for
 * the next tick, so how many a tick takes on is how many have waited. With clients that wait for answers, it is no more than there
 * are clients. Where more come than can be served, it grows until all connections wait; a queue that has lasted for a while is cut.
 *
 * No measure of time alone: the processor may belong to others, and a tick with little in it is no overload however long it takes.
 */
export function createOverloadGate({ maxAtOnce, inWork, nowMs }: OverloadParts): OverloadGate {
  let isInTick = false
  let taken = 0
  let offered = 0
  let tickBeganAtMs = 0
  let tickEndedAtMs = nowMs()
  let queuedMs = 0

  /** Counts a time in which there was a queue, or there was none. */
  function count(ms: number, hadQueue: boolean): void {
    queuedMs = Math.min(longestMemoryMs, Math.max(0, queuedMs + (hadQueue ? ms : -ms)))
  }

  function beginTick(): void {
    isInTick = true
    taken = inWork()
    offered = taken
    tickBeganAtMs = nowMs()
    count(tickBeganAtMs - tickEndedAtMs, taken > maxAtOnce)
    setImmediate(endTick)
  }

  function endTick(): void {
    isInTick = false
    tickEndedAtMs = nowMs()
    count(tickEndedAtMs - tickBeganAtMs, offered > maxAtOnce)
  }

  return {
    admits() {
      if (!isInTick) beginTick()
      offered += 1
      if (taken >= (queuedMs < standingMs ? maxAtOnce * burstFactor : maxAtOnce)) return false
      taken += 1
      return true
    },
  }
}
