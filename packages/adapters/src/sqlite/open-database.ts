import { DatabaseSync } from 'node:sqlite'
import { isBusy } from './faults.ts'
import { applicationId, migrations as ourMigrations } from './schema.ts'
import { pragma } from './statements.ts'

/**
 * Opens the file for writing, makes it where there is none, and brings it to the present form. It blocks its thread meanwhile.
 * @throws Error when the file is another program's or a newer version's, or can't be opened, within about `timeoutMs`
 */
export function openDatabase(
  file: string,
  timeoutMs: number,
  migrations: readonly string[] = ourMigrations,
): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: timeoutMs, enableForeignKeyConstraints: false })
  try {
    refuseForeign(database)
    refuseNewer(database, migrations.length)
    retryWhileBusy(timeoutMs, () => useWriteAheadLog(database))
    while (migrateOnce(database, migrations));
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** The file is looked at before anything is written to it: it may be precious to somebody else. */
function refuseForeign(database: DatabaseSync): void {
  const id = pragma(database, 'application_id')
  if (id === applicationId) return
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
  if (id === 0 && isEmpty && pragma(database, 'user_version') === 0) return
  throw new Error('it is the database of another program; name another file')
}

function refuseNewer(database: DatabaseSync, known: number): void {
  const version = Number(pragma(database, 'user_version'))
  if (version > known) {
    throw new Error(
      `its schema is of version ${version}, and this program knows versions up to ${known}; use a newer program`,
    )
  }
}

function useWriteAheadLog(database: DatabaseSync): void {
  const mode = pragma(database, 'journal_mode = WAL')
  if (mode !== 'wal') throw new Error('its file system can’t hold a write-ahead log; use a local disk')
  // Every commit is on the disk before it is answered; on macOS that takes a sync of another kind.
  database.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA cache_size = -16384')
}

/** Does the next migration, and tells whether there was one. Of processes that start at once, each finds what another has done. */
function migrateOnce(database: DatabaseSync, migrations: readonly string[]): boolean {
  database.exec('BEGIN IMMEDIATE')
  try {
    refuseNewer(database, migrations.length)
    const version = Number(pragma(database, 'user_version'))
    const migration = migrations[version]
    if (migration !== undefined) {
      database.exec(`${migration};
        PRAGMA application_id = ${applicationId};
        PRAGMA user_version = ${version + 1}`)
    }
    database.exec('COMMIT')
    return migration !== undefined
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

const pauseMs = 5

/** SQLite itself does not wait where two connections would wait for each other. */
function retryWhileBusy(timeoutMs: number, action: () => void): void {
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  const giveUpAtMs = performance.now() + timeoutMs
  for (;;) {
    try {
      action()
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAtMs) throw error
      Atomics.wait(sleeper, 0, 0, pauseMs)
    }
  }
}
