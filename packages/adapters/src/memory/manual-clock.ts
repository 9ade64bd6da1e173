import type { Clock } from '@auction/domain/clock'
import { toMoment } from '@auction/domain/moment'

export type ManualClock = Clock & {
  /** Moves the clock to a moment, such as `2030-01-31T12:00:00Z`: forward or back, as real clocks do. */
  set(iso: string): void
  advance(ms: number): void
}

/**
 * A clock whose time of day stands still until a test moves it. What waits for a while, as for a store that does not answer,
 * waits in real time all the same.
 * @throws InvalidValueError, as `set` does, when a text is no moment
 */
export function createManualClock(startIso: string): ManualClock {
  let now = toMoment(startIso).epochMs
  return {
    nowMs: () => now,
    after(ms, callback) {
      const timer = setTimeout(callback, ms)
      return () => clearTimeout(timer)
    },
    set: (iso) => {
      now = toMoment(iso).epochMs
    },
    advance: (ms) => {
      now += ms
    },
  }
}
