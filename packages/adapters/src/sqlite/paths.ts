import { accessSync, closeSync, constants, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * The full path of a file, so that SQLite does not interpret a name as something else.
 * @throws Error for a name with another meaning in SQLite
 */
export function resolveFile(path: string): string {
  if (path === '' || path === ':memory:' || /^file:/i.test(path)) {
    throw new Error(
      `"${path}" is not the path of a file, such as data/auctions.sqlite; for a store in memory, use createMemoryStore`,
    )
  }
  return resolve(path)
}

/** The missing folders above a file, the outermost first. */
function missingFolders(file: string): readonly string[] {
  const missing: string[] = []
  for (let path = dirname(file); !existsSync(path); path = dirname(path)) missing.unshift(path)
  return missing
}

/**
 * Creates a missing file and folder, only for the user of this process. The log and its index get the same permissions.
 */
export function prepareFile(file: string): void {
  // Folders are created one by one: where folders cannot be created, such as below /proc, Node's recursive `mkdir` never ends.
  for (const path of missingFolders(file)) {
    makeFolder(path)
    // SQLite syncs the folder of a new file, but not the parents of new folders, which a loss of power could remove.
    syncFolder(dirname(path))
  }
  try {
    // An existing file is not opened: a process that opens and closes it without SQLite loses all its locks on it.
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (!existsSync(file)) throw error
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!isFolder(path)) throw error // Another process may have created it at the same time.
  }
}

function syncFolder(folder: string): void {
  let descriptor: number
  try {
    descriptor = openSync(folder, 'r')
  } catch {
    return // Windows does not support this.
  }
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** The reason why a file cannot be used: often the file system knows more than SQLite reports. */
export function explainFailure(file: string, error: unknown): string {
  const folder = dirname(file)
  if (isFolder(file)) return 'it is a folder'
  if (!isFolder(folder)) return `its folder cannot be created (${messageOf(error)})`
  return accessProblem(file) ?? messageOf(error)
}

/** The reason why this process has no access to a file, its log or its folder. */
function accessProblem(file: string): string | undefined {
  for (const path of [dirname(file), file, `${file}-wal`, `${file}-shm`]) {
    const reason = accessFailure(path)
    if (reason !== undefined)
      return `${path === file ? 'it' : path} cannot be read and written by this process (${reason})`
  }
  return undefined
}

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** The error code if this process cannot access an existing path, such as EACCES or EROFS. */
function accessFailure(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return code === 'ENOENT' ? undefined : code
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
