import { type Metric, medianOf, type Row, ratioOf } from '../measure/rows.ts'
import { sizes } from '../options.ts'
import type { StoreKind } from '../stores/stores.ts'

/** The median of a metric of a line, or of its ratios to a floor. Lines are identified by section and key. */
type Reading = readonly [line: string, metric: Metric, floor?: string]
type Goal = readonly [text: string, bound: '>=' | '<=', goal: number, ...reading: Reading]

const wide = 'bids wide x64'
const wideKeyed = 'bids wide with a key x64'
const hot = 'bids hot x256'
const hotKeyed = 'bids hot with a key x256'
const single = 'bids wide x1'

const closing: readonly Goal[] = [
  ['closing 10,000 auctions: times as long as raw inserts', '<=', 4, 'closing close', 'tookMs', 'closing append'],
  ['closing 10,000 auctions: times the p99 of bids alone', '<=', 3, 'closing close', 'p99Ms', 'closing alone'],
]

const processes: readonly Goal[] = sizes.hotCounts.flatMap((count): readonly Goal[] => {
  const [spread, sticky] = [`processes spread ${count}`, `processes sticky ${count}`]
  return [
    [`two processes, ${count} hot: weaker one's share`, '>=', 0.3, spread, 'weakerShare'],
    [`two processes, ${count} hot: times the bids/s of sticky`, '>=', 0.5, spread, 'perSecond', sticky],
    [`two processes, ${count} hot: times the calm p50 of sticky`, '<=', 2, spread, 'calmP50Ms', sticky],
  ]
})

const lateness: readonly Goal[] = [
  ["another service's event: p50 ms", '<=', 25, 'streams other', 'p50Ms'],
  ["another service's event: p99 ms", '<=', 60, 'streams other', 'p99Ms'],
  ['10,000 watched auctions without events: percent of a core', '<=', 1, 'streams idle', 'corePercent'],
]

/** For each store of a kind. `times raw` is the ratio of bids/s to the single inserts/s of the driver alone. */
const storeGoals: Readonly<Record<StoreKind, readonly Goal[]>> = {
  memory: [
    ['1,000 auctions x 64: bids/s', '>=', 500_000, wide, 'perSecond'],
    ['one hot auction x 256: bids/s', '>=', 800_000, hot, 'perSecond'],
    ['an event to each reader: times the CPU of node:net', '<=', 1.25, 'streams service', 'cpuMicros', 'streams bare'],
    ['an event to the last reader: times the time of node:net', '<=', 1.5, 'streams service', 'p50Ms', 'streams bare'],
    ['bids/s with idle streams: times none', '>=', 0.97, 'streams idle', 'perSecond', 'streams none'],
    ['bids with streams of 5 events/s: times the p99 of none', '<=', 3, 'streams busy', 'p99Ms', 'streams none'],
    ['bids with streams of 5 events/s: longest turn of the event loop, ms', '<=', 5, 'streams busy', 'longestTurnMs'],
    ['idle stream: times the heap of node:http', '<=', 1.3, 'streams idle stream', 'heapBytes', 'streams held'],
  ],
  sqlite: [
    ['1,000 auctions x 64: times raw', '>=', 10, wide, 'perSecond', 'bids raw x1'],
    ['1,000 auctions x 64, keyed: times raw keyed', '>=', 10, wideKeyed, 'perSecond', 'bids raw with a key x1'],
    ['one hot auction x 256: times raw', '>=', 20, hot, 'perSecond', 'bids raw x1'],
    ['one client: times raw', '>=', 0.6, single, 'perSecond', 'bids raw x1'],
    ...closing,
    ...lateness,
  ],
  postgresql: [
    ['1,000 auctions x 64: times raw', '>=', 2.5, wide, 'perSecond', 'bids raw x64'],
    ['1,000 auctions x 64, keyed: times unkeyed', '>=', 0.8, wideKeyed, 'perSecond', wide],
    ['one hot auction x 256: times raw', '>=', 7, hot, 'perSecond', 'bids raw x256'],
    ['one hot auction x 256, keyed: times unkeyed', '>=', 0.8, hotKeyed, 'perSecond', hot],
    ['one client: times raw', '>=', 0.9, single, 'perSecond', 'bids raw x1'],
    ...closing,
    ...processes,
    ...lateness,
  ],
  mongodb: [
    ['1,000 auctions x 64: times raw', '>=', 4, wide, 'perSecond', 'bids raw x64'],
    ['1,000 auctions x 64, keyed: times unkeyed', '>=', 0.7, wideKeyed, 'perSecond', wide],
    ['one hot auction x 256: times raw', '>=', 5.5, hot, 'perSecond', 'bids raw x256'],
    ['one hot auction x 256, keyed: times unkeyed', '>=', 0.7, hotKeyed, 'perSecond', hot],
    ['one client: times raw', '>=', 0.9, single, 'perSecond', 'bids raw x1'],
    ['1,000 auctions x 64: times findOneAndUpdate', '>=', 3.5, wide, 'perSecond', 'bids findOneAndUpdate, wide x64'],
    ...closing,
    ...processes,
  ],
}

const otherGoals: readonly Goal[] = [
  ['decisions/s', '>=', 5_000_000, 'decide decide', 'perSecond'],
  ['bid over HTTP, in memory: times the CPU of bare Fastify', '<=', 1.7, 'http memory', 'cpuMicros', 'http bare'],
  ['bid over HTTP, in memory: times the CPU of idiomatic', '<=', 1, 'http memory', 'cpuMicros', 'http idiomatic'],
  ['bid over HTTP, on SQLite: times the CPU in memory', '<=', 1.7, 'http sqlite', 'cpuMicros', 'http memory'],
  [
    'a signed delivery, in memory: times the CPU of a bare POST',
    '<=',
    1.5,
    'webhooks memory',
    'cpuMicros',
    'webhooks post',
  ],
  ['bids/s with ten endpoints: times none', '>=', 0.95, 'webhooks ten', 'perSecond', 'webhooks none'],
  ['unavailable endpoint: rows per event', '<=', 0, 'webhooks backlog', 'rowsPerEvent'],
  ['unavailable endpoint: heap bytes of 100,000 events', '<=', 1_000_000, 'webhooks backlog', 'heapBytes'],
  ['available again: times the rate without a backlog', '>=', 0.8, 'webhooks backlog', 'perSecond', 'webhooks sqlite'],
  ['start on a new file: times that of bare Fastify', '<=', 2, 'start sqlite', 'tookMs', 'start bare'],
  ['soak: growth of the heap, percent', '<=', 5, 'soak soak', 'heapGrowthPercent'],
  ['soak: growth of the resident memory, percent', '<=', 5, 'soak soak', 'residentGrowthPercent'],
]

export type Target = Readonly<Record<'text' | 'bound', string> & { goal: number; measured: number; isReached: boolean }>

/** The targets that these rows cover, for each store by its rows. */
export function targetsOf(rows: readonly Row[]): readonly Target[] {
  return [...Map.groupBy(rows, ({ store }) => store)].flatMap(([store, lines]) => {
    return (store === undefined ? otherGoals : storeGoals[store]).flatMap(([text, bound, goal, ...reading]) => {
      const measured = read(lines, reading)
      if (measured === undefined) return []
      const isReached = bound === '>=' ? measured >= goal : measured <= goal
      return [{ text: store === undefined ? text : `${store}: ${text}`, bound, goal, measured, isReached }]
    })
  })
}

function read(rows: readonly Row[], [line, metric, floor]: Reading): number | undefined {
  const find = (name: string) => rows.find(({ section, key }) => `${section} ${key}` === name)
  const row = find(line)
  if (row === undefined || floor === undefined) return row && medianOf(row, metric)
  const floorRow = find(floor)
  return floorRow && ratioOf(row, floorRow, metric)
}
