import { setTimeout as sleep } from 'node:timers/promises'
import { isStoreUnavailable } from '@auction/domain/store-unavailable'
import type { OpenStore, OpenTheStore } from './load-store.ts'

const betweenTriesMs = 500

/**
 * Opens a store. While it is unavailable, it is tried again, and no try begins after `waitMs`. What will not pass ends it at once.
 * @param onWait is called once, with why the store can't be used yet
 * @throws Error with one line that says why the store can't be used
 */
export async function openInTime(
  openStore: OpenTheStore,
  waitMs: number,
  onWait: (error: Error) => void,
): Promise<OpenStore> {
  const giveUpAtMs = performance.now() + waitMs
  for (let tries = 1; ; tries++) {
    try {
      return await openStore()
    } catch (error) {
      if (!isStoreUnavailable(error) || waitMs === 0) throw error
      if (performance.now() + betweenTriesMs >= giveUpAtMs) {
        throw new Error(`${error.message}; it was not there within STORE_WAIT_SECONDS (${waitMs / 1000})`)
      }
      if (tries === 1) onWait(error)
    }
    await sleep(betweenTriesMs)
  }
}
