import { median } from '../measure/statistics.ts'

/**
 * By how many percent values have grown from their second quarter to their last, by the medians of both. The first quarter is
 * for what fills up once: caches, and the space between collections.
 */
export function growthPercent(values: readonly number[]): number {
  const quarter = Math.floor(values.length / 4)
  if (quarter === 0) throw new RangeError('growth is told from four values at least')
  const before = median(values.slice(quarter, 2 * quarter))
  return (median(values.slice(-quarter)) / before - 1) * 100
}
