import { onTestFinished, vi } from 'vitest'

/** The clock and timers of this process, which a test controls. */
export type StoppedTime = {
  /** Advances the time, and runs timers. */
  pass(seconds: number): void
  /** Changes the clock only, as if the machine had slept or its clock had been set. */
  moveClock(seconds: number): void
}

/** Stops time for one test. */
export function stopTime(): StoppedTime {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  return {
    pass: (seconds) => void vi.advanceTimersByTime(Math.round(seconds * 1000)),
    moveClock: (seconds) => void vi.setSystemTime(Date.now() + Math.round(seconds * 1000)),
  }
}
