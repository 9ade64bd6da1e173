import { type MemoryFindings, type Soak, soaks } from '../memory/section.ts'
import { databaseGoals } from './database-goals.ts'
import type { Database } from './environment.ts'
import { number } from './numbers.ts'
import { atLeast, atMost, type Goal, type Measured, type Reading, rate, ratio, reading } from './readings.ts'

/** What the service sets out to reach, and what a run says of it. */
export type Target = Pick<Goal, 'text' | 'bound' | 'wanted'> & {
  /** Left out where no database takes part. */
  readonly database?: string
  /** Of the same run; undefined when it measured nothing to tell it from. */
  readonly measured: number | undefined
  readonly reached: boolean | undefined
}

const cpu = (series: string): Reading => [series, 64, 'cpuMicrosPerRequest']

const goals: readonly Goal[] = [
  atLeast(
    500_000,
    'lanes on the in-memory store, 1,000 auctions, 64 clients: bids/s',
    reading(rate('lanes-in-memory/1000-auctions', 64)),
  ),
  atLeast(
    500_000,
    'lanes on the in-memory store, one hot auction, 256 clients: bids/s',
    reading(rate('lanes-in-memory/hot-auction', 256)),
  ),
  atLeast(
    0.6,
    'lanes on the in-memory store, one hot auction, 256 clients, each bid meets a proxy: times the bids/s without',
    ratio(rate('lanes-in-memory/hot-auction-with-proxy', 256), rate('lanes-in-memory/hot-auction/mixed', 256)),
  ),
  atLeast(5_000_000, 'decisions/s', decisionsPerSecond),
  atLeast(5_000_000, 'decisions/s, all formats, with the states that they lead to', reading(rate('evolve/formats', 1))),
  atMost(
    1.3,
    'HTTP: times the CPU time per request of bare Fastify that answers the same bytes',
    reading(['service/quiet', 64, 'timesCpu']),
  ),
  atMost(
    1.5,
    'HTTP with a log line per request: times the CPU time per request of bare Fastify without one',
    reading(['service/logging', 64, 'timesCpu']),
  ),
  atMost(2, 'HTTP: times the p99 latency of bare Fastify', reading(['service/quiet', 64, 'timesP99'])),
  atMost(
    1.2,
    'HTTP on SQLite: times the CPU time per request of the same on memory',
    ratio(cpu('service/sqlite'), cpu('service/quiet')),
  ),
  atMost(10, 'HTTP on SQLite: p99 of the event loop’s delay in ms', reading(['service/sqlite', 64, 'loopDelayP99Ms'])),
  atLeast(
    0.9,
    'reads of one auction on SQLite: times those on memory',
    ratio(rate('reads/sqlite', 64), rate('reads/memory', 64)),
  ),
  atMost(
    2,
    'start to the first answer: times as long as bare Fastify',
    ratio(['start/service', 1, 'tookMs'], ['start/bare-fastify', 1, 'tookMs']),
  ),
  ...soaks.flatMap(soakGoals),
]

function soakGoals(soak: Soak): readonly Goal[] {
  const text = `over ${number(soak.bids)} bids on ${number(soak.auctions)} auctions, ${soak.label}`
  const whole = (read: (findings: MemoryFindings) => number) => (run: Measured) => {
    const findings = run.memory.find(({ label }) => label === soak.label)
    // A shorter watch says nothing of so many bids.
    return findings !== undefined && (findings.samples.at(-1)?.bids ?? 0) >= soak.bids ? read(findings) : undefined
  }
  return [
    atMost(
      5,
      `growth in percent of the heap ${text}`,
      whole(({ heapGrowthPercent }) => heapGrowthPercent),
    ),
    atMost(
      5,
      `growth in percent of the resident memory ${text}`,
      whole(({ rssGrowthPercent }) => rssGrowthPercent),
    ),
    ...(soak.kind === 'sqlite'
      ? [
          atLeast(
            0.8,
            `bids/s of the last million to those of the first, ${text}`,
            whole(({ lastToFirst }) => lastToFirst),
          ),
        ]
      : []),
  ]
}

/** Judges a run: on each of the databases by what was measured there. */
export function judgeTargets({
  databases,
  ...run
}: Measured & {
  readonly databases: readonly Pick<Database, 'name' | 'kind' | 'hasAtomicUpdates'>[]
}): readonly Target[] {
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

const isReached = ({ bound, wanted }: Pick<Goal, 'bound' | 'wanted'>, measured: number): boolean =>
  bound === 'at least' ? measured >= wanted : measured <= wanted

/** A refusal is a decision too. */
function decisionsPerSecond(run: Measured): number | undefined {
  const accepted = reading(['decide', 1, 'acceptedPerSecond'])(run)
  const refused = reading(['decide', 1, 'refusedPerSecond'])(run)
  return accepted === undefined || refused === undefined ? undefined : accepted + refused
}
