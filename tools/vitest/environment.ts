import { statfsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isLong } from './size.ts'

const memory = '/dev/shm'
/** More than the files of all tests take; a container often has 64 MB. */
const neededBytes = 2 * 2 ** 30

/** Sets what makes the tests and all programs that they start faster, unless it is set already. */
export function setEnvironment(): void {
  // Every thread of SQLite and every server would compile the sources again.
  process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url))
  // In memory, a commit does not wait for a disk. The long form leaves the files on the disk.
  if (!isLong && hasMemory()) process.env['TMPDIR'] ??= memory
}

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= neededBytes
  } catch {
    return false // Only Linux has it.
  }
}
