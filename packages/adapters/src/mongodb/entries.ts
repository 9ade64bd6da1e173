import { createGroupCommit } from '@auction/domain/batching'
import { StoreUnavailableError } from '@auction/domain/errors'
import type { AuctionId } from '@auction/domain/ids'
import { bidderOf, type Entry, type EntryLookup, type Store } from '@auction/domain/store'
import { parseStoredEntry, versionOfEntry } from '@auction/domain/stored'
import type { Document, Filter } from 'mongodb'
import type { EntryPart } from '../shared/store-parts.ts'
import { queryOf } from './auction-lists.ts'
import type { Connection } from './connection.ts'
import type { MongoContext } from './context.ts'
import { bucketOf, bucketReadsAtOnce, type Deployment, groupingOf } from './deployment.ts'
import { fromStored, int64, type StoredDocument, toStored } from './documents.ts'
import type { Index } from './indexes.ts'
import { insert } from './writes.ts'

export const entriesCollection = 'entries'

/**
 * The keys of entries, in addition to `_id`. On a sharded cluster they begin with the bucket and the auction, which are
 * the shard key, because MongoDB requires it in every unique index. So a key of a request is unique in its auction
 * there. A sparse compound index treats entries without a key as duplicates, so it is partial there; elsewhere it is
 * sparse, because not every server with MongoDB's protocol supports partial indexes.
 */
export const entryIndexes = (deployment: Deployment): readonly Index[] => [
  { name: 'one-entry-per-sequence', key: { bucket: 1, auctionId: 1, sequence: 1 }, unique: true },
  deployment === 'sharded-cluster'
    ? {
        name: 'one-entry-per-auction-and-request-key',
        key: { bucket: 1, auctionId: 1, requestKey: 1 },
        unique: true,
        partialFilterExpression: { requestKey: { $exists: true } },
      }
    : { name: 'one-entry-per-request-key', key: { requestKey: 1 }, unique: true, sparse: true },
  bidsOfBidder,
]

/**
 * This index is not sparse: a sparse compound index has every document that has one of its fields, and a partial one is
 * not supported everywhere. So it also has the few entries that are neither bids nor purchases, without a bidder. It does not begin with
 * the bucket: a list queries every shard, each of which returns at most one page; with the bucket, each shard would
 * merge the intervals of 64 buckets.
 */
const bidsOfBidder: Index = { name: 'bids-of-bidder', key: { bidderId: 1, atMs: -1, _id: -1 } }

export const ledgerOf = (auctionId: AuctionId) => ({ bucket: int64(bucketOf(auctionId)), auctionId: int64(auctionId) })

/** The entries of several auctions. */
const ledgersOf = (auctionIds: readonly AuctionId[]) => ({
  bucket: { $in: [...new Set(auctionIds.map(bucketOf))].map(int64) },
  auctionId: { $in: [...new Set(auctionIds)].map(int64) },
})

function documentOf(entry: Entry): StoredDocument {
  const { id, auctionId, sequence, atMs, requestKey, ...others } = entry
  const bidderId = bidderOf(entry)
  return {
    _id: int64(id),
    ...ledgerOf(auctionId),
    sequence: int64(sequence),
    atMs: int64(atMs),
    // Lists of a bidder's bids use this field. Other entries do not have it.
    ...(bidderId !== undefined && { bidderId: int64(bidderId) }),
    ...(requestKey !== undefined && { requestKey }),
    version: int64(versionOfEntry(entry)),
    ...Object(toStored(others)),
  }
}

export const parseEntry = (document: Document): Entry => parseStoredEntry(fromStored(document))

/**
 * Some servers that only support MongoDB's protocol, such as FerretDB 1.24, continue after a taken key: that would
 * store entries after a gap.
 */
const maxEntriesPerInsert = 100

const newestFirst = { sequence: -1 } as const

/**
 * A taken key ends its list. If each list has one entry, an unordered insert stores all others. An ordered insert stops
 * at the key, and the next insert stores the entries after it.
 */
async function write(context: MongoContext, appends: readonly (readonly Entry[])[]): Promise<readonly number[]> {
  const { connection, driverCall } = context
  const stored = appends.map(() => 0)
  let left = appends.flatMap((list, index) => list.map((entry) => ({ index, document: documentOf(entry) })))
  while (left.length > 0) {
    const group = left.slice(0, maxEntriesPerInsert)
    const documents = group.map(({ document }) => document)
    const isOrdered = new Set(group.map(({ index }) => index)).size < group.length
    const taken = await driverCall('store entries', () => insert(entriesOf(connection), documents, isOrdered))
    const done = isOrdered ? (taken[0] ?? group.length) : group.length
    const storedAt = group.slice(0, done).filter((_, at) => !taken.includes(at))
    if (taken.length > 0)
      await requireMajority(
        context,
        storedAt.map(({ document }) => document),
      )
    for (const { index } of storedAt) stored[index] = (stored[index] ?? 0) + 1
    const ended = new Set(taken.map((at) => group[at]?.index))
    left = left.slice(done).filter(({ index }) => !ended.has(index))
  }
  return stored
}

/**
 * Routers before 8.1.2 may report a taken key without the error of a write that no majority has acknowledged. So on a
 * sharded cluster, the documents that were stored with a taken key are read back: reads return what a majority has.
 * @throws StoreUnavailableError if one is missing
 */
async function requireMajority(context: MongoContext, documents: readonly StoredDocument[]): Promise<void> {
  const { connection, driverCall, deployment, maxReadMs: maxTimeMS } = context
  if (deployment !== 'sharded-cluster' || documents.length === 0) return
  const anyOf = (field: string) => ({ $in: documents.map((document) => document[field]) })
  const query = { bucket: anyOf('bucket'), auctionId: anyOf('auctionId'), _id: anyOf('_id') }
  const options = { projection: { _id: 1 }, batchSize: documents.length + 1, maxTimeMS }
  const find = () => entriesOf(connection).find(query, options).toArray()
  const found = await driverCall('read stored entries back', find)
  if (found.length === documents.length) return
  const cause = new Error('no majority of the members has acknowledged them')
  throw new StoreUnavailableError('MongoDB could not store entries', { cause })
}

const entriesOf = (connection: Connection) => connection.collection<StoredDocument>(entriesCollection)

/** Each entry is one document, and its insert is the commit. */
export function createMongoEntries(context: MongoContext): EntryPart & Pick<Store, 'partOf'> {
  const { connection, driverCall, listCall, deployment, maxReadMs: maxTimeMS, readsAtOnce } = context
  const entries = () => entriesOf(connection)

  const { groups, maxWrites, maxContendedWrites } = groupingOf(deployment)
  const parts = {
    write: (appends: readonly (readonly Entry[])[]) => write(context, appends),
    maxEntries: maxEntriesPerInsert,
    maxWrites,
    maxContendedWrites,
    maxContendedEntries: 1,
  }
  const groupCommits = Array.from({ length: groups }, () => createGroupCommit(parts))

  /** Finds at most one entry for each of `count` keys. On a sharded cluster, the auctions select the shards. */
  async function findAll(
    what: string,
    keys: Filter<StoredDocument>,
    count: number,
    { auctionIds, signal }: EntryLookup,
  ) {
    if (count === 0) return []
    const where = deployment === 'sharded-cluster' && auctionIds !== undefined ? ledgersOf(auctionIds) : {}
    // One more than needed, so that the server ends the cursor with the first batch.
    const options = { batchSize: count + 1, maxTimeMS }
    return (
      await driverCall(
        what,
        () =>
          entries()
            .find({ ...where, ...keys }, options)
            .toArray(),
        signal,
      )
    ).map(parseEntry)
  }

  return {
    ...(deployment === 'sharded-cluster' && { partOf: bucketOf }),

    append(list, options) {
      // The cast: one exists for each remainder.
      const groupCommit = groupCommits[(list[0]?.auctionId ?? 0) % groups] as Store['append']
      return connection.during(groupCommit(list, options))
    },

    async findHeads(auctionIds, signal) {
      // No query for the last entry of each auction both uses only the index and works on other servers.
      const options = { sort: newestFirst, maxTimeMS }
      const findHead = (auctionId: AuctionId) => entries().findOne(ledgerOf(auctionId), options)
      const isOfBucket = deployment === 'sharded-cluster' && new Set(auctionIds.map(bucketOf)).size === 1
      const findHeads = () => inParallel(isOfBucket ? bucketReadsAtOnce : readsAtOnce, auctionIds, findHead)
      const heads = await driverCall('read the heads of ledgers', findHeads, signal)
      return heads.filter((head) => head !== null).map(parseEntry)
    },

    findEntries: async (ids, lookup = {}) =>
      findAll('find entries', { _id: { $in: ids.map(int64) } }, ids.length, lookup),

    findEntriesByKey: (keys, lookup = {}) =>
      findAll('find entries by key', { requestKey: { $in: [...keys] } }, keys.length, lookup),

    async listEntries(auctionId, { limit, before, signal }) {
      const query = { ...ledgerOf(auctionId), ...(before !== undefined && { sequence: { $lt: int64(before) } }) }
      const options = { sort: newestFirst, limit, batchSize: limit, maxTimeMS }
      const find = () => entries().find(query, options).toArray()
      return (await listCall("list an auction's entries", find, signal)).map(parseEntry)
    },

    async listBidderEntries(bidderId, { limit, after, signal }) {
      const prefixes = [{ bidderId: int64(bidderId) }]
      const query = queryOf({ timeField: 'atMs', direction: -1, prefixes, after, until: undefined, filter: undefined })
      const sort = { atMs: -1, _id: -1 } as const
      const options = { hint: bidsOfBidder.name, sort, limit, batchSize: limit, maxTimeMS }
      const find = () => entries().find(query, options).toArray()
      return (await listCall("list a bidder's entries", find, signal)).map(parseEntry)
    },
  }
}

/** Maps items to values, in their order, with limited concurrency. After an error it starts no other. */
async function inParallel<Item, Value>(
  atOnce: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Value>,
): Promise<readonly Value[]> {
  const values: Value[] = []
  const rest = (function* () {
    yield* items.entries()
  })()
  // The loops share a generator, which an error in one loop ends.
  const workOff = async () => {
    for (const [index, item] of rest) values[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, workOff))
  return values
}
