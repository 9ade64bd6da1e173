import type { Measurement } from '../measure/measurement.ts'
import type { Metric } from '../measure/sample.ts'
import type { MemoryFindings } from '../memory/section.ts'

/** What a run has measured, of which targets are told. */
export type Measured = {
  readonly measurements: readonly Measurement[]
  readonly memory: readonly MemoryFindings[]
  /** How many auctions were closed at one moment. */
  readonly due: number
}

/** What the service sets out to reach. */
export type Goal = {
  readonly text: string
  readonly bound: 'at least' | 'at most'
  readonly wanted: number
  /** Undefined when the run measured nothing to tell it from. */
  readonly measure: (run: Measured) => number | undefined
}

/** A metric's median of a series, at a number of clients. */
export type Reading = readonly [series: string, clients: number, metric: Metric]

export function reading([series, clients, metric]: Reading): Goal['measure'] {
  return ({ measurements }) =>
    measurements.find((candidate) => candidate.series === series && candidate.clients === clients)?.median[metric]
}

export function ratio(ours: Reading, theirs: Reading): Goal['measure'] {
  const readOurs = reading(ours)
  const readTheirs = reading(theirs)
  return (run) => {
    const numerator = readOurs(run)
    const denominator = readTheirs(run)
    return numerator === undefined || denominator === undefined ? undefined : numerator / denominator
  }
}

export const rate = (series: string, clients: number): Reading => [series, clients, 'acceptedPerSecond']

export const atLeast = (wanted: number, text: string, measure: Goal['measure']): Goal => {
  return { text, bound: 'at least', wanted, measure }
}

export const atMost = (wanted: number, text: string, measure: Goal['measure']): Goal => {
  return { text, bound: 'at most', wanted, measure }
}
