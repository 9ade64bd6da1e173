import { isBusy } from './errors.ts'

/** The interval of checks for the lock of another process. */
export const checkMs = 1

/**
 * Repeats an action until no other process holds the lock, or until the time limit. SQLite's busy time-out would block
 * the thread, check less and less often, and not work when two processes wait for each other.
 */
export async function whenFree<Value>(waitMs: number, action: () => Value): Promise<Value> {
  const giveUpAtMs = performance.now() + waitMs
  for (;;) {
    try {
      return action()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAtMs) throw error
    }
    await sleep(checkMs)
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
