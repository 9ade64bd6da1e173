import type { Measurement, Section } from '../measure/measurement.ts'
import type { Metric } from '../measure/sample.ts'
import type { MemoryFindings } from '../memory/section.ts'
import { number } from './numbers.ts'
import type { Results } from './results.ts'
import type { Table } from './table.ts'
import type { Target } from './targets.ts'

/** All of a run's tables, the targets first. */
export function tablesOf(results: Results): readonly Table[] {
  const sections = (Object.keys(titles) as (keyof typeof titles)[]).map((section) => sectionTable(results, section)) // The keys of the record below.
  const filled = sections.filter(({ rows }) => rows.length > 0)
  return [
    targetsTable(results.targets),
    ...filled,
    ...(results.memory === undefined ? [] : [memoryTable(results.memory)]),
  ]
}

const titles = {
  mongodb: 'Bids on one database',
  domain: 'The domain alone',
  http: 'Bids over HTTP, on the in-memory store',
} as const satisfies Partial<Record<Section, string>>

function targetsTable(targets: readonly Target[]): Table {
  const rows = targets.map(({ text, bound, wanted, measured, reached }) => {
    const verdict = reached === undefined ? 'not run' : reached ? 'reached' : 'not reached'
    return [text, `${bound} ${number(wanted)}`, measured === undefined ? '' : number(measured), verdict]
  })
  return { title: 'Targets, as ratios within this run', head: ['target', 'wanted', 'measured', ''], rows }
}

type Column = { readonly head: string; readonly metric: Metric; readonly cell?: (row: Measurement) => string }

const columns: readonly Column[] = [
  { head: 'accepted/s', metric: 'acceptedPerSecond' },
  { head: 'refused/s', metric: 'refusedPerSecond' },
  { head: 'failed/s', metric: 'failedPerSecond' },
  { head: 'p50 ms', metric: 'p50Ms' },
  { head: 'p99 ms', metric: 'p99Ms' },
  { head: 'CPU µs/request', metric: 'cpuMicrosPerRequest' },
  { head: 'wrong outcomes', metric: 'wrongOutcomes', cell: wrongText },
]

function wrongText({ median: { wrongOutcomes, wrongPercent } }: Measurement): string {
  if (wrongOutcomes === undefined || wrongPercent === undefined) return ''
  return wrongOutcomes === 0 ? '0' : `${number(wrongOutcomes)} (${number(wrongPercent)} %)`
}

/** A column stands only where it has something to say; what was not measured has a word on why in its first one. */
function sectionTable({ measurements, notMeasured }: Results, section: keyof typeof titles): Table {
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

const memoryTable = ({ samples, auctions }: MemoryFindings): Table => ({
  title: `Memory of a process that places bids on ${number(auctions)} auctions`,
  head: ['bids', 'resident MB', 'heap MB'],
  rows: samples.map((sample) => [sample.bids, sample.rssMegabytes, sample.heapUsedMegabytes].map(number)),
})
