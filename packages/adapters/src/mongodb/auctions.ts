import type { Auction } from '@auction/domain/auction/auction'
import type { Store, StoredAuction } from '@auction/domain/store'
import { parseStoredAuction, storedVersion } from '@auction/domain/stored'
import type { Document } from 'mongodb'
import type { MongoContext } from './context.ts'
import { fromStored, int64, type StoredDocument, toStored } from './documents.ts'
import type { Index } from './indexes.ts'
import { insertInOrder } from './insert-in-order.ts'

export const auctionsCollection = 'auctions'

export const auctionIndexes: readonly Index[] = [
  { name: 'one-auction-per-request-key', key: { requestKey: 1 }, unique: true, sparse: true },
]

const documentOf = (auction: StoredAuction): StoredDocument => {
  const { id, ...fields } = auction
  return {
    _id: int64(id),
    version: int64(storedVersion),
    ...Object(toStored(fields)),
    ...overtimeOf(auction),
  }
}

/**
 * What the index of auctions with a soft close consists of. A sparse index leaves a document out that has none of its fields, so they
 * are fields of their own, the id as well.
 */
const overtimeOf = ({ id, endTime, softClose }: StoredAuction): Document =>
  softClose === undefined
    ? {}
    : {
        overtime: {
          endMs: int64(endTime.epochMs),
          id: int64(id),
          latestEndMs: int64(softClose.latestEndTime.epochMs),
        },
      }

export const parseAuction = (document: Document): Auction => parseStoredAuction(fromStored(document))

type AuctionPart = Pick<Store, 'insertAuction' | 'findAuction' | 'findAuctionByKey'>

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
  }
}
