import { DatabaseSync } from 'node:sqlite'
import { FileError } from './faults.ts'
import { applicationId, fileFormat, schema } from './schema.ts'
import { pragma } from './statements.ts'
import { whenFree } from './when-free.ts'

/**
 * Opens the file for writing, and makes it and its tables where there are none.
 * @throws Error when the file is another program's or of another format, or can't be opened and written, or other processes hold
 *   its lock for longer than `waitMs`
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
 * The file is looked at before anything is written to it: it may be precious to somebody else.
 * @throws FileError
 */
export function refuseForeign(database: DatabaseSync): void {
  const id = pragma(database, 'application_id')
  if (id === applicationId) return
  if (id === 0 && isEmpty(database)) return
  throw new FileError('unavailable', 'it is the database of another program; name another file')
}

/** Whether it is a file without tables, as nobody has made them yet. */
export const isEmpty = (database: DatabaseSync): boolean =>
  formatOf(database) === 0 && database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined

export const formatOf = (database: DatabaseSync): number => Number(pragma(database, 'user_version'))

/** @throws FileError */
export function refuseOtherFormat(format: number): void {
  if (format === fileFormat) return
  const found = `it has data of format ${format}, and this program reads and writes format ${fileFormat}`
  throw new FileError(
    'unavailable',
    `${found}; name another file, or use the version of the program that made this one`,
  )
}

function useWriteAheadLog(database: DatabaseSync): void {
  const mode = pragma(database, 'journal_mode = WAL')
  if (mode !== 'wal') {
    throw new FileError('unavailable', 'its file system can’t have a write-ahead log in shared use; use a local disk')
  }
  database.exec(settings)
}

const settings = `
  -- Every commit is on the disk before it is answered; on macOS that takes a sync of another kind.
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = ON;
  -- 16 MiB of pages in memory.
  PRAGMA cache_size = -16384;
  -- The log is copied into the file when it has 16 MiB: the more commits share a copy, the fewer pages it has for each.
  PRAGMA wal_autocheckpoint = 4000;
  -- A log that has grown beyond that, while somebody read for long, is cut to 64 MiB.
  PRAGMA journal_size_limit = 67108864`

/** Of processes that start at once, one makes the tables, and the others find them. */
function makeTables(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    if (isEmpty(database)) {
      database.exec(`${schema}; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${fileFormat}; COMMIT`)
    } else {
      refuseOtherFormat(formatOf(database))
      // A file that may not be written shows itself at the first thing that would be written, and not before.
      database.exec(`PRAGMA user_version = ${fileFormat}; ROLLBACK`)
    }
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
