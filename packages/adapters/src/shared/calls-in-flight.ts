/** The calls of a store in flight, for which its `close` waits. */
export function createCallsInFlight() {
  let count = 0
  let waiting: (() => void)[] = []
  return {
    /** Counts a call until it has ended. */
    async during<Value>(call: Value | Promise<Value>): Promise<Value> {
      count += 1
      try {
        return await call
      } finally {
        count -= 1
        if (count === 0) {
          for (const resolve of waiting) resolve()
          waiting = []
        }
      }
    },
    /** Resolves when no call is in flight. */
    async ended(): Promise<void> {
      if (count > 0) await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
}
