import { statSync } from 'node:fs'
import { FileError } from './errors.ts'

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
