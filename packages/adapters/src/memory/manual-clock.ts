import { parseMoment } from '@auction/domain/moment'
import type { Clock } from '@auction/domain/ports/clock'

export type ManualClock = Clock & {
  /** Moves the clock to a moment, such as `2030-01-31T12:00:00Z`: forward or back, as real clocks do. */
  set(iso: string): void
  advance(ms: number): void
}

/** A clock that stands still until a test moves it. */
export function manualClock(startIso: string): ManualClock {
  let now = epochMsOf(startIso)
  return {
    nowMs: () => now,
    set: (iso) => {
      now = epochMsOf(iso)
    },
    advance: (ms) => {
      now += ms
    },
  }
}

function epochMsOf(iso: string): number {
  const moment = parseMoment(iso)
  if (moment === undefined) throw new RangeError(`not a UTC date-time such as 2030-01-31T12:00:00Z: ${iso}`)
  return moment.epochMs
}
