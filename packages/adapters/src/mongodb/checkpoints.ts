import type { Checkpoint, CheckpointKey, Checkpoints } from '@auction/domain/store'
import { type AnyBulkWriteOperation, type Document, type FindOptions, MongoBulkWriteError } from 'mongodb'
import type { MongoContext } from './context.ts'
import { int64, integerIn } from './documents.ts'
import type { Index } from './indexes.ts'
import { duplicateKeyCode } from './insert.ts'

export const checkpointsCollection = 'checkpoints'

const inOrder: Index = { name: 'one-checkpoint-per-auction-and-name', key: { auctionId: 1, name: 1 }, unique: true }
export const checkpointIndexes: readonly Index[] = [inOrder]

const keyOf = ({ auctionId, name }: CheckpointKey) => ({ auctionId: int64(auctionId), name })

const parse = (document: Document): Checkpoint => {
  const numberIn = (field: string) => integerIn(document, checkpointsCollection, field)
  // The cast: only `save` writes these documents.
  return { auctionId: numberIn('auctionId'), name: document['name'], sequence: numberIn('sequence') } as Checkpoint
}

/** One document for each auction and subscriber. */
export function createMongoCheckpoints({ connection, driverCall, maxReadMs: maxTimeMS }: MongoContext): Checkpoints {
  const checkpoints = () => connection.collection(checkpointsCollection)
  const find = async (what: string, query: Document, options: FindOptions) =>
    (await driverCall(what, () => checkpoints().find(query, { ...options, maxTimeMS }).toArray())).map(parse)
  const write = (operations: AnyBulkWriteOperation[]) => checkpoints().bulkWrite(operations, { ordered: false })

  return {
    async save(saved) {
      if (saved.length === 0) return
      const operations = saved.map(({ sequence, ...key }) => ({
        updateOne: { filter: keyOf(key), update: { $max: { sequence: int64(sequence) } }, upsert: true },
      }))
      // If two calls insert a checkpoint at once, one of them fails, and finds it when it is repeated.
      await driverCall('save checkpoints', () =>
        write(operations).catch((error: unknown) => {
          if (isTakenKey(error)) return write(operations)
          throw error
        }),
      )
    },

    async find(auctionIds) {
      if (auctionIds.length === 0) return []
      return find('find checkpoints', { auctionId: { $in: auctionIds.map(int64) } }, {})
    },

    list({ after, limit }) {
      const { auctionId, name } = after === undefined ? { auctionId: int64(0), name: '' } : keyOf(after)
      // The first condition is a range of the index.
      const query = {
        auctionId: { $gte: auctionId },
        $or: [{ auctionId: { $gt: auctionId } }, { name: { $gt: name } }],
      }
      return find('list checkpoints', query, { sort: inOrder.key, limit, batchSize: limit })
    },

    async remove(keys) {
      if (keys.length === 0) return
      await driverCall('remove checkpoints', () => write(keys.map((key) => ({ deleteOne: { filter: keyOf(key) } }))))
    },
  }
}

const isTakenKey = (error: unknown): boolean =>
  error instanceof MongoBulkWriteError && error.result.getWriteErrors().every(({ code }) => code === duplicateKeyCode)
