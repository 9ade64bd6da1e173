import * as v from 'valibot'
import type { BlockStore } from '../system/block-ids.ts'
import { askTwice, insertInOrder } from './asking.ts'
import type { MongoContext } from './context.ts'
import { int64, parseDocument, StoredCount, type Written } from './documents.ts'
import type { Index } from './indexes.ts'

export const idBlocksCollection = 'idBlocks'

const StoredBlock = v.object({ idsOf: v.picklist(['auctions', 'bids']), block: StoredCount })
type StoredBlock = v.InferOutput<typeof StoredBlock>
type BlockDocument = Written<v.InferInput<typeof StoredBlock>>

export const idBlockIndexes: readonly Index[] = [
  { name: 'one-claim-per-block', key: { idsOf: 1, block: 1 }, unique: true },
]

/** The blocks of one kind of ids that are claimed, one document each. */
export function mongoIdBlocks(context: MongoContext, idsOf: StoredBlock['idsOf']): BlockStore {
  const { connection, ask, maxReadMs: maxTimeMS } = context
  const blocks = () => connection.collection<BlockDocument>(idBlocksCollection)

  return {
    async insert(block) {
      const document = { idsOf, block: int64(block) }
      // A block that is lost to a first try is never handed out, and the next one is claimed.
      const inserted = await askTwice(ask, 'claim ids', () => insertInOrder(blocks(), [document]))
      return inserted === 1 ? 'inserted' : 'taken'
    },

    async highest() {
      const options = { sort: { block: -1 }, maxTimeMS } as const
      const found = await ask('find the ids that are claimed', () => blocks().findOne({ idsOf }, options))
      return found === null ? undefined : parseDocument(StoredBlock, idBlocksCollection, found).block
    },
  }
}
