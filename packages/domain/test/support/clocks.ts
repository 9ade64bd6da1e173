import type { ManualClock } from '@auction/adapters/memory'

export type SteppedClock = ManualClock & {
  /** Advances the time: due timers are called in order, each with time to act. */
  pass(ms: number): Promise<void>
}

/** A clock whose timers wait for the test, too. */
export function createSteppedClock(startIso: string): SteppedClock {
  let nowMs = Date.parse(startIso)
  let passedMs = 0
  const timers = new Set<{ readonly atMs: number; readonly callback: () => void }>()
  return {
    nowMs: () => nowMs,
    after(ms, callback) {
      const timer = { atMs: passedMs + ms, callback }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    set: (iso) => {
      nowMs = Date.parse(iso)
    },
    advance: (ms) => {
      nowMs += ms
    },
    async pass(ms) {
      const untilMs = passedMs + ms
      for (;;) {
        await everythingSettled()
        const due = [...timers].filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)[0]
        if (due === undefined) break
        timers.delete(due)
        nowMs += due.atMs - passedMs
        passedMs = due.atMs
        due.callback()
      }
      nowMs += untilMs - passedMs
      passedMs = untilMs
      await everythingSettled()
    },
  }
}

/** Runs everything that can run now: a store in memory waits only for promises. */
export const everythingSettled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
