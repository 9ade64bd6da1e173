import type { Clock } from './clock.ts'
import { type Outcome, StoreUnavailableError } from './store-unavailable.ts'

/**
 * The outcome of a use case, or an error when it takes too long, whatever the store does. `giveUp` is called then: it tells what is
 * known of the work by now, which must stay true, so the work has to stop where it would change that.
 */
export async function withinDeadline<Value>(
  clock: Clock,
  deadlineMs: number,
  work: Promise<Value>,
  giveUp: () => Outcome,
): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const callOff = clock.after(deadlineMs, () => {
    reject(new StoreUnavailableError(`the store has not done it within ${deadlineMs} ms`, { outcome: giveUp() }))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    callOff()
  }
}
