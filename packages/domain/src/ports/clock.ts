export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  nowMs(): number
}
