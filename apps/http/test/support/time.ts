import { onTestFinished, vi } from 'vitest'

/** The time of this process, its clock and its timers, which a test moves. */
export type StoppedTime = {
  /** Lets time pass, and timers with it. */
  pass(seconds: number): void
  /** Moves the clock alone: the machine has slept, or its clock was set. */
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
