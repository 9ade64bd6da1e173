import { accessSync, closeSync, constants, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * The full path of a file. It keeps SQLite from taking a name for something else.
 * @throws Error for a name that stands for no file to whoever knows SQLite
 */
export function resolveFile(path: string): string {
  if (path === '' || path === ':memory:' || /^file:/i.test(path)) {
    throw new Error(
      `"${path}" is not the path of a file, such as data/auctions.sqlite; in memory, use createMemoryStore`,
    )
  }
  return resolve(path)
}

/** The folders above a file that are not there, the outermost first. */
export function missingFolders(file: string): readonly string[] {
  const missing: string[] = []
  for (let path = dirname(file); !existsSync(path); path = dirname(path)) missing.unshift(path)
  return missing
}

/** Makes a file, and its folder, where there are none: for the user of this process alone. Its log and the index of that follow it. */
export function prepareFile(file: string): void {
  // One by one: where the file system makes none, as below /proc, Node's own way to make them all never ends.
  for (const path of missingFolders(file)) {
    makeFolder(path)
    // SQLite sees to it that the file stays in its folder after a loss of power, and somebody must for the folder in its own.
    syncFolder(dirname(path))
  }
  try {
    // Only where there is none: a process that opens and closes a file other than through SQLite loses all its locks on it.
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (!existsSync(file)) throw error
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!isFolder(path)) throw error // Another process may have made it just now.
  }
}

function syncFolder(folder: string): void {
  let descriptor: number
  try {
    descriptor = openSync(folder, 'r')
  } catch {
    return // Windows has no such thing.
  }
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Why a file can't be used: SQLite knows that it failed, the file system often knows why. */
export function explainFailure(file: string, error: unknown): string {
  const folder = dirname(file)
  if (isFolder(file)) return 'it is a folder'
  if (!isFolder(folder)) return `its folder can't be made (${messageOf(error)})`
  return accessFault(file) ?? messageOf(error)
}

/** What keeps this process from using a file, what belongs to it, or its folder. */
export function accessFault(file: string): string | undefined {
  for (const path of [dirname(file), file, `${file}-wal`, `${file}-shm`]) {
    const reason = accessFailure(path)
    if (reason !== undefined)
      return `${path === file ? 'it' : path} can't be read and written by this process (${reason})`
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

/** The code of what keeps this process from using what there is, such as EACCES or EROFS. */
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
