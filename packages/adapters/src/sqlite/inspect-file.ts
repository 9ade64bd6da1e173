import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { FileError, faultOf } from './faults.ts'
import { formatOf, isEmpty, refuseForeign, refuseOtherFormat } from './open-database.ts'
import { accessFault, explainFailure, missingFolders, resolveFile } from './paths.ts'

/** What `openSqliteStore` would find. */
export type SqliteInspection = {
  /** Which file, for people. */
  readonly description: string
  /** What it would make or change before it is ready, for people; empty where nothing. */
  readonly wouldMake: readonly string[]
}

/**
 * Looks whether a file can be used, and makes and changes nothing. Other processes may have it open meanwhile.
 * @throws Error that says on one line which file can't be used and why
 */
export async function inspectSqliteFile(path: string): Promise<SqliteInspection> {
  const file = resolveFile(path)
  try {
    const wouldMake = existsSync(file) ? inspectExisting(file) : inspectMissing(file)
    return { description: `SQLite file ${file}`, wouldMake }
  } catch (error) {
    const reason = error instanceof FileError ? error.message : explainFailure(file, new Error(faultOf(error).message))
    throw new Error(`the file ${file} can't be used: ${reason}`, { cause: error })
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
  // SQLite would make the index that the log lacks.
  if (hasLog && !hasIndex) return ['what its log has, and was not copied into the file']
  const database = openUntouched(file, hasLog)
  try {
    refuseForeign(database)
    if (isEmpty(database)) return ['its tables']
    refuseOtherFormat(formatOf(database))
    return []
  } finally {
    database.close()
  }
}

/** What is there, or what is to be made there, has to be in a folder that takes it. */
function refuseInaccessible(path: string): void {
  const fault = accessFault(path)
  if (fault !== undefined) throw new FileError('unavailable', fault)
}

function openUntouched(file: string, hasLog: boolean): DatabaseSync {
  if (hasLog) return new DatabaseSync(file, { readOnly: true, timeout: 1_000 })
  const url = pathToFileURL(file)
  // Otherwise SQLite would make a log and its index for as long as it reads.
  url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, { readOnly: true })
}
