import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'

/** Parameters of a statement, or values of columns. Blobs and integers beyond 2^53 do not occur. */
export type SqlValue = string | number | null

export type Row = readonly SqlValue[]

/** A connection's statements, each prepared once. Their number is small, because all values are parameters. */
export type Statements = {
  all(sql: string, params: Row): readonly Row[]
  /** Runs a statement, and returns how many rows it inserted or changed. */
  run(sql: string, params: Row): number
}

export function createStatements(database: DatabaseSync): Statements {
  const prepared = new Map<string, StatementSync>()

  function statement(sql: string): StatementSync {
    const known = prepared.get(sql)
    if (known !== undefined) return known
    const created = database.prepare(sql)
    created.setReturnArrays(true)
    prepared.set(sql, created)
    return created
  }

  return {
    // The cast: with `setReturnArrays` rows are arrays, which the types omit. No column has blobs, or integers beyond
    // 2^53.
    all: (sql, params) => statement(sql).all(...params) as unknown as readonly Row[],
    run: (sql, params) => Number(statement(sql).run(...params).changes),
  }
}

/** The only value of the only row that a pragma returns. */
export function pragma(database: DatabaseSync, name: string): SQLOutputValue | undefined {
  const row = database.prepare(`PRAGMA ${name}`).get()
  return row && Object.values(row)[0]
}
