import { statSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { FileError, isBusy } from './errors.ts'
import { applicationId, fileFormat, schema } from './schema.ts'

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

/** Parameters of a statement, or values of columns. Blobs and integers beyond 2^53 do not occur. */
type SqlValue = string | number | null

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

/** The interval of checks for the lock of another process. */
export const checkMs = 1

/**
 * Repeats an action until no other process holds the lock, or until the time limit. SQLite's busy time-out would block
 * the thread, check less and less often, and not work when two processes wait for each other.
 */
export async function whenFree<Value>(waitMs: number, action: () => Value): Promise<Value> {
  const giveUpAtMs = performance.now() + waitMs
  for (;;) {
    try {
      return action()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAtMs) throw error
    }
    await sleep(checkMs)
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The identity of the file and of its log at a path, by their numbers in the file system. */
export type FileIdentity = readonly [file: string, log: string]

/** Uses only `stat`: a process that opens and closes the file without SQLite loses all its locks on it. */
export const identityOf = (file: string): FileIdentity => [numbersOf(file), numbersOf(`${file}-wal`)]

function numbersOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats === undefined ? 'none' : `${stats.dev}:${stats.ino}`
}

/**
 * A connection continues with its open file after the file was moved, deleted or replaced: later writes would be lost
 * with the process.
 * @throws FileError if the path has another file, or none
 */
export function refuseMoved(file: string, identity: FileIdentity): void {
  const now = identityOf(file)
  if (now[0] === identity[0] && now[1] === identity[1]) return
  throw new FileError(
    'moved',
    `${now[0] === identity[0] ? `${file}-wal` : file} was moved, deleted or replaced while it was in use; ` +
      'restore it, or restart with the right file',
  )
}
