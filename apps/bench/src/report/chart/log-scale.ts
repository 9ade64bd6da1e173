export type LogScale = {
  /** Where a value stands, as a share of the axis from its beginning. */
  share(value: number): number
  /** The powers of ten from the beginning to the end. */
  readonly ticks: readonly number[]
}

/**
 * An axis on which equal ratios are equal lengths, from the power of ten at or below all values to that at or above them.
 * Values must be above 0.
 */
export function logScale(values: readonly number[]): LogScale {
  const first = Math.floor(Math.log10(Math.min(...values)))
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values))))
  return {
    share: (value) => (Math.log10(value) - first) / (last - first),
    ticks: Array.from({ length: last - first + 1 }, (_, index) => Number(`1e${first + index}`)),
  }
}
