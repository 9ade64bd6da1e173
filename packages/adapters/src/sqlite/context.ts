import type { Row } from './values.ts'

/** What the parts of the store ask of the file. `what` completes "SQLite could not …". */
export type SqliteContext = {
  /** Reads a few rows by their keys. */
  find(what: string, sql: string, params: Row): Promise<readonly Row[]>
  /** Reads many rows, or looks at many. */
  list(what: string, sql: string, params: Row): Promise<readonly Row[]>
  /**
   * Runs a statement for each row durably and in order, up to the first for which it changes nothing, and returns for how many
   * it did.
   */
  write(what: string, sql: string, rows: readonly Row[]): Promise<number>
}
