import type { Bid } from '@auction/domain/bid'
import { type AuctionId, StoredAuctionId, StoredBidId, StoredUserId } from '@auction/domain/ids'
import { StoredAmountMinor, StoredCurrency } from '@auction/domain/money'
import type { Ledger } from '@auction/domain/ports/ledger'
import * as v from 'valibot'
import { insertInOrder } from './asking.ts'
import type { MongoContext } from './context.ts'
import { currencyDocument, int64, parseDocument, StoredCount, StoredInteger, type Written } from './documents.ts'
import type { Index } from './indexes.ts'

export const bidsCollection = 'bids'

const StoredBid = v.pipe(
  v.object({
    _id: StoredBidId,
    bucket: StoredInteger,
    auctionId: StoredAuctionId,
    sequence: StoredCount,
    bidderId: StoredUserId,
    amountMinor: StoredAmountMinor,
    currency: StoredCurrency,
    timestampMs: StoredInteger,
  }),
  v.transform(({ _id: id, auctionId, sequence, bidderId, amountMinor, currency, timestampMs }): Bid => {
    return { id, auctionId, sequence, bidderId, amountMinor, currency, timestampMs }
  }),
)
type BidDocument = Written<v.InferInput<typeof StoredBid>>

/** The key by which a bid is a commit. It begins with the bucket, as MongoDB asks of a unique index when it shards by that. */
export const bidIndexes: readonly Index[] = [
  { name: 'one-bid-per-sequence', key: { bucket: 1, auctionId: 1, sequence: 1 }, unique: true },
]

// To shard by. The id itself only grows, so that all that is new would go to one shard; one bucket holds the whole of an
// auction, and so does one shard. The number is in every document, and can't change.
const buckets = 64

const ledgerOf = (auctionId: AuctionId) => ({ bucket: int64(auctionId % buckets), auctionId: int64(auctionId) })

const documentOf = (bid: Bid): BidDocument => ({
  _id: int64(bid.id),
  ...ledgerOf(bid.auctionId),
  sequence: int64(bid.sequence),
  bidderId: int64(bid.bidderId),
  amountMinor: int64(bid.amountMinor),
  currency: currencyDocument(bid.currency),
  timestampMs: int64(bid.timestampMs),
})

const parse = (document: BidDocument): Bid => parseDocument(StoredBid, bidsCollection, document)

const newestFirst = { sequence: -1 } as const

/** One document a bid; its `_id` and its index are the two keys that the ledger's port speaks of. */
export function mongoLedger({ connection, ask, maxReadMs: maxTimeMS }: MongoContext): Ledger {
  const bids = () => connection.collection<BidDocument>(bidsCollection)

  return {
    async append(entries) {
      const documents = entries.map(documentOf)
      return { stored: await ask('store bids', () => insertInOrder(bids(), documents)) }
    },

    async head(auctionId) {
      const query = ledgerOf(auctionId)
      const head = await ask("read an auction's last bid", () =>
        bids().findOne(query, { sort: newestFirst, maxTimeMS }),
      )
      return head === null ? undefined : parse(head)
    },

    async find(ids) {
      if (ids.length === 0) return []
      const query = { _id: { $in: ids.map(int64) } }
      const found = await ask('find bids', () => bids().find(query, { batchSize: ids.length, maxTimeMS }).toArray())
      return found.map(parse)
    },

    async page(auctionId, { limit, before }) {
      const query = { ...ledgerOf(auctionId), ...(before !== undefined && { sequence: { $lt: int64(before) } }) }
      const options = { sort: newestFirst, limit, batchSize: limit, maxTimeMS }
      const page = await ask("list an auction's bids", () => bids().find(query, options).toArray())
      return page.map(parse)
    },
  }
}
