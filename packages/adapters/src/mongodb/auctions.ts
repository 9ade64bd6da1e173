import type { Auction } from '@auction/domain/auction/auction'
import type { AgendaUpdate, Store, StoredAuction } from '@auction/domain/store'
import { parseStoredAuction, storedVersion } from '@auction/domain/stored'
import type { AnyBulkWriteOperation, Document } from 'mongodb'
import type { MongoContext } from './context.ts'
import { fromStored, int64, type StoredDocument, toStored } from './documents.ts'
import type { Index } from './indexes.ts'
import { insertInOrder } from './insert-in-order.ts'

export const auctionsCollection = 'auctions'

export const auctionIndexes: readonly Index[] = [
  { name: 'one-auction-per-request-key', key: { requestKey: 1 }, unique: true, sparse: true },
]

const documentOf = ({ id, ...fields }: StoredAuction): StoredDocument => ({
  _id: int64(id),
  version: int64(storedVersion),
  ...Object(toStored(fields)),
  dueMs: int64(fields.endTime.epochMs),
})

export const parseAuction = (document: Document): Auction => parseStoredAuction(fromStored(document))

/** The filters keep a place from moving to an earlier time, and an auction that has ended from getting one again. */
function agendaUpdateOf({ auctionId, ...place }: AgendaUpdate): AnyBulkWriteOperation<StoredDocument> {
  const _id = int64(auctionId)
  if ('endedMs' in place) {
    const update = { $set: { endedMs: int64(place.endedMs) }, $unset: { dueMs: '' } }
    return { updateOne: { filter: { _id, endedMs: { $exists: false } }, update } }
  }
  const dueMs = int64(place.dueMs)
  return { updateOne: { filter: { _id, dueMs: { $lt: dueMs } }, update: { $set: { dueMs } } } }
}

type AuctionPart = Pick<Store, 'insertAuction' | 'findAuction' | 'findAuctionByKey' | 'updateAgenda'>

export function createMongoAuctions({ connection, driverCall, maxReadMs: maxTimeMS }: MongoContext): AuctionPart {
  const auctions = () => connection.collection<StoredDocument>(auctionsCollection)

  return {
    async insertAuction(auction) {
      const document = documentOf(auction)
      const inserted = await driverCall('store an auction', () => insertInOrder(auctions(), [document]))
      return inserted === 1 ? 'inserted' : 'taken'
    },

    async findAuction(id) {
      const query = { _id: int64(id) }
      const found = await driverCall('find an auction', () => auctions().findOne(query, { maxTimeMS }))
      return found === null ? undefined : parseAuction(found)
    },

    async findAuctionByKey(requestKey) {
      const query = { requestKey }
      const found = await driverCall('find an auction by key', () => auctions().findOne(query, { maxTimeMS }))
      return found === null ? undefined : parseAuction(found)
    },

    async updateAgenda(updates) {
      if (updates.length === 0) return
      const operations = updates.map(agendaUpdateOf)
      await driverCall('update the agenda', () => auctions().bulkWrite(operations, { ordered: false }))
    },
  }
}
