import type { Sample } from './sample.ts'

export const sections = ['domain', 'mongodb', 'http', 'memory'] as const
export type Section = (typeof sections)[number]

/** One line of a table: a series at a number of clients. */
export type Point = {
  readonly section: Section
  /** Stable, for programs that read the results. */
  readonly series: string
  readonly label: string
  readonly clients: number
}

export type Measurement = Point & { readonly median: Sample; readonly rounds: readonly Sample[] }

/** What stands in a table instead of numbers: a word or two. */
export type NotMeasured = { readonly section: Section; readonly label: string; readonly reason: string }

/** What a section of the benchmark brings home. */
export type Findings = {
  readonly measurements: readonly Measurement[]
  readonly notMeasured: readonly NotMeasured[]
  /** What a reader has to know to read the numbers. */
  readonly notes: readonly string[]
}
