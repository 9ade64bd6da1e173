import type { AppendedPart } from '../shared/store-parts.ts'
import type { MongoContext } from './context.ts'

/**
 * Servers of a replica set know their last write that a majority has. If it is the same, nothing became
 * visible; otherwise the store does not know what.
 *
 * No index can have the order in which entries become visible: a server sets times and numbers before a write takes its
 * position in the log of the replica set, so that a later one may be visible first. A change stream has that order. But
 * each stream makes a server read every write of the replica set, and a standalone server has none.
 */
export const createMongoAppended = ({ connection, driverCall }: MongoContext): AppendedPart => ({
  async appendedSince(mark) {
    const { lastWrite } = await driverCall('read its last write', () => connection.database().command({ hello: 1 }))
    if (lastWrite?.majorityOpTime === undefined) return undefined
    const current = JSON.stringify(lastWrite.majorityOpTime)
    return { mark: current, appended: current === mark ? [] : undefined }
  },
})
