import { setTimeout as sleep } from 'node:timers/promises'
import { isStoreUnavailable } from '@auction/domain/errors'

const betweenTriesMs = 500

/**
 * Opens a store, and tries again for `waitMs` while it is unavailable. Any other error is thrown at once.
 * @param onWait is called once, with the reason
 */
export async function openInTime<Store>(
  open: () => Promise<Store>,
  waitMs: number,
  onWait: (error: Error) => void,
): Promise<Store> {
  const giveUpAtMs = performance.now() + waitMs
  for (let tries = 1; ; tries++) {
    try {
      return await open()
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
