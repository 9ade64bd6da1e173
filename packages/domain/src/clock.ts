export interface Clock {
  /** The time in milliseconds since 1970-01-01T00:00:00Z. It may jump, and differ between processes. */
  nowMs(): number
  /** Calls back once, after at least `ms` milliseconds of real time. Returns a function that cancels the call. */
  after(ms: number, callback: () => void): () => void
}

/** Resolves after at least `ms` milliseconds of real time. */
export const pause = (clock: Pick<Clock, 'after'>, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve))

/**
 * Returns a function that waits for a turn. One caller at a time continues, in order, and other work that is ready runs
 * before the next: so what several callers compute in pieces does not hold it up.
 */
export function createTurns(clock: Pick<Clock, 'after'>): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last.then(() => pause(clock, 0))
    return last
  }
}
