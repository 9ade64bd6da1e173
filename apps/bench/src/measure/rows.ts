import { setTimeout as sleep } from 'node:timers/promises'
import { type Defer, scoped } from '../scope.ts'
import type { StoreKind } from '../stores/stores.ts'

/** Everything that is measured, with the heading of its column. */
export const metrics = {
  perSecond: 'accepted/s',
  refusedPerSecond: 'refused/s',
  failedPerSecond: 'failed/s',
  p50Ms: 'p50 ms',
  p99Ms: 'p99 ms',
  tookMs: 'took ms',
  /** Of user and system, in all threads of the server's process, for one request. */
  cpuMicros: 'CPU µs/request',
  /** Of two processes, the share in the accepted bids of the one that has fewer of them. */
  weakerShare: "weaker one's share",
  /** The waits of the only bidder on an auction, while others bid elsewhere. */
  calmP50Ms: 'calm p50 ms',
  heapGrowthPercent: 'heap growth %',
  residentGrowthPercent: 'resident growth %',
} as const
export type Metric = keyof typeof metrics

/** What one round measures of one point. */
export type Sample = Readonly<Partial<Record<Metric, number | undefined>>>

type Line = {
  /** Names the line within its section and store. */
  readonly key: string
  readonly label: string
  readonly clients: number
  /** The line of the same section and store that this one is compared with, and by which metric. */
  readonly floor?: readonly [key: string, metric: Metric] | undefined
}

/** A line of a table, to be measured. */
export type Point = Line & { readonly measure: (defer: Defer) => Promise<Sample> }

/** A line of a table, measured. */
export type Row = Line & {
  readonly section: string
  /** Left out where the section measures no store. */
  readonly store?: StoreKind
  readonly rounds: readonly Sample[]
  /** Why it lacks a round. */
  readonly failure?: string | undefined
}

/**
 * Measures every point once in each round, so that a slow phase of the machine affects all of them alike. A point that fails has
 * an empty sample in that round.
 */
export async function measureInRounds(points: readonly Point[], rounds: number, log: (text: string) => void) {
  const rows = points.map((point) => ({ ...point, rounds: [] as Sample[], failure: undefined as string | undefined }))
  for (let round = 1; round <= rounds; round++) {
    for (const row of rows) {
      // No point pays for the garbage of another. Work on memory runs no timers, and those of closed services keep what these hold.
      await sleep(1)
      globalThis.gc?.()
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
  (Object.keys(metrics) as readonly Metric[]) // Its keys.
    .flatMap((metric) => (sample[metric] ? [`${number(sample[metric])} ${metrics[metric]}`] : []))
    .join(', ')

/** The median of a metric over the rounds that have it. */
export const medianOf = ({ rounds }: Pick<Row, 'rounds'>, metric: Metric): number | undefined =>
  median(rounds.map((sample) => sample[metric]))

/** The median of the ratios of each round, whose samples were taken at nearly the same time. */
export const ratioOf = (row: Pick<Row, 'rounds'>, floor: Pick<Row, 'rounds'>, metric: Metric): number | undefined =>
  median(
    row.rounds.map((sample, round) => (sample[metric] ?? Number.NaN) / (floor.rounds[round]?.[metric] || Number.NaN)),
  )

/** The middle of the values that are numbers, or the mean of the two middle ones. */
export function median(values: readonly (number | undefined)[]): number | undefined {
  const sorted = values
    .filter((value) => value !== undefined && !Number.isNaN(value))
    .sort((a, b) => Number(a) - Number(b))
  const lower = sorted[(sorted.length - 1) >>> 1]
  const upper = sorted[sorted.length >>> 1]
  return lower === undefined || upper === undefined ? undefined : (lower + upper) / 2
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })

/** A number with three significant digits, or with all digits before the point. */
export const number = (value: number): string => (Math.abs(value) >= 100 ? whole : short).format(value)
