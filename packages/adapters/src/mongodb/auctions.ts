import type { Auction, AuctionStatus } from '@auction/domain/auction'
import { StoredAuctionId, StoredProductId, StoredUserId } from '@auction/domain/ids'
import { StoredMoment } from '@auction/domain/moment'
import { StoredAmountMinor, StoredCurrency } from '@auction/domain/money'
import type { AuctionPosition, AuctionStore } from '@auction/domain/ports/auction-store'
import type { Filter } from 'mongodb'
import * as v from 'valibot'
import { insertInOrder } from './asking.ts'
import type { MongoContext } from './context.ts'
import { currencyDocument, int64, parseDocument, StoredInteger, type Written } from './documents.ts'
import type { Index } from './indexes.ts'

export const auctionsCollection = 'auctions'

// What may be read, which is not the rule for what is offered: a stored auction stays right when that rule changes.
const StoredAuction = v.pipe(
  v.object({
    _id: StoredAuctionId,
    productId: StoredProductId,
    ownerId: StoredUserId,
    title: v.exactOptional(v.string()),
    description: v.exactOptional(v.string()),
    startingPriceMinor: StoredAmountMinor,
    minimumBidIncrementMinor: StoredAmountMinor,
    currency: StoredCurrency,
    startTime: StoredMoment,
    endTime: StoredMoment,
    createdAtMs: StoredInteger,
  }),
  v.transform(({ _id: id, ...fields }): Auction => ({ id, ...fields })),
)
type AuctionDocument = Written<v.InferInput<typeof StoredAuction>>

// The times stand in it so that a status is told by the index alone, and no auction of another status is fetched.
export const auctionIndexes: readonly Index[] = [
  { name: 'newest-first', key: { createdAtMs: -1, _id: -1, 'startTime.epochMs': 1, 'endTime.epochMs': 1 } },
]

const documentOf = (auction: Auction): AuctionDocument => ({
  _id: int64(auction.id),
  productId: int64(auction.productId),
  ownerId: int64(auction.ownerId),
  ...(auction.title !== undefined && { title: auction.title }),
  ...(auction.description !== undefined && { description: auction.description }),
  startingPriceMinor: int64(auction.startingPriceMinor),
  minimumBidIncrementMinor: int64(auction.minimumBidIncrementMinor),
  currency: currencyDocument(auction.currency),
  startTime: { iso: auction.startTime.iso, epochMs: int64(auction.startTime.epochMs) },
  endTime: { iso: auction.endTime.iso, epochMs: int64(auction.endTime.epochMs) },
  createdAtMs: int64(auction.createdAtMs),
})

const parse = (document: AuctionDocument): Auction => parseDocument(StoredAuction, auctionsCollection, document)

/** What `statusAt` says, as a query. */
const statusFilters: Readonly<Record<AuctionStatus, (nowMs: number) => Filter<AuctionDocument>>> = {
  Pending: (nowMs) => ({ 'startTime.epochMs': { $gt: int64(nowMs) } }),
  Active: (nowMs) => ({ 'startTime.epochMs': { $lte: int64(nowMs) }, 'endTime.epochMs': { $gt: int64(nowMs) } }),
  Ended: (nowMs) => ({ 'startTime.epochMs': { $lte: int64(nowMs) }, 'endTime.epochMs': { $lte: int64(nowMs) } }),
}

// Both branches run along the same index in its order, so the server merges them and sorts nothing.
const olderThan = ({ createdAtMs, id }: AuctionPosition): Filter<AuctionDocument> => ({
  $or: [{ createdAtMs: { $lt: int64(createdAtMs) } }, { createdAtMs: int64(createdAtMs), _id: { $lt: int64(id) } }],
})

const newestFirst = { createdAtMs: -1, _id: -1 } as const

export function mongoAuctions({ connection, ask, maxReadMs: maxTimeMS }: MongoContext): AuctionStore {
  const auctions = () => connection.collection<AuctionDocument>(auctionsCollection)

  return {
    async insert(auction) {
      const document = documentOf(auction)
      const inserted = await ask('store an auction', () => insertInOrder(auctions(), [document]))
      return inserted === 1 ? 'inserted' : 'taken'
    },

    async find(id) {
      const query = { _id: int64(id) }
      const found = await ask('find an auction', () => auctions().findOne(query, { maxTimeMS }))
      return found === null ? undefined : parse(found)
    },

    async list({ limit, after, status }) {
      const query = { ...(after && olderThan(after)), ...(status && statusFilters[status.is](status.nowMs)) }
      const options = { sort: newestFirst, limit, batchSize: limit, maxTimeMS }
      const found = await ask('list auctions', () => auctions().find(query, options).toArray())
      return found.map(parse)
    },
  }
}
