import { ServiceClosedError } from './service-closed.ts'
import type { TimeLimit } from './time-limit.ts'

type Operation<Values extends readonly unknown[], Value> = (...values: Values) => Promise<Value>

/** From when a service is made until it is closed, and nothing of it is under way any more. */
export type Lifetime = {
  /** The operation, which counts as under way until it is settled, and fails once the service is closed. */
  within<Values extends readonly unknown[], Value>(operation: Operation<Values, Value>): Operation<Values, Value>
  /** What operations begin and do not wait for: it counts as under way as well, and is never refused. */
  inBackground<Values extends readonly unknown[], Value>(operation: Operation<Values, Value>): Operation<Values, Value>
  /** Lets nothing begin from now on. Resolves when nothing is under way any more, and at the deadline at the latest. */
  close(): Promise<void>
}

export function createLifetime(limit: TimeLimit): Lifetime {
  let underWay = 0
  let closed: Promise<void> | undefined
  let onLastEnd: (() => void) | undefined

  function endOne(): void {
    underWay -= 1
    if (underWay === 0) onLastEnd?.()
  }

  function untilIdle(): Promise<void> {
    if (underWay === 0) return Promise.resolve()
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
    underWay += 1
    outcome.then(endOne, endOne)
    return outcome
  }

  return {
    within:
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
