import type { Clock } from '@auction/domain'

// Every runtime has these functions, but the standard library that this package is compiled for does not declare them.
const { setTimeout, clearTimeout } = globalThis as unknown as {
  setTimeout(callback: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
}

export const realClock: Clock = {
  nowMs: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}

export const wait = (ms: number): Promise<void> => new Promise((resolve) => realClock.after(ms, resolve))
