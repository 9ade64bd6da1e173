import { createGroupCommit } from '@auction/domain/group-commit'
import type { AuctionId } from '@auction/domain/ids'
import type { Entry } from '@auction/domain/ledger/entry'
import type { CallSignal, Store } from '@auction/domain/store'
import { parseStoredEntry, storedVersion } from '@auction/domain/stored'
import type { Document, Filter } from 'mongodb'
import type { MongoContext } from './context.ts'
import { bucketOf, buckets, type Deployment, groupingOf } from './deployment.ts'
import { fromStored, int64, type StoredDocument, toStored } from './documents.ts'
import { inParallel } from './in-parallel.ts'
import type { Index } from './indexes.ts'
import { insertInOrder } from './insert-in-order.ts'

export const entriesCollection = 'entries'

/**
 * The keys of entries, beside their `_id`. They begin with the bucket where the collection may be sharded by it, as MongoDB asks
 * of every unique index there. A compound index that is sparse takes entries without a key for twins, so it is partial instead;
 * elsewhere it is sparse, since not every server that speaks MongoDB's protocol has partial indexes.
 */
export const entryIndexes = (deployment: Deployment): readonly Index[] => [
  { name: 'one-entry-per-sequence', key: { bucket: 1, auctionId: 1, sequence: 1 }, unique: true },
  deployment === 'sharded-cluster'
    ? {
        name: 'one-entry-per-bucket-and-request-key',
        key: { bucket: 1, requestKey: 1 },
        unique: true,
        partialFilterExpression: { requestKey: { $exists: true } },
      }
    : { name: 'one-entry-per-request-key', key: { requestKey: 1 }, unique: true, sparse: true },
]

const ledgerOf = (auctionId: AuctionId) => ({ bucket: int64(bucketOf(auctionId)), auctionId: int64(auctionId) })

const documentOf = ({ id, auctionId, sequence, atMs, requestKey, currency, event, state }: Entry): StoredDocument => ({
  _id: int64(id),
  ...ledgerOf(auctionId),
  sequence: int64(sequence),
  atMs: int64(atMs),
  ...(requestKey !== undefined && { requestKey }),
  version: int64(storedVersion),
  currency: toStored(currency),
  event: toStored(event),
  state: toStored(state),
})

const parse = (document: Document): Entry => parseStoredEntry(fromStored(document))

/**
 * Servers that only speak MongoDB's protocol may go on behind a taken key where there are more, as FerretDB 1.24 does: that would
 * store entries whose predecessors are another's.
 */
const maxEntriesPerInsert = 100

const newestFirst = { sequence: -1 } as const

type EntryPart = Pick<Store, 'append' | 'findHeads' | 'findEntries' | 'findEntriesByKey' | 'listEntries'>

/** One document an entry; inserting it is the commit. */
export function createMongoEntries(context: MongoContext): EntryPart {
  const { connection, driverCall, deployment, maxReadMs: maxTimeMS, readsAtOnce } = context
  const entries = () => connection.collection<StoredDocument>(entriesCollection)

  /** An ordered insert stops at the first taken key. That ends the list which has it, and what is behind goes into the next one. */
  async function write(appends: readonly (readonly Entry[])[]): Promise<readonly number[]> {
    const stored = appends.map(() => 0)
    let left = appends.flatMap((list, index) => list.map((entry) => ({ index, document: documentOf(entry) })))
    while (left.length > 0) {
      const documents = left.slice(0, maxEntriesPerInsert).map(({ document }) => document)
      const count = await driverCall('store entries', () => insertInOrder(entries(), documents))
      for (const { index } of left.slice(0, count)) stored[index] = (stored[index] ?? 0) + 1
      const stopped = count < documents.length ? left[count]?.index : undefined
      left = left.slice(count).filter(({ index }) => index !== stopped)
    }
    return stored
  }

  const { groups, maxWrites, maxContendedWrites } = groupingOf(deployment)
  const parts = {
    write,
    maxEntries: maxEntriesPerInsert,
    maxWrites,
    maxContendedWrites,
    maxContendedEntries: 1,
  }
  const groupCommits = Array.from({ length: groups }, () => createGroupCommit(parts))

  /** Entries of which there is one for each of `count` keys. */
  async function findAll(what: string, query: Filter<StoredDocument>, count: number, signal?: CallSignal) {
    if (count === 0) return []
    // With room for one more, so that the first batch is seen to be the last.
    const options = { batchSize: count + 1, maxTimeMS }
    return (await driverCall(what, () => entries().find(query, options).toArray(), signal)).map(parse)
  }

  return {
    append(list, options) {
      const groupCommit = groupCommits[(list[0]?.auctionId ?? 0) % groups] as Store['append'] // There is one for each remainder.
      return connection.during(groupCommit(list, options))
    },

    async findHeads(auctionIds, signal) {
      // MongoDB has no query for the last of each that goes by the index alone and that other servers know too.
      const options = { sort: newestFirst, maxTimeMS }
      const findHead = (auctionId: AuctionId) => entries().findOne(ledgerOf(auctionId), options)
      const findHeads = () => inParallel(readsAtOnce, auctionIds, findHead)
      const heads = await driverCall('read the heads of ledgers', findHeads, signal)
      return heads.filter((head) => head !== null).map(parse)
    },

    findEntries: async (ids, signal) => findAll('find entries', { _id: { $in: ids.map(int64) } }, ids.length, signal),

    async findEntriesByKey(keys, signal) {
      // The index of keys begins with the bucket there, and could not be used without it.
      const where = deployment === 'sharded-cluster' ? { bucket: anyBucket } : {}
      return findAll('find entries by key', { ...where, requestKey: { $in: [...keys] } }, keys.length, signal)
    },

    async listEntries(auctionId, { limit, before, signal }) {
      const query = { ...ledgerOf(auctionId), ...(before !== undefined && { sequence: { $lt: int64(before) } }) }
      const options = { sort: newestFirst, limit, batchSize: limit, maxTimeMS }
      const find = () => entries().find(query, options).toArray()
      return (await driverCall("list an auction's entries", find, signal)).map(parse)
    },
  }
}

const anyBucket = { $in: Array.from({ length: buckets }, (_, bucket) => int64(bucket)) }
