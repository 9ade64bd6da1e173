import type { MemoryFindings } from '../memory/section.ts'
import { databaseGoals } from './database-goals.ts'
import type { Database } from './environment.ts'
import { type Goal, type Measured, ratio, reading } from './readings.ts'

/** What the service sets out to reach, and what a run says of it. */
export type Target = Pick<Goal, 'text' | 'bound' | 'wanted'> & {
  /** Left out where no database takes part. */
  readonly database?: string
  /** Of the same run; undefined when it measured nothing to tell it from. */
  readonly measured: number | undefined
  readonly reached: boolean | undefined
}

const goals: readonly Goal[] = [
  {
    text: 'lanes on the in-memory store, 1,000 auctions, 64 clients: bids/s',
    bound: 'at least',
    wanted: 500_000,
    measure: reading(['lanes-in-memory/1000-auctions', 64, 'acceptedPerSecond']),
  },
  {
    text: 'lanes on the in-memory store, one hot auction, 256 clients: bids/s',
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

/** Judges a run: on each of the databases by what was measured there. */
export function judgeTargets({
  databases,
  ...run
}: Measured & { readonly databases: readonly Pick<Database, 'name' | 'hasAtomicUpdates'>[] }): readonly Target[] {
  const ofDatabases = databases.flatMap((database) => {
    const measurements = run.measurements.filter((measurement) => measurement.database === database.name)
    const judged = judge(databaseGoals(database), { ...run, measurements })
    return judged.map((target) => ({ ...target, database: database.name }))
  })
  return [...ofDatabases, ...judge(goals, run)]
}

const judge = (wanted: readonly Goal[], run: Measured): readonly Target[] =>
  wanted.map(({ measure, ...goal }) => {
    const measured = measure(run)
    return { ...goal, measured, reached: measured === undefined ? undefined : isReached(goal, measured) }
  })

/** A shorter watch says nothing of ten million bids. */
const wholeSoak = (memory: MemoryFindings | undefined): MemoryFindings | undefined =>
  (memory?.samples.at(-1)?.bids ?? 0) >= 10_000_000 ? memory : undefined

const isReached = ({ bound, wanted }: Pick<Goal, 'bound' | 'wanted'>, measured: number): boolean =>
  bound === 'at least' ? measured >= wanted : measured <= wanted

/** A refusal is a decision too. */
function decisionsPerSecond(run: Measured): number | undefined {
  const accepted = reading(['decide', 1, 'acceptedPerSecond'])(run)
  const refused = reading(['decide', 1, 'refusedPerSecond'])(run)
  return accepted === undefined || refused === undefined ? undefined : accepted + refused
}
