import type { LoopResult } from './closed-loop.ts'
import { msAt } from './latencies.ts'
import { median } from './statistics.ts'

/** Everything that is measured anywhere, with its unit last. */
const metrics = [
  'acceptedPerSecond',
  'refusedPerSecond',
  'failedPerSecond',
  'p50Ms',
  'p99Ms',
  'wrongOutcomes',
  'wrongPercent',
  'cpuMicrosPerRequest',
  /** What CPU time and latencies are to those of the section's base. */
  'timesCpu',
  'timesP50',
  'timesP99',
  /** By how much a timer came too late, of the server's process. */
  'loopDelayP99Ms',
  /** How long it took to do a given amount of work. */
  'tookMs',
  /** Of two processes, the share of the accepted bids that the one with fewer of them has. */
  'weakerShare',
  /** How long the only bidder on an auction waits for an answer, while others bid elsewhere. */
  'calmP50Ms',
  'calmP99Ms',
] as const
export type Metric = (typeof metrics)[number]

/** What one round measured of one point. */
export type Sample = Readonly<Partial<Record<Metric, number>>>

export function sampleOf(result: LoopResult, seconds: number, bidsPerOperation = 1): Sample {
  const p50Ms = msAt(result.latencies, 50)
  const p99Ms = msAt(result.latencies, 99)
  return {
    acceptedPerSecond: (result.accepted * bidsPerOperation) / seconds,
    refusedPerSecond: (result.refused * bidsPerOperation) / seconds,
    failedPerSecond: (result.failed * bidsPerOperation) / seconds,
    ...(p50Ms === undefined ? {} : { p50Ms }),
    ...(p99Ms === undefined ? {} : { p99Ms }),
  }
}

/** The median of each metric on its own, over the rounds that have it. */
export function medianSample(samples: readonly Sample[]): Sample {
  const medians: Partial<Record<Metric, number>> = {}
  for (const metric of metrics) {
    const values = samples.map((sample) => sample[metric]).filter((value) => value !== undefined)
    if (values.length > 0) medians[metric] = median(values)
  }
  return medians
}
