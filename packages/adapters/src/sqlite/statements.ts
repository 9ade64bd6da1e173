import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'

/** What is bound to a statement, or read from a column. There are no blobs, and no integers beyond 2^53. */
export type SqlValue = string | number | null

export type Row = readonly SqlValue[]

/** A connection's statements, each prepared once. There are few of them: all that differs is bound. */
export type Statements = {
  all(sql: string, params: Row): readonly Row[]
  /** Runs a statement, and returns how many rows it inserted or changed. */
  run(sql: string, params: Row): number
}

export function createStatements(database: DatabaseSync): Statements {
  const prepared = new Map<string, StatementSync>()

  function statement(sql: string): StatementSync {
    let found = prepared.get(sql)
    if (found === undefined) {
      found = database.prepare(sql)
      found.setReturnArrays(true)
      prepared.set(sql, found)
    }
    return found
  }

  return {
    // The cast: with `setReturnArrays` rows are arrays, which the types do not say. No column has blobs, or integers beyond 2^53.
    all: (sql, params) => statement(sql).all(...params) as unknown as readonly Row[],
    run: (sql, params) => Number(statement(sql).run(...params).changes),
  }
}

/** The only value of the only row that a pragma returns. */
export function pragma(database: DatabaseSync, name: string): SQLOutputValue | undefined {
  const row = database.prepare(`PRAGMA ${name}`).get()
  return row && Object.values(row)[0]
}
