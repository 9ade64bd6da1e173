import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

/** The types of file systems in memory, by their numbers in Linux (statfs(2)). */
const inMemory = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
])

/** The type of the file system of a folder if it is known to be in memory, such as that of `/dev/shm`. */
export const memoryTypeOf = async (folder: string): Promise<string | undefined> =>
  inMemory.get((await statfs(folder)).type)

/**
 * A folder for the data of a server that is killed: the system's folder of temporary files, `/var/tmp` or the current
 * folder, whichever is not in memory.
 */
export async function diskFolder(): Promise<string> {
  for (const folder of [tmpdir(), '/var/tmp']) {
    const isOnDisk = await memoryTypeOf(folder).then(
      (type) => type === undefined,
      () => false,
    ) // It may not exist.
    if (isOnDisk) return folder
  }
  return process.cwd()
}
