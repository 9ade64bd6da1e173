import { createClaimedBlocks } from '../shared/claimed-blocks.ts'
import type { IdBlockPart } from '../shared/store-parts.ts'
import type { MongoContext } from './context.ts'
import { int64, integerIn } from './documents.ts'
import type { Index } from './indexes.ts'
import { insert } from './writes.ts'

export const idBlocksCollection = 'idBlocks'

export const idBlockIndexes: readonly Index[] = [
  { name: 'one-claim-per-block', key: { idsOf: 1, block: 1 }, unique: true },
]

/** The claimed blocks of ids, one document each. */
export function createMongoIdBlocks(context: MongoContext): IdBlockPart {
  const { connection, driverCall, maxReadMs: maxTimeMS } = context
  const blocks = () => connection.collection(idBlocksCollection)

  return createClaimedBlocks({
    async highest(kind) {
      const options = { sort: { block: -1 }, maxTimeMS } as const
      const highest = await driverCall('find the ids that are claimed', () =>
        blocks().findOne({ idsOf: kind }, options),
      )
      return highest === null ? undefined : integerIn(highest, idBlocksCollection, 'block')
    },

    async isClaimed(kind, block) {
      const document = { idsOf: kind, block: int64(block) }
      return (await driverCall('claim ids', () => insert(blocks(), [document]))).length === 0
    },
  })
}
