import type { Clock } from '@auction/domain'
import { toMoment } from '@auction/domain/moment'

export type ManualClock = Clock & {
  /** Sets the clock to a moment, such as `2030-01-31T12:00:00Z`, forward or back. */
  set(iso: string): void
  advance(ms: number): void
}

/**
 * A clock whose time changes only by `set`. Its timers run in real time, so that time-outs of stores work.
 * @throws InvalidValueError, and `set` too, if a text is not a moment
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
