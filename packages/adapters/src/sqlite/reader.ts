import { DatabaseSync } from 'node:sqlite'
import { faultOf, isBusy } from './faults.ts'
import { type FileIdentity, refuseMoved } from './file-identity.ts'
import type { Outcome } from './protocol.ts'
import { createStatements, type Row } from './statements.ts'

/** A connection of the calling thread, for reads that take microseconds. */
export type Reader = {
  /** The rows, or undefined where another process holds what this thread must not wait for. */
  find(sql: string, params: Row): Outcome<readonly Row[]> | undefined
  /** The file was not where it was: from now on each read looks whether it is, until it is. */
  noteMoved(): void
  close(): void
}

/**
 * A read by key takes some 4 µs here, of which half are the locks of the log. A message to another thread and back takes 16, and
 * there it would wait for the commit that is under way. Readers of a write-ahead log wait for no writer, and see whatever was
 * committed before they began. What is not in memory yet is read from the disk: a few pages, as these reads go by an index.
 */
export function createReader(file: string, identity: FileIdentity): Reader {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 0 })
  const statements = createStatements(database)
  let isDoubtful = false

  function find(sql: string, params: Row): Outcome<readonly Row[]> | undefined {
    try {
      if (isDoubtful) refuseMoved(file, identity)
      isDoubtful = false
      return { value: statements.all(sql, params) }
    } catch (error) {
      return isBusy(error) ? undefined : { fault: faultOf(error) }
    }
  }

  // From its first read on, this connection keeps the log in its place, should the other one be closed.
  find('SELECT id FROM auctions LIMIT 1', [])
  return {
    find,
    noteMoved() {
      isDoubtful = true
    },
    close() {
      if (database.isOpen) database.close()
    },
  }
}
