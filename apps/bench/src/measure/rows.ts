import { type Defer, scoped } from '../scope.ts'
import type { StoreKind } from '../stores/stores.ts'

/** All metrics, with the headings of their columns. */
export const metrics = {
  /** Bids that were accepted, or refused by the last entry: a bid that another one overtakes is served as well. */
  servedPerSecond: 'served/s',
  perSecond: 'accepted/s',
  refusedPerSecond: 'refused/s',
  failedPerSecond: 'failed/s',
  p50Ms: 'p50 ms',
  p99Ms: 'p99 ms',
  /** User and system time of all threads of the server process, per request. */
  cpuMicros: 'CPU µs/request',
  /** User and system time of all threads, as a share of a core. */
  corePercent: 'core %',
  /** The longest time for which a process ran nothing else. */
  holdMs: 'longest hold ms',
  /** How much longer a call takes than another one of the same round. */
  moreMs: 'ms more',
  /** The time in which nearly all readers of a sale have a line of a lot: after a bid was sent, and after its end. */
  eventMs: 'event p99 ms',
  resultMs: 'result p99 ms',
  /** The messages that an endpoint receives for each event. */
  copies: 'copies/event',
} as const
export type Metric = keyof typeof metrics

/** The measurements of one point in one round. */
export type Sample = Readonly<Partial<Record<Metric, number | undefined>>>

type Line = {
  /** Identifies the line within its section and store. */
  readonly key: string
  readonly label: string
  readonly clients: number
  /** The line of the same section and store with which this one is compared, and the metric. */
  readonly floor?: readonly [key: string, metric: Metric] | undefined
}

/** A line of a table to measure. */
export type Point = Line & { readonly measure: (defer: Defer) => Promise<Sample> }

/** A measured line of a table. */
export type Row = Line & {
  readonly section: string
  /** Omitted if the section measures no store. */
  readonly store?: StoreKind
  readonly rounds: readonly Sample[]
  /** The reason why it lacks a round. */
  readonly failure?: string | undefined
}

/**
 * Measures every point once per round, so that a slow phase of the machine affects all of them equally. A point that
 * fails has an empty sample in that round.
 */
export async function measureInRounds(points: readonly Point[], rounds: number, log: (text: string) => void) {
  const rows = points.map((point) => ({ ...point, rounds: [] as Sample[], failure: undefined as string | undefined }))
  for (let round = 1; round <= rounds; round++) {
    for (const row of rows) {
      const sample = await scoped(row.measure).catch((error: unknown): Sample => {
        row.failure = reasonOf(error)
        return {}
      })
      row.rounds.push(sample)
      const name = `round ${round}/${rounds}: ${row.label}, ${row.clients} ${row.clients === 1 ? 'client' : 'clients'}`
      log(`${name}: ${textOf(sample) || `failed with ${row.failure}`}`)
    }
  }
  return rows
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const textOf = (sample: Sample): string =>
  (Object.keys(metrics) as readonly Metric[]) // The keys of `metrics`.
    .flatMap((metric) => (sample[metric] ? [`${number(sample[metric])} ${metrics[metric]}`] : []))
    .join(', ')

/** The median of a metric over the rounds that have it. */
export const medianOf = ({ rounds }: Pick<Row, 'rounds'>, metric: Metric): number | undefined =>
  median(rounds.map((sample) => sample[metric]))

/** The median of the ratios per round, whose samples were measured at nearly the same time. */
export const ratioOf = (row: Pick<Row, 'rounds'>, floor: Pick<Row, 'rounds'>, metric: Metric): number | undefined =>
  median(
    row.rounds.map((sample, round) => (sample[metric] ?? Number.NaN) / (floor.rounds[round]?.[metric] || Number.NaN)),
  )

/** The middle of the values that are numbers, or the mean of the two middle values. */
export function median(values: readonly (number | undefined)[]): number | undefined {
  const sorted = values
    .filter((value) => value !== undefined && !Number.isNaN(value))
    .sort((a, b) => Number(a) - Number(b))
  const lower = sorted[(sorted.length - 1) >>> 1]
  const upper = sorted[sorted.length >>> 1]
  return lower === undefined || upper === undefined ? undefined : (lower + upper) / 2
}

/** The value below which some percent of the values are. */
export const percentile = (values: readonly number[], percent: number): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.floor((percent / 100) * values.length)]

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })

/** A number with three significant digits, or with all digits before the decimal point. */
export const number = (value: number): string => (Math.abs(value) >= 100 ? whole : short).format(value)
