import { createHistogram, type Histogram, type RecordableHistogram } from 'node:perf_hooks'

const nanosPerMs = 1e6

/** A histogram of latencies, with three significant digits, from a nanosecond to hours. */
export const createLatencies = (): RecordableHistogram => createHistogram({ figures: 3 })

/** A histogram takes no zero, which the clock may give for what is over at once. */
export const recordMs = (latencies: RecordableHistogram, ms: number): void =>
  latencies.record(Math.max(1, Math.round(ms * nanosPerMs)))

/** The latency that so many percent do not exceed; undefined when none was recorded. */
export const msAt = (latencies: Histogram, percent: number): number | undefined =>
  latencies.count === 0 ? undefined : latencies.percentile(percent) / nanosPerMs
