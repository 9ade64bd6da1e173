import { isBusy } from './faults.ts'

/** How often it is looked whether another process has left its lock. */
export const lookAgainMs = 1

/**
 * Does what may meet the lock of another process, again and again until it meets none, or for so long. It is no wait of SQLite's
 * own: that blocks the thread, looks again more and more seldom, and not at all where two would wait for each other.
 */
export async function whenFree<Value>(waitMs: number, action: () => Value): Promise<Value> {
  const giveUpAtMs = performance.now() + waitMs
  for (;;) {
    try {
      return action()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAtMs) throw error
    }
    await sleep(lookAgainMs)
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
