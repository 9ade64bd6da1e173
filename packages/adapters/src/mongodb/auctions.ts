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

/**
 * With `$max`, a place only moves to later times, in whatever order updates come. A text is above all numbers in MongoDB's order, so
 * an auction that has ended keeps it.
 */
const operatorsOf = (update: AgendaUpdate) =>
  'endedMs' in update
    ? { $max: { dueMs: 'ended' }, $min: { endedMs: int64(update.endedMs) } }
    : { $max: { dueMs: int64(update.dueMs) } }

/** One operation for all that get the same place: many auctions that are closed together end in one millisecond. */
function agendaOperations(updates: readonly AgendaUpdate[]): readonly AnyBulkWriteOperation<StoredDocument>[] {
  const alike = Map.groupBy(updates, ({ auctionId: _, ...place }) => JSON.stringify(place))
  return [...alike.values()].map((group) => ({
    updateMany: {
      filter: { _id: { $in: group.map(({ auctionId }) => int64(auctionId)) } },
      update: operatorsOf(group[0] as AgendaUpdate), // Every group has one.
    },
  }))
}

/** Servers that only speak MongoDB's protocol may take very long for more, as FerretDB 1.24 does from 100 on. */
const maxUpdatesPerCommand = 50

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
      for (let from = 0; from < updates.length; from += maxUpdatesPerCommand) {
        const operations = agendaOperations(updates.slice(from, from + maxUpdatesPerCommand))
        await driverCall('update the agenda', () => auctions().bulkWrite(operations, { ordered: false }))
      }
    },
  }
}
