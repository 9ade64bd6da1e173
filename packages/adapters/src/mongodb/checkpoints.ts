import type { Checkpoint, CheckpointKey, Checkpoints } from '@auction/delivery/checkpoints'
import type { Document, FindOptions } from 'mongodb'
import type { MongoContext } from './context.ts'
import { int64, integerIn } from './documents.ts'
import type { Index } from './indexes.ts'
import { insert, writeInBulk } from './writes.ts'

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
  async function find(what: string, query: Document, options: FindOptions): Promise<readonly Checkpoint[]> {
    const cursor = () => checkpoints().find(query, { ...options, maxTimeMS })
    return (await driverCall(what, () => cursor().toArray())).map(parse)
  }

  /** Returns the number of checkpoints that exist. */
  function update(saved: readonly Checkpoint[]): Promise<number> {
    const operations = saved.map(({ sequence, ...key }) => ({
      updateOne: { filter: keyOf(key), update: { $max: { sequence: int64(sequence) } } },
    }))
    return writeInBulk(driverCall, 'save checkpoints', checkpoints, operations)
  }

  return {
    async save(saved) {
      if ((await update(saved)) === saved.length) return
      // This is no upsert: of two at once, one fails.
      const documents = saved.map(({ sequence, ...key }) => ({ ...keyOf(key), sequence: int64(sequence) }))
      const taken = await driverCall('save checkpoints', () => insert(checkpoints(), documents, false))
      await update(taken.flatMap((index) => saved[index] ?? []))
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
      const operations = keys.map((key) => ({ deleteOne: { filter: keyOf(key) } }))
      await writeInBulk(driverCall, 'remove checkpoints', checkpoints, operations)
    },
  }
}
