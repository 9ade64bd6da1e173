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

/** What the last tenth of values is to the first, by their means: of rates, each over the same number of bids. */
export function lastToFirst(values: readonly number[]): number {
  const tenth = Math.floor(values.length / 10)
  if (tenth === 0) throw new RangeError('a last tenth is told from ten values at least')
  return harmonicMean(values.slice(-tenth)) / harmonicMean(values.slice(0, tenth))
}

const harmonicMean = (rates: readonly number[]): number => rates.length / rates.reduce((sum, rate) => sum + 1 / rate, 0)
