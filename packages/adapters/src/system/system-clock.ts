import type { Clock } from '@auction/domain'

/** The system's clock and timers. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}
