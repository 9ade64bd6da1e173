import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { FileError, sqliteErrorOf } from './errors.ts'
import { formatOf, hasCheckpoints, isEmpty, refuseForeign, refuseOtherFormat } from './open-database.ts'
import { accessProblem, explainFailure, missingFolders, resolveFile } from './paths.ts'

/** The state of a file before `openSqliteStore`. */
export type SqliteInspection = {
  /** The file, for display. */
  readonly description: string
  /** What it would create or change, for display; empty if nothing. */
  readonly wouldMake: readonly string[]
}

/**
 * Checks whether a file can be used, without changes to it. Other processes may have it open.
 * @throws Error with the file and the reason on one line
 */
export async function inspectSqliteFile(path: string): Promise<SqliteInspection> {
  const file = resolveFile(path)
  try {
    const wouldMake = existsSync(file) ? inspectExisting(file) : inspectMissing(file)
    return { description: `SQLite file ${file}`, wouldMake }
  } catch (error) {
    const reason =
      error instanceof FileError ? error.message : explainFailure(file, new Error(sqliteErrorOf(error).message))
    throw new Error(`the file ${file} cannot be used: ${reason}`, { cause: error })
  }
}

function inspectMissing(file: string): readonly string[] {
  const folders = missingFolders(file)
  refuseInaccessible(folders[0] ?? file)
  return [...folders.map((folder) => `the folder ${folder}`), 'the file']
}

function inspectExisting(file: string): readonly string[] {
  refuseInaccessible(file)
  const [hasLog, hasIndex] = [existsSync(`${file}-wal`), existsSync(`${file}-shm`)]
  // SQLite would create the missing index of the log.
  if (hasLog && !hasIndex) return ['the missing index of its log']
  const database = openUntouched(file, hasLog)
  try {
    refuseForeign(database)
    if (isEmpty(database)) return ['its tables']
    refuseOtherFormat(formatOf(database))
    return hasCheckpoints(database) ? [] : ['the table checkpoints']
  } finally {
    database.close()
  }
}

/** The file, existing or not, must be in an accessible folder. */
function refuseInaccessible(path: string): void {
  const problem = accessProblem(path)
  if (problem !== undefined) throw new FileError('unavailable', problem)
}

function openUntouched(file: string, hasLog: boolean): DatabaseSync {
  if (hasLog) return new DatabaseSync(file, { readOnly: true, timeout: 1_000 })
  const url = pathToFileURL(file)
  // Otherwise SQLite would create a log and its index during the read.
  url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, { readOnly: true })
}
