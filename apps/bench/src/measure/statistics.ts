/** The middle of some values, or the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >>> 1
  const upper = sorted[middle]
  if (upper === undefined) throw new RangeError('there is no median of no values')
  const lower = sorted.length % 2 === 0 ? sorted[middle - 1] : undefined
  return lower === undefined ? upper : (lower + upper) / 2
}
