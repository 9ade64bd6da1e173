import { type Auction, wordsOf } from '@auction/domain/auction'
import {
  type AgendaUpdate,
  agendaStages,
  byKind,
  changeCountAfter,
  firstStage,
  type StoredAuction,
  stageAfter,
} from '@auction/domain/store'
import { foundAuction, parseStoredAuction, versionOfAuction } from '@auction/domain/stored'
import type { AnyBulkWriteOperation, Document } from 'mongodb'
import type { AuctionPart } from '../shared/store-parts.ts'
import type { MongoContext } from './context.ts'
import { fromStored, int64, type StoredDocument, toStored } from './documents.ts'
import type { Index } from './indexes.ts'
import { insert, writeInBulk } from './writes.ts'

export const auctionsCollection = 'auctions'

export const auctionIndexes: readonly Index[] = [
  { name: 'one-auction-per-request-key', key: { requestKey: 1 }, unique: true, sparse: true },
]

function documentOf({ id, ...fields }: StoredAuction): StoredDocument {
  const words = wordsOf(fields.title ?? '')
  const { stage, timeMs } = firstStage({ id, ...fields })
  return {
    _id: int64(id),
    version: int64(versionOfAuction({ id, ...fields })),
    ...Object(toStored(fields)),
    stage,
    stageMs: int64(timeMs),
    corrections: int64(0),
    ...(words.length > 0 && { words }),
  }
}

export const parseAuction = (document: Document): Auction => parseStoredAuction(fromStored(document))

/** An ended auction matches no update. Others move to the latest time of all updates, in any order of these. */
function changeOf(update: AgendaUpdate) {
  if ('checkMs' in update) {
    const stageMs = int64(update.checkMs)
    return { filter: { stage: { $in: [...agendaStages] }, stageMs: { $gt: stageMs } }, update: { $set: { stageMs } } }
  }
  const { stage, timeMs } = stageAfter(update)
  const [stageMs, corrections] = [int64(timeMs), int64(changeCountAfter(update))]
  return {
    filter: {
      stage: { $in: [...agendaStages] },
      $or: [{ corrections: { $lt: corrections } }, { corrections, stageMs: { $lt: stageMs } }],
    },
    update: { $set: { stage, stageMs, corrections } },
  }
}

/** One operation for all updates to one stage and time: many auctions that close together end in one millisecond. */
function agendaOperations(updates: readonly AgendaUpdate[]): readonly AnyBulkWriteOperation<StoredDocument>[] {
  const alike = Map.groupBy(updates, ({ auctionId: _, ...change }) => JSON.stringify(change))
  return [...alike.values()].map((group) => {
    const ids = group.map(({ auctionId }) => auctionId)
    // Servers that scan all documents compare only those in this range with the list of ids.
    const bounds = { $gte: int64(Math.min(...ids)), $lte: int64(Math.max(...ids)) }
    const { filter, update } = changeOf(group[0] as AgendaUpdate) // No group is empty.
    return { updateMany: { filter: { ...filter, _id: { ...bounds, $in: ids.map(int64) } }, update } }
  })
}

export function createMongoAuctions({ connection, driverCall, maxReadMs: maxTimeMS }: MongoContext): AuctionPart {
  const auctions = () => connection.collection<StoredDocument>(auctionsCollection)

  return {
    async insertAuction(auction) {
      const document = documentOf(auction)
      const taken = await driverCall('store an auction', () => insert(auctions(), [document]))
      return taken.length === 0 ? 'inserted' : 'taken'
    },

    async findAuction(id) {
      const query = { _id: int64(id) }
      const document = await driverCall('find an auction', () => auctions().findOne(query, { maxTimeMS }))
      return document === null ? undefined : parseAuction(document)
    },

    async findAuctions(wanted, signal) {
      const [count, query] =
        'ids' in wanted
          ? [wanted.ids.length, { _id: { $in: wanted.ids.map(int64) } }]
          : [wanted.keys.length, { requestKey: { $in: [...wanted.keys] } }]
      if (count === 0) return []
      // One more than needed, so that the server ends the cursor with the first batch.
      const options = { projection: { description: 0, words: 0 }, batchSize: count + 1, maxTimeMS }
      const documents = await driverCall('find auctions', () => auctions().find(query, options).toArray(), signal)
      return documents.map((document) => foundAuction(parseAuction(document), document['requestKey']))
    },

    async updateAgenda(updates) {
      const { stageUpdates, checks } = byKind(updates)
      for (const kind of [stageUpdates, checks])
        await writeInBulk(driverCall, 'update the agenda', auctions, agendaOperations(kind))
    },

    async addTitleWords(id, words) {
      const update = { $addToSet: { words: { $each: [...words] } } }
      await driverCall('store words of a title', () => auctions().updateOne({ _id: int64(id) }, update))
    },
  }
}
