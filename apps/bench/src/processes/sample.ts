import type { Metric, Sample } from '../measure/sample.ts'
import type { BiddingReport } from './order.ts'

const waits = ['p50Ms', 'p99Ms', 'calmP50Ms', 'calmP99Ms'] as const satisfies readonly Metric[]

/** Bids of all processes together, and waiting times where they are longest. */
export function sampleOfProcesses(reports: readonly BiddingReport[], seconds: number): Sample {
  const total = (count: 'accepted' | 'refused' | 'failed') => reports.reduce((sum, report) => sum + report[count], 0)
  const accepted = total('accepted')
  return {
    acceptedPerSecond: accepted / seconds,
    refusedPerSecond: total('refused') / seconds,
    failedPerSecond: total('failed') / seconds,
    weakerShare: accepted === 0 ? 0 : Math.min(...reports.map((report) => report.accepted)) / accepted,
    ...longestWaits(reports),
  }
}

function longestWaits(reports: readonly BiddingReport[]): Sample {
  const longest: Partial<Record<Metric, number>> = {}
  for (const wait of waits) {
    const values = reports.map((report) => report[wait]).filter((value) => value !== undefined)
    if (values.length > 0) longest[wait] = Math.max(...values)
  }
  return longest
}
