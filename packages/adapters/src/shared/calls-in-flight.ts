/** The calls of a store in flight, for which its `close` waits. */
export type CallsInFlight = {
  /** Counts a call until it has ended. */
  during<Value>(call: Value | Promise<Value>): Promise<Value>
  /** Resolves when no call is in flight. */
  ended(): Promise<void>
}

export function createCallsInFlight(): CallsInFlight {
  let count = 0
  let waiting: (() => void)[] = []
  return {
    async during(call) {
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
    async ended() {
      if (count > 0) await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
}
