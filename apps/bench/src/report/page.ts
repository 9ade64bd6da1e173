import { cpus, release, type } from 'node:os'
import { type Metric, medianOf, metrics, number, type Row, ratioOf } from '../measure/rows.ts'
import type { Options, SectionName } from '../options.ts'
import type { Results } from '../run.ts'
import { targetsOf } from './targets.ts'

/** The section of a run that has no other one. */
export const onlySectionOf = ({ sections: [section, ...others] }: Options): SectionName | undefined =>
  others.length === 0 ? section : undefined

/** The results page of the docs. */
export function pageOf({ rows, versions }: Results, options: Options): string {
  const { rounds, seconds } = options
  const section = onlySectionOf(options)
  const command = section === undefined ? 'pnpm bench' : `pnpm bench --section ${section}`
  const date = `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const machine = `Node.js ${process.version}, ${type()} ${release()}, ${cpus().length} x ${cpus()[0]?.model}`
  const titleOf = ({ section, store }: Row) => (store === undefined ? section : `${store}: ${section}`)
  return [
    section === undefined ? '# Benchmark results' : `# Benchmark results: ${section}`,
    `Written by \`${command}\`. Do not edit. What is measured, and how, is in the [README](README.md).`,
    `${[date, machine, ...versions].join(', ')}.`,
    `Medians of ${rounds} ${rounds === 1 ? 'round' : 'rounds'} of ${seconds} s. "Times floor" is the median of the ratios of each round.`,
    '## Targets',
    targetTable(rows),
    ...[...Map.groupBy(rows, titleOf)].flatMap(([title, lines]) => [`## ${title}`, tableOf(lines)]),
    '',
  ].join('\n\n')
}

export const targetTable = (rows: readonly Row[]): string =>
  markdown(
    ['target', 'goal', 'measured', 'reached'],
    targetsOf(rows).map(({ text, bound, goal, measured, isReached }) => {
      return [text, `${bound} ${number(goal)}`, number(measured), isReached ? 'yes' : 'no']
    }),
  )

/** The lines of a section, with a column for each metric that one of them has. */
export function tableOf(rows: readonly Row[]): string {
  const shown = (Object.keys(metrics) as readonly Metric[]) // The keys of `metrics`.
    .filter((metric) => rows.some((row) => medianOf(row, metric)))
  const cell = (value: number | undefined) => (value === undefined ? '' : number(value))
  const cells = rows.map((row) => {
    const values = shown.map((metric) => cell(medianOf(row, metric)))
    return [row.label, String(row.clients), ...values, cell(timesFloor(row, rows))]
  })
  const table = markdown(['', 'clients', ...shown.map((metric) => metrics[metric]), 'times floor'], cells)
  const failures = rows.flatMap(({ label, failure }) => (failure === undefined ? [] : [`\n- ${label}: ${failure}`]))
  return failures.length === 0 ? table : `${table}\n\nFailed:\n${failures.join('')}`
}

/** The ratio of a line to its floor, which is one of the rows. */
function timesFloor(row: Row, rows: readonly Row[]): number | undefined {
  const [key, metric] = row.floor ?? []
  const floor = rows.find(
    ({ section, store, ...other }) => other.key === key && section === row.section && store === row.store,
  )
  return floor && metric && ratioOf(row, floor, metric)
}

/** Returns a table whose columns have equal widths, for terminals. */
function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')))
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(cells[0] ?? []), line(rule), ...cells.slice(1).map(line)].join('\n')
}
