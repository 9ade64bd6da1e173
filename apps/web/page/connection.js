import { createLive } from './live.js'

/** Shorter losses of the connection are not worth a warning. */
const lostMs = 1_500

/**
 * Whether what the page shows is up to date.
 * @param {import('./client.js').AuctionClient} client
 * @param {object} options
 * @param {string} options.scope
 * @param {(state: import('./live.js').AuctionState) => void} options.onAuction
 * @param {() => void} options.onChange
 * @param {() => void} options.onBack The connection was lost, and is back.
 * @param {() => void} options.onRefused
 */
export function createConnection(client, { scope, onAuction, onChange, onBack, onRefused }) {
  /** @type {number | undefined} */
  let lostAtMs
  let isRefused = false
  const live = createLive(client, {
    scope,
    onAuction,
    onState(state) {
      const wasLost = lostAtMs !== undefined
      lostAtMs = state === 'live' || state === 'over' ? undefined : (lostAtMs ?? performance.now())
      if (wasLost && lostAtMs === undefined) onBack()
      onChange()
    },
    onRefused() {
      isRefused = true
      onRefused()
    },
  })
  return {
    watch: live.watch,
    check: live.check,
    close: live.close,
    /** Nothing reconnects after the service has refused the stream. */
    isReconnecting: () => !isRefused,
    isStale: () =>
      !navigator.onLine || (lostAtMs !== undefined && performance.now() - lostAtMs > lostMs) || live.isSilent(),
  }
}
