import { DatabaseSync } from 'node:sqlite'
import { StoreUnavailableError } from '@auction/domain/store-unavailable'
import { faultOf, isBusy, isUnavailable } from './faults.ts'
import { createStatements, type Statements } from './statements.ts'
import type { Row } from './values.ts'

/** A connection of the calling thread, for reads that take microseconds. */
export type Reader = {
  /** Rows, or undefined where another process holds what this thread must not wait for. */
  find(what: string, sql: string, params: Row): readonly Row[] | undefined
  close(): void
}

/**
 * A read by key takes some microseconds here, less than a message to another thread and back, and it would wait there for the
 * commit that is under way. Readers of a write-ahead log wait for no writer, and see whatever was committed before they begin.
 */
export function createReader(file: string): Reader {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 0 })
  const statements: Statements = createStatements(database)
  return {
    find(what, sql, params) {
      try {
        return statements.all(sql, params)
      } catch (error) {
        if (isBusy(error)) return undefined
        const fault = faultOf(error)
        if (isUnavailable(fault))
          throw new StoreUnavailableError(`SQLite could not ${what}: ${fault.message}`, { cause: error })
        throw error
      }
    },
    close() {
      if (database.isOpen) database.close()
    },
  }
}
