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

const servers: readonly Goal[] = [
  ...[1, 20, 300].flatMap((auctions) => [
    ...sizes.serverCounts.map((count): Goal => {
      const line = `servers bids ${auctions} ${count} servers`
      const text = `${count} servers in turn, ${auctions} hot: times the bids served by routed`
      return [text, '>=', 0.5, `${line}, in turn`, 'servedPerSecond', `${line}, by auction`]
    }),
    ...sizes.serverCounts.flatMap((count): readonly Goal[] => {
      const [turns, one] = [`servers wait ${auctions} ${count} servers, in turn`, `servers wait ${auctions} one server`]
      return [
        [`${count} servers in turn, a bid on ${auctions}: times the p50 of one`, '<=', 2.5, turns, 'p50Ms', one],
        [`${count} servers in turn, a bid on ${auctions}: times the p99 of one`, '<=', 4, turns, 'p99Ms', one],
      ]
    }),
  ]),
  ...sizes.serverCounts.map(
    (count): Goal => [
      `${count} servers: copies of a webhook`,
      '<=',
      1.05,
      `servers copies ${count} servers, in turn`,
      'copies',
    ],
  ),
]

const sealed: readonly Goal[] = [
  ['close of 100,000 sealed bids: bids/s', '>=', 20_000, 'sealed close x1', 'perSecond'],
  ['close of 100,000 sealed bids: longest hold ms', '<=', 50, 'sealed close x1', 'holdMs'],
]

const registers: readonly Goal[] = [
  [
    'with a register x 64: times the bids without one',
    '>=',
    0.7,
    ...(['registers registered x64', 'perSecond', 'registers open x64'] as const),
  ],
  ['first bid of a process, 20,000 bidders: ms more', '<=', 500, 'registers first x1', 'moreMs'],
]

const lateness: readonly Goal[] = [
  ["another service's event: p50 ms", '<=', 25, 'streams other', 'p50Ms'],
  ["another service's event: p99 ms", '<=', 60, 'streams other', 'p99Ms'],
  ["another service's event, 10,000 watched: p50 ms", '<=', 25, 'streams watched', 'p50Ms'],
  ["another service's event, 10,000 watched: p99 ms", '<=', 60, 'streams watched', 'p99Ms'],
  ['10,000 watched auctions without events: percent of a core', '<=', 1, 'streams idle', 'corePercent'],
]

const sales: readonly Goal[] = [
  ['lots end: times the p50 of a bid without a sale', '<=', 2, 'sales ends', 'p50Ms', 'sales idle'],
  ['lots end: ms from a bid to its line, p99', '<=', 600, 'sales ends', 'eventMs'],
  // The service waits for the margin of clocks.
  ['lots end: ms from an end to its result, p99', '<=', 12_000, 'sales ends', 'resultMs'],
]

/** The goals of each store. `times raw` is the ratio of bids/s to the single inserts/s of the driver alone. */
const storeGoals: Readonly<Record<StoreKind, readonly Goal[]>> = {
  memory: [
    ['1,000 auctions x 64: bids/s', '>=', 500_000, wide, 'perSecond'],
    ['one hot auction x 256: bids/s', '>=', 800_000, hot, 'perSecond'],
    ...sealed,
    ...registers,
  ],
  sqlite: [
    ['1,000 auctions x 64: times raw', '>=', 10, wide, 'perSecond', 'bids raw x1'],
    ['1,000 auctions x 64, keyed: times raw keyed', '>=', 10, wideKeyed, 'perSecond', 'bids raw with a key x1'],
    ['one hot auction x 256: times raw', '>=', 20, hot, 'perSecond', 'bids raw x1'],
    ['one client: times raw', '>=', 0.6, single, 'perSecond', 'bids raw x1'],
    ...sealed,
    ...registers,
    ...lateness,
    ...sales,
  ],
  postgresql: [
    ['1,000 auctions x 64: times raw', '>=', 2.5, wide, 'perSecond', 'bids raw x64'],
    ['1,000 auctions x 64, keyed: times unkeyed', '>=', 0.8, wideKeyed, 'perSecond', wide],
    ['one hot auction x 256: times raw', '>=', 7, hot, 'perSecond', 'bids raw x256'],
    ['one hot auction x 256, keyed: times unkeyed', '>=', 0.8, hotKeyed, 'perSecond', hot],
    ['one client: times raw', '>=', 0.9, single, 'perSecond', 'bids raw x1'],
    ...sealed,
    ...registers,
    ...servers,
    ...lateness,
    ...sales,
  ],
  mongodb: [
    ['1,000 auctions x 64: times raw', '>=', 4, wide, 'perSecond', 'bids raw x64'],
    ['1,000 auctions x 64, keyed: times unkeyed', '>=', 0.7, wideKeyed, 'perSecond', wide],
    ['one hot auction x 256: times raw', '>=', 5.5, hot, 'perSecond', 'bids raw x256'],
    ['one hot auction x 256, keyed: times unkeyed', '>=', 0.7, hotKeyed, 'perSecond', hot],
    ['one client: times raw', '>=', 0.9, single, 'perSecond', 'bids raw x1'],
    ...registers,
    ...servers,
  ],
}

const otherGoals: readonly Goal[] = [
  ['bid over HTTP, in memory: times the CPU of bare Fastify', '<=', 1.7, 'http memory', 'cpuMicros', 'http bare'],
  ['bid over HTTP, in memory: times the CPU of idiomatic', '<=', 1.15, 'http memory', 'cpuMicros', 'http idiomatic'],
  ['bid over HTTP, on SQLite: times the CPU in memory', '<=', 1.7, 'http sqlite', 'cpuMicros', 'http memory'],
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
