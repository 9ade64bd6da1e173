import { DatabaseSync } from 'node:sqlite'
import { FileError, isBusy } from './faults.ts'
import { applicationId, migrations as ourMigrations } from './schema.ts'
import { pragma } from './statements.ts'

/**
 * Opens the file for writing, makes it where there is none, and brings it to the present form. It blocks its thread meanwhile,
 * for `timeoutMs` at the most where other processes have it.
 * @throws Error when the file is another program's or a newer version's, or can't be opened and written
 */
export function openDatabase(
  file: string,
  timeoutMs: number,
  migrations: readonly string[] = ourMigrations,
): DatabaseSync {
  // No wait of SQLite's own: it looks again more and more seldom, and not at all where two would wait for each other.
  const database = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: false })
  try {
    retryWhileBusy(timeoutMs, () => {
      refuseForeign(database)
      refuseNewer(versionOf(database), migrations.length)
      useWriteAheadLog(database)
      while (migrateOnce(database, migrations));
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
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
  if (id === 0 && isEmpty && versionOf(database) === 0) return
  throw new FileError('unavailable', 'it is the database of another program; name another file')
}

export const versionOf = (database: DatabaseSync): number => Number(pragma(database, 'user_version'))

/** @throws FileError when the file has been through more migrations than this program knows */
export function refuseNewer(version: number, known: number): void {
  if (version <= known) return
  const reason = `its schema has version ${version}, and this program knows versions up to ${known}; use a newer program`
  throw new FileError('unavailable', reason)
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

/** Does the next migration, and tells whether there was one. Of processes that start at once, each finds what another has done. */
function migrateOnce(database: DatabaseSync, migrations: readonly string[]): boolean {
  database.exec('BEGIN IMMEDIATE')
  try {
    const version = versionOf(database)
    refuseNewer(version, migrations.length)
    const migration = migrations[version]
    if (migration === undefined) {
      // A file that may not be written shows itself at the first thing that would be written, and not before.
      database.exec(`PRAGMA user_version = ${version}; ROLLBACK`)
      return false
    }
    database.exec(migration)
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version + 1}; COMMIT`)
    return true
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

const lookAgainMs = 2

function retryWhileBusy(timeoutMs: number, action: () => void): void {
  const sleeper = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const giveUpAtMs = performance.now() + timeoutMs
  for (;;) {
    try {
      action()
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAtMs) throw error
      Atomics.wait(sleeper, 0, 0, lookAgainMs)
    }
  }
}
