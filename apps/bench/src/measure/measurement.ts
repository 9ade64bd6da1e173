import type { Sample } from './sample.ts'

/** In the order in which they are run. */
export const sections = [
  'domain',
  'sqlite',
  'bids',
  'creation',
  'closing',
  'processes',
  'writers',
  'http',
  'parts',
  'start',
  'memory',
] as const
export type Section = (typeof sections)[number]

/** One line of a table: a series at a number of clients. */
export type Point = {
  readonly section: Section
  /** Stable, for programs that read the results. */
  readonly series: string
  readonly label: string
  readonly clients: number
}

/** Of which of the databases something is told; left out where none takes part. */
type OnDatabase = { readonly database?: string }

export type Measurement = Point & OnDatabase & { readonly median: Sample; readonly rounds: readonly Sample[] }

/** What stands in a table instead of numbers: a word or two. */
export type NotMeasured = OnDatabase & { readonly section: Section; readonly label: string; readonly reason: string }

/** What a section of the benchmark brings home. */
export type Findings = {
  readonly measurements: readonly Measurement[]
  readonly notMeasured: readonly NotMeasured[]
  /** What a reader has to know to read the numbers. */
  readonly notes: readonly string[]
}

/** Findings, told of a database. */
export const onDatabase = (database: string, { measurements, notMeasured, notes }: Findings): Findings => ({
  measurements: measurements.map((measurement) => ({ ...measurement, database })),
  notMeasured: notMeasured.map((line) => ({ ...line, database })),
  notes: notes.map((note) => `${database}: ${note}`),
})
