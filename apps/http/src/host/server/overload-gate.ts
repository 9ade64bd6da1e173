/** Whether one more request is admitted. Call it once for each request. */
export type OverloadGate = () => boolean

// The total time in which ticks of the event loop may exceed the limit, so that a burst is served.
const standingMs = 100
// Time within the limit restores as much, up to this maximum.
const longestMemoryMs = 1_000
// The maximum size of a burst.
const burstFactor = 8

/**
 * Detects overload by its queue. One tick of the event loop handles all requests that have arrived; later ones wait for the next
 * tick, so the number of requests in a tick is the length of the queue. With clients that wait for responses, it is at most the
 * number of clients. Under overload it grows until all connections wait. The gate cuts a queue that lasts.
 *
 * Time alone does not show overload: other processes may use the CPU, and a long tick with few requests is no overload.
 * @param maxAtOnce The number of requests that one tick may admit, including those that wait for the store.
 * @param inWork Returns the number of requests that wait for the store.
 */
export function createOverloadGate(
  maxAtOnce: number,
  inWork: () => number,
  nowMs: () => number = () => performance.now(),
): OverloadGate {
  let isInTick = false
  let taken = 0
  let offered = 0
  let tickBeganAtMs = 0
  let tickEndedAtMs = nowMs()
  let queuedMs = 0

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

  return () => {
    if (!isInTick) beginTick()
    offered += 1
    if (taken >= (queuedMs < standingMs ? maxAtOnce * burstFactor : maxAtOnce)) return false
    taken += 1
    return true
  }
}
