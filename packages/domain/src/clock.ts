/** Time, as a host has it. */
export interface Clock {
  /** The time of day, in milliseconds since 1970-01-01T00:00:00Z. It may jump, and differ from other processes'. */
  nowMs(): number
  /** Calls back once, after at least so many milliseconds of real time. Returns what calls it off. */
  after(ms: number, callback: () => void): () => void
}
