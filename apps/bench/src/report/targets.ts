import type { Measurement } from '../measure/measurement.ts'
import type { Metric } from '../measure/sample.ts'
import type { MemoryFindings } from '../memory/section.ts'

/** What the service sets out to reach, and what a run says of it. */
export type Target = {
  readonly text: string
  readonly bound: 'at least' | 'at most'
  readonly wanted: number
  /** Of the same run; undefined when it measured nothing to tell it from. */
  readonly measured: number | undefined
  readonly reached: boolean | undefined
}

type Measured = { readonly measurements: readonly Measurement[]; readonly memory: MemoryFindings | undefined }
type Goal = Pick<Target, 'text' | 'bound' | 'wanted'> & { readonly measure: (run: Measured) => number | undefined }

/** A metric's median of a series, at a number of clients. */
type Reading = readonly [series: string, clients: number, metric: Metric]

const wide = 'placeBid/1000-auctions'
const hot = 'placeBid/hot-auction'

const goals: readonly Goal[] = [
  {
    text: '1,000 auctions, 64 clients: times the bids/s of raw insertOne',
    bound: 'at least',
    wanted: 5,
    measure: ratio([wide, 64, 'acceptedPerSecond'], ['insertOne', 64, 'acceptedPerSecond']),
  },
  {
    text: '1,000 auctions, 64 clients: times the p50 latency of raw insertOne',
    bound: 'at most',
    wanted: 1,
    measure: ratio([wide, 64, 'p50Ms'], ['insertOne', 64, 'p50Ms']),
  },
  {
    text: 'one client: times the bids/s of raw insertOne',
    bound: 'at least',
    wanted: 0.9,
    measure: ratio([wide, 1, 'acceptedPerSecond'], ['insertOne', 1, 'acceptedPerSecond']),
  },
  {
    text: 'one hot auction, 256 clients: times the bids/s of raw insertOne',
    bound: 'at least',
    wanted: 8,
    measure: ratio([hot, 256, 'acceptedPerSecond'], ['insertOne', 256, 'acceptedPerSecond']),
  },
  {
    text: 'one hot auction, 256 clients: times the bids/s of raw insertMany of 100',
    bound: 'at least',
    wanted: 0.8,
    measure: ratio([hot, 256, 'acceptedPerSecond'], ['insertMany', 256, 'acceptedPerSecond']),
  },
  {
    text: 'lanes on the in-memory ledger, 1,000 auctions, 64 clients: bids/s',
    bound: 'at least',
    wanted: 500_000,
    measure: reading(['lanes-in-memory/1000-auctions', 64, 'acceptedPerSecond']),
  },
  {
    text: 'lanes on the in-memory ledger, one hot auction, 256 clients: bids/s',
    bound: 'at least',
    wanted: 500_000,
    measure: reading(['lanes-in-memory/hot-auction', 256, 'acceptedPerSecond']),
  },
  { text: 'decisions/s', bound: 'at least', wanted: 5_000_000, measure: decisionsPerSecond },
  {
    text: 'HTTP: times the CPU time per request of bare Fastify',
    bound: 'at most',
    wanted: 1.25,
    measure: ratio(['service/quiet', 64, 'cpuMicrosPerRequest'], ['bare-fastify/quiet', 64, 'cpuMicrosPerRequest']),
  },
  {
    text: 'HTTP with a log line per request: times the CPU time per request of bare Fastify without one',
    bound: 'at most',
    wanted: 1.4,
    measure: ratio(['service/logging', 64, 'cpuMicrosPerRequest'], ['bare-fastify/quiet', 64, 'cpuMicrosPerRequest']),
  },
  {
    text: 'growth in percent of the heap over 10 million bids on 100,000 auctions',
    bound: 'at most',
    wanted: 5,
    measure: ({ memory }) => wholeSoak(memory)?.heapGrowthPercent,
  },
  {
    text: 'growth in percent of the resident memory over the same bids',
    bound: 'at most',
    wanted: 5,
    measure: ({ memory }) => wholeSoak(memory)?.rssGrowthPercent,
  },
]

export const judgeTargets = (run: Measured): readonly Target[] =>
  goals.map(({ measure, ...goal }) => {
    const measured = measure(run)
    return { ...goal, measured, reached: measured === undefined ? undefined : isReached(goal, measured) }
  })

/** A shorter watch says nothing of ten million bids. */
const wholeSoak = (memory: MemoryFindings | undefined): MemoryFindings | undefined =>
  (memory?.samples.at(-1)?.bids ?? 0) >= 10_000_000 ? memory : undefined

const isReached = ({ bound, wanted }: Pick<Target, 'bound' | 'wanted'>, measured: number): boolean =>
  bound === 'at least' ? measured >= wanted : measured <= wanted

function reading([series, clients, metric]: Reading): Goal['measure'] {
  return ({ measurements }) =>
    measurements.find((candidate) => candidate.series === series && candidate.clients === clients)?.median[metric]
}

function ratio(ours: Reading, theirs: Reading): Goal['measure'] {
  const readOurs = reading(ours)
  const readTheirs = reading(theirs)
  return (run) => {
    const numerator = readOurs(run)
    const denominator = readTheirs(run)
    return numerator === undefined || denominator === undefined ? undefined : numerator / denominator
  }
}

/** A refusal is a decision too. */
function decisionsPerSecond(run: Measured): number | undefined {
  const accepted = reading(['decide', 1, 'acceptedPerSecond'])(run)
  const refused = reading(['decide', 1, 'refusedPerSecond'])(run)
  return accepted === undefined || refused === undefined ? undefined : accepted + refused
}
