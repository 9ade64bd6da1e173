import { DatabaseSync } from 'node:sqlite'
import { FileError } from './errors.ts'
import { applicationId, fileFormat, schema } from './schema.ts'
import { pragma } from './statements.ts'
import { whenFree } from './when-free.ts'

/**
 * Opens the file for writing, and creates it and its tables if they are missing.
 * @throws Error if the file is of another program or format, or cannot be opened and written, or if other processes
 *   hold its lock for longer than `waitMs`
 */
export async function openDatabase(file: string, waitMs: number): Promise<DatabaseSync> {
  const database = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: false })
  try {
    await whenFree(waitMs, () => {
      refuseForeign(database)
      if (!isEmpty(database)) refuseOtherFormat(formatOf(database))
      useWriteAheadLog(database)
      makeTables(database)
    })
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Checks the file before any write to it, because it may be another program's.
 * @throws FileError
 */
export function refuseForeign(database: DatabaseSync): void {
  // This is read first, because another process may create the tables between the two reads.
  const isNew = isEmpty(database)
  const id = pragma(database, 'application_id')
  if (id === applicationId || (id === 0 && isNew)) return
  throw new FileError('unavailable', 'it is the database of another program; name another file')
}

/** Whether the file has no tables yet. */
const isEmpty = (database: DatabaseSync): boolean =>
  formatOf(database) === 0 && database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined

const formatOf = (database: DatabaseSync): number => Number(pragma(database, 'user_version'))

/** @throws FileError */
export function refuseOtherFormat(format: number): void {
  if (format === fileFormat) return
  const formats = `it has data of format ${format}, and this program reads and writes format ${fileFormat}`
  throw new FileError(
    'unavailable',
    `${formats}; name another file, or use the version of the program that created this one`,
  )
}

function useWriteAheadLog(database: DatabaseSync): void {
  const mode = pragma(database, 'journal_mode = WAL')
  if (mode !== 'wal') {
    throw new FileError('unavailable', 'its file system does not support a shared write-ahead log; use a local disk')
  }
  database.exec(settings)
}

const settings = `
  -- Every commit is on the disk before it is acknowledged; macOS needs another kind of sync for that.
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = ON;
  -- 16 MiB of pages in memory.
  PRAGMA cache_size = -16384;
  -- The log is copied into the file when it has 16 MiB: the more commits share a copy, the fewer pages each commit
  -- costs.
  PRAGMA wal_autocheckpoint = 4000;
  -- A log that has grown beyond that during a long read is truncated to 64 MiB.
  PRAGMA journal_size_limit = 67108864`

/** If several processes start at once, one creates the tables, and the others find them. */
function makeTables(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    if (isEmpty(database)) {
      database.exec(`${schema}; PRAGMA application_id = ${applicationId}`)
      database.exec(`PRAGMA user_version = ${fileFormat}; COMMIT`)
    } else {
      refuseOtherFormat(formatOf(database))
      // SQLite detects a read-only file only at the first write.
      database.exec(`PRAGMA user_version = ${fileFormat}; ROLLBACK`)
    }
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
