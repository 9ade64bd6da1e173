import type { TimeLimit } from './time-limit.ts'
import { hasCode } from './values/validation.ts'

/** The service was called after `close`. Nothing was changed. */
class ServiceClosedError extends Error {
  override readonly name = 'ServiceClosedError'
  readonly code = 'service-closed'

  constructor() {
    super('the auction service is closed; nothing was changed')
  }
}

export const isServiceClosed = (error: unknown): error is ServiceClosedError => hasCode(error, 'service-closed')

type Operation<Values extends readonly unknown[], Value> = (...values: Values) => Promise<Value>

export type Lifetime = {
  /** Wraps an operation, which is tracked until it settles and refused after `close`. */
  whileOpen<Values extends readonly unknown[], Value>(operation: Operation<Values, Value>): Operation<Values, Value>
  /** Wraps work that operations start but do not await. It is tracked too, and never refused. */
  inBackground<Values extends readonly unknown[], Value>(operation: Operation<Values, Value>): Operation<Values, Value>
  /** Refuses new operations. Resolves when no operation is in progress, or at the deadline. */
  close(): Promise<void>
}

export function createLifetime(limit: TimeLimit): Lifetime {
  let inFlight = 0
  let closed: Promise<void> | undefined
  let onLastEnd: (() => void) | undefined

  function endOne(): void {
    inFlight -= 1
    if (inFlight === 0) onLastEnd?.()
  }

  function untilIdle(): Promise<void> {
    if (inFlight === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const waiter = { onLate: resolve }
      limit.start(waiter)
      onLastEnd = () => {
        limit.end(waiter)
        resolve()
      }
    })
  }

  function count<Value>(outcome: Promise<Value>): Promise<Value> {
    inFlight += 1
    outcome.then(endOne, endOne)
    return outcome
  }

  return {
    whileOpen:
      (operation) =>
      (...values) =>
        closed === undefined ? count(operation(...values)) : Promise.reject(new ServiceClosedError()),
    inBackground:
      (operation) =>
      (...values) =>
        count(operation(...values)),
    close() {
      closed ??= untilIdle()
      return closed
    },
  }
}
