import type { Measurement } from './measurement.ts'
import { type Metric, medianSample, type Sample } from './sample.ts'

/** What is told as a ratio, and where the ratio goes. */
const ratios = [
  ['cpuMicrosPerRequest', 'timesCpu'],
  ['p50Ms', 'timesP50'],
  ['p99Ms', 'timesP99'],
] as const satisfies readonly (readonly [of: Metric, ratio: Metric])[]

/**
 * Adds to each measurement what it is to that of a base. Each round is compared with the base's of the same round, which was
 * taken at nearly the same time, and the median of these ratios counts: so a phase in which the machine is slow changes little.
 */
export function besideBase(measurements: readonly Measurement[], baseSeries: string): readonly Measurement[] {
  const base = measurements.find(({ series }) => series === baseSeries)
  if (base === undefined) return measurements
  return measurements.map((measurement) => {
    const rounds = measurement.rounds.map((sample, index) => withRatios(sample, base.rounds[index] ?? {}))
    return { ...measurement, median: medianSample(rounds), rounds }
  })
}

function withRatios(sample: Sample, base: Sample): Sample {
  const found: Partial<Record<Metric, number>> = {}
  for (const [of, ratio] of ratios) {
    const mine = sample[of]
    const its = base[of]
    if (mine !== undefined && its !== undefined && its > 0) found[ratio] = mine / its
  }
  return { ...sample, ...found }
}
