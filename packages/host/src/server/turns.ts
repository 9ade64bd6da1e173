/**
 * Returns a function that waits for a turn. In each turn of the event loop at most `perTurn` callers continue, in order, so that many
 * deliveries or readers do not hold up requests.
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
