import { statSync } from 'node:fs'
import { FileError } from './faults.ts'

/** Which file and which log lie under a path, by the numbers that the file system has for them. */
export type FileIdentity = readonly [file: string, log: string]

/** Stats only: a process that opens the file and closes it again, other than through SQLite, loses all its locks on it. */
export const identityOf = (file: string): FileIdentity => [numbersOf(file), numbersOf(`${file}-wal`)]

function numbersOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? 'none' : `${found.dev}:${found.ino}`
}

/**
 * A connection goes on with the file that it has opened, also when that was moved, deleted or replaced: whatever it wrote then
 * would be lost with the process.
 * @throws FileError when another file, or none, lies where this one was
 */
export function refuseMoved(file: string, identity: FileIdentity): void {
  const now = identityOf(file)
  if (now[0] === identity[0] && now[1] === identity[1]) return
  throw new FileError(
    'moved',
    `${now[0] === identity[0] ? `${file}-wal` : file} was moved, deleted or replaced while it was in use; ` +
      'put it back, or restart with the file that is to be used',
  )
}
