import { createCallsInFlight } from './in-flight.ts'
import { type TimeLimit, withinTime } from './time-limit.ts'
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
  const { count, during, ended } = createCallsInFlight()
  let closed: Promise<void> | undefined
  const lateError = () => new Error('the operations in progress did not end in time')

  return {
    whileOpen:
      (operation) =>
      (...values) =>
        closed === undefined ? during(operation(...values)) : Promise.reject(new ServiceClosedError()),
    inBackground:
      (operation) =>
      (...values) =>
        during(operation(...values)),
    close() {
      closed ??= count() === 0 ? ended() : withinTime(limit, ended, lateError).catch(() => undefined)
      return closed
    },
  }
}
