export interface Clock {
  /** The time in milliseconds since 1970-01-01T00:00:00Z. It may jump, and differ between processes. */
  nowMs(): number
  /** Calls back once, after at least `ms` milliseconds of real time. Returns a function that cancels the call. */
  after(ms: number, callback: () => void): () => void
}

/** Resolves after at least `ms` milliseconds of real time. */
export const pause = (clock: Pick<Clock, 'after'>, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve))
