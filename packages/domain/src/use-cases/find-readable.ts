import type { SafeObserver } from '../observer.ts'
import { isUnreadableStored } from '../store/unreadable-stored.ts'

/** Reads by keys. A read that fails for unreadable data is split in halves until that data is alone; it is reported and left out. */
export async function findReadable<Key, Found>(
  keys: readonly Key[],
  read: (keys: readonly Key[]) => Promise<readonly Found[]>,
  observer: SafeObserver | undefined,
): Promise<readonly Found[]> {
  try {
    return await read(keys)
  } catch (error) {
    if (!isUnreadableStored(error)) throw error
    if (keys.length === 1) {
      observer?.onUnreadable(error)
      return []
    }
    const half = Math.ceil(keys.length / 2)
    const first = await findReadable(keys.slice(0, half), read, observer)
    return [...first, ...(await findReadable(keys.slice(half), read, observer))]
  }
}
