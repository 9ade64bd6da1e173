import type { Measurement, Section } from '../measure/measurement.ts'
import type { Metric } from '../measure/sample.ts'
import type { MemoryFindings } from '../memory/section.ts'
import { number } from './numbers.ts'
import type { Results } from './results.ts'
import type { Table } from './table.ts'
import type { Target } from './targets.ts'

type Titled = keyof typeof titles
type Rows = Pick<Results, 'measurements' | 'notMeasured' | 'targets'>

/** All of a run's tables: those of each database, and then what no database takes part in, the targets first. */
export function tablesOf({ environment, memory, ...rows }: Results): readonly Table[] {
  const databases = environment.databases.map(({ name }) => name)
  return [
    ...databases.flatMap((name) => tablesOfPart(rowsOf(rows, name)).map(entitled(`${name}: `))),
    ...tablesOfPart(rowsOf(rows, undefined)),
    ...memory.map(memoryTable),
  ]
}

function rowsOf(rows: Rows, database: string | undefined): Rows {
  const isOf = (row: { readonly database?: string }) => row.database === database
  return {
    measurements: rows.measurements.filter(isOf),
    notMeasured: rows.notMeasured.filter(isOf),
    targets: rows.targets.filter(isOf),
  }
}

const entitled =
  (prefix: string) =>
  (table: Table): Table => ({ ...table, title: prefix + table.title })

function tablesOfPart(rows: Rows): readonly Table[] {
  const sections = (Object.keys(titles) as Titled[]).map((section) => sectionTable(rows, section)) // The keys of the record below.
  return [targetsTable(rows.targets), ...sections].filter((table) => table.rows.length > 0)
}

const titles = {
  sqlite: 'Bids in a file on the disk',
  bids: 'Bids',
  creation: 'Auctions created',
  closing: 'Auctions closed while bids go on',
  processes: 'Two processes, four bidders on each hot auction',
  writers: 'Appends under way at once',
  domain: 'The domain alone',
  http: 'Over HTTP, and how many times as much as bare Fastify',
  parts: 'What each part of the server costs when it is on, and how many times as much as with all of them off',
  start: 'From the start of the process to its first answer',
} as const satisfies Partial<Record<Section, string>>

function targetsTable(targets: readonly Target[]): Table {
  const rows = targets.map(({ text, bound, wanted, measured, reached }) => {
    const verdict = reached === undefined ? 'not run' : reached ? 'reached' : 'not reached'
    return [text, `${bound} ${number(wanted)}`, measured === undefined ? '' : number(measured), verdict]
  })
  return { title: 'Targets, within this run', head: ['target', 'wanted', 'measured', ''], rows }
}

type Column = { readonly head: string; readonly metric: Metric; readonly cell?: (row: Measurement) => string }

const columns: readonly Column[] = [
  { head: 'accepted/s', metric: 'acceptedPerSecond' },
  { head: 'refused/s', metric: 'refusedPerSecond' },
  { head: 'failed/s', metric: 'failedPerSecond' },
  { head: 'p50 ms', metric: 'p50Ms' },
  { head: 'p99 ms', metric: 'p99Ms' },
  { head: 'CPU µs/request', metric: 'cpuMicrosPerRequest' },
  { head: 'times CPU', metric: 'timesCpu' },
  { head: 'times p50', metric: 'timesP50' },
  { head: 'times p99', metric: 'timesP99' },
  { head: 'loop delay p99 ms', metric: 'loopDelayP99Ms' },
  { head: 'took ms', metric: 'tookMs' },
  { head: "weaker's share", metric: 'weakerShare' },
  { head: 'calm p50 ms', metric: 'calmP50Ms' },
  { head: 'calm p99 ms', metric: 'calmP99Ms' },
  { head: 'wrong outcomes', metric: 'wrongOutcomes', cell: wrongText },
]

function wrongText({ median: { wrongOutcomes, wrongPercent } }: Measurement): string {
  if (wrongOutcomes === undefined || wrongPercent === undefined) return ''
  return wrongOutcomes === 0 ? '0' : `${number(wrongOutcomes)} (${number(wrongPercent)} %)`
}

/** A column stands only where it has something to say; what was not measured has a word on why in its first one. */
function sectionTable({ measurements, notMeasured }: Rows, section: Titled): Table {
  const mine = measurements.filter((measurement) => measurement.section === section)
  const shown = columns.filter(
    ({ metric }, index) => index === 0 || mine.some(({ median }) => (median[metric] ?? 0) > 0),
  )
  const rows = mine.map((row) => [
    row.label,
    number(row.clients),
    ...shown.map(({ metric, cell = plainCell(metric) }) => cell(row)),
  ])
  const missing = notMeasured
    .filter((line) => line.section === section)
    .map(({ label, reason }) => [label, '', reason, ...shown.slice(1).map(() => '')])
  return {
    title: titles[section],
    head: ['', 'clients', ...shown.map(({ head }) => head)],
    rows: [...rows, ...missing],
  }
}

const plainCell =
  (metric: Metric) =>
  ({ median }: Measurement): string => {
    const value = median[metric]
    return value === undefined ? '' : number(value)
  }

const memoryTable = ({ samples, auctions, label }: MemoryFindings): Table => ({
  title: `Memory over bids on ${number(auctions)} auctions: ${label}`,
  head: ['bids', 'bids/s', 'resident MB', 'heap MB'],
  rows: samples.map(({ bids, bidsPerSecond, rssMegabytes, heapUsedMegabytes }) =>
    [bids, bidsPerSecond, rssMegabytes, heapUsedMegabytes].map(number),
  ),
})
