import { StoreUnavailableError, type WriteOutcome, withOutcome } from '../store/errors.ts'
import type { CallSignal } from '../store/store.ts'
import { type TimeLimit, withinTime } from '../time-limit.ts'

/** How far a use case has come that calls the store before its command is submitted. */
export type Progress = {
  /** The outcome if it fails now. */
  outcome: WriteOutcome
  /** Call it before the command is submitted: one that timed out in the meantime must not be written. */
  readonly submitting: () => void
  /** Aborted at the deadline. */
  readonly signal: CallSignal
}

/**
 * Runs such a use case within the limit from request to response.
 * @param onLate is called with the outcome if the limit ends first
 * @throws StoreUnavailableError whose `outcome` states whether the command may be stored
 */
export async function withinDeadline<Value>(
  limit: TimeLimit,
  run: (progress: Progress) => Promise<Value>,
  onLate?: (outcome: WriteOutcome) => void,
): Promise<Value> {
  let progress: Progress | undefined
  const outcome = () => progress?.outcome ?? 'nothing-changed'
  const lateError = () => {
    onLate?.(outcome())
    return new StoreUnavailableError(`the store did not finish within ${limit.ms} ms`, { outcome: outcome() })
  }
  try {
    return await withinTime(
      limit,
      (signal) => {
        const current: Progress = {
          outcome: 'nothing-changed',
          signal,
          submitting() {
            if (signal.aborted) throw new StoreUnavailableError('the store did not respond in time')
            current.outcome = 'unknown'
          },
        }
        progress = current
        return run(current)
      },
      lateError,
    )
  } catch (error) {
    // Later errors have their own outcome.
    throw outcome() === 'nothing-changed' ? withOutcome(error, 'nothing-changed') : error
  }
}
