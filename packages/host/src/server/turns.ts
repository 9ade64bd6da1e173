/**
 * Returns a function that waits for a turn. In each turn of the event loop at most `perTurn` callers continue, in
 * order, so that many deliveries or readers do not hold up requests.
 */
export function createTurns(perTurn: number): () => Promise<void> {
  const waiting: (() => void)[] = []
  let isScheduled = false

  function start(): void {
    for (const resume of waiting.splice(0, perTurn)) resume()
    isScheduled = waiting.length > 0
    if (isScheduled) setImmediate(start)
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      if (isScheduled) return
      isScheduled = true
      setImmediate(start)
    })
}

let tick: Promise<void> | undefined

/**
 * Resolves at the end of the event loop's tick, when everything that has arrived is read. Requests that arrive in one
 * tick wait for each other, so that their writes are stored together, and their responses are sent together. A single
 * request waits only for the end of the tick, which follows immediately. Under load, responses in bursts rather than
 * between reads halve the kernel's work for each request.
 */
export function endOfTick(): Promise<void> {
  tick ??= new Promise((resolve) => {
    setImmediate(() => {
      tick = undefined
      resolve()
    })
  })
  return tick
}
