import { endOf, termsOf, wordsOf } from '@auction/domain/auction'
import { correctionsOf, firstStage, stageAfter } from '@auction/domain/store'
import type { AnyBulkWriteOperation, Db, Document, Filter } from 'mongodb'
import { auctionsCollection, parseAuction } from './auctions.ts'
import { defaultTimeoutMs, withClients, withDatabase } from './clients.ts'
import { indexesOf } from './collections.ts'
import type { Deployment } from './deployment.ts'
import { int64, type StoredDocument } from './documents.ts'
import { withinTime } from './driver-call.ts'
import { entriesCollection, ledgerOf, parseEntry } from './entries.ts'
import { databaseFormat, otherFormat, readFormat, recordUpgrade, upgradableFormat } from './format.ts'
import { dropReplacedIndexes, ensureIndexes, maxIndexBuildMs } from './indexes.ts'

/** How many documents got fields that format 3 did not have. */
export type MongoUpgrade = { readonly auctions: number; readonly entries: number }

type UpgradeOptions = {
  /** The time limit of connecting, in milliseconds. */
  readonly timeoutMs?: number
  /** Receives, on one line, the indexes that the upgrade waits for. */
  readonly onNotice?: (text: string) => void
}

const documentsAtOnce = 100
/** The time limit of a step: servers that only support MongoDB's protocol scan whole collections. */
const stepMs = 10 * 60_000

/** Indexes that only format 3 used. */
const replacedIndexes: Readonly<Record<string, readonly string[]>> = {
  [auctionsCollection]: [
    'soonest-due-first',
    'soonest-due-of-owner-first',
    'soonest-due-of-product-first',
    'latest-ended-first',
  ],
  [entriesCollection]: ['one-entry-per-bucket-and-request-key'],
}

/**
 * Upgrades a database of format 3 to the format of this version, while no server uses it. Format 3 had auctions without
 * `stage`, `stageMs`, `corrections` and `words`, and bids without `bidderId`: those would be in no list, and never get a
 * result. Interrupted, it continues when it is called again.
 * @returns undefined if the database has the format of this version already, or no data
 * @throws Error like `connectMongoStore`, also for data of other formats
 */
export const upgradeMongoDatabase = (
  uri: string,
  { timeoutMs = defaultTimeoutMs, onNotice = () => undefined }: UpgradeOptions = {},
): Promise<MongoUpgrade | undefined> =>
  withClients(uri, timeoutMs, ({ openWith, databaseOf }) =>
    withDatabase(openWith(documentsAtOnce, maxIndexBuildMs), databaseOf, timeoutMs, async (database, deployment) => {
      const format = await readFormat(database, timeoutMs)
      if (format === undefined || format === databaseFormat) return undefined
      if (format !== upgradableFormat) throw new Error(otherFormat(database, format))
      return upgrade(database, deployment, timeoutMs, onNotice)
    }),
  )

async function upgrade(
  database: Db,
  deployment: Deployment,
  timeoutMs: number,
  onNotice: (text: string) => void,
): Promise<MongoUpgrade> {
  const isWithoutPlace = { $or: [{ stage: { $exists: false } }, { corrections: { $exists: false } }] }
  const auctions = await changeAll(database, auctionsCollection, isWithoutPlace, (document) =>
    changeOfAuction(database, document),
  )
  const isUnlistedBid = { 'event.type': 'bid-placed', bidderId: { $exists: false } }
  const entries = await changeAll(database, entriesCollection, isUnlistedBid, async ({ event }) => ({
    $set: { bidderId: int64(event.bidderId) },
  }))
  for (const [collection, indexes] of indexesOf(deployment)) {
    await dropReplacedIndexes(database, collection, indexes, replacedIndexes[collection] ?? [], timeoutMs)
    await ensureIndexes(database, collection, indexes, timeoutMs, onNotice)
  }
  await recordUpgrade(database, timeoutMs)
  return { auctions, entries }
}

/** Changes all documents that a filter matches, in the order of their ids, and returns their number. */
async function changeAll(
  database: Db,
  name: string,
  filter: Filter<StoredDocument>,
  changeOf: (document: Document) => Promise<Document>,
): Promise<number> {
  const collection = database.collection<StoredDocument>(name)
  let changed = 0
  let after: Filter<StoredDocument> = {}
  for (;;) {
    const next = collection.find({ ...filter, ...after }, { sort: { _id: 1 }, limit: documentsAtOnce })
    const documents: Document[] = await withinTime(stepMs, next.toArray())
    const last = documents.at(-1)
    if (last === undefined) return changed
    const operations = await Promise.all(
      documents.map(async (document): Promise<AnyBulkWriteOperation<StoredDocument>> => {
        const { _id, bucket, auctionId } = document
        // The shard key of entries finds the document on its shard.
        const key = bucket === undefined ? {} : { bucket: int64(bucket), auctionId: int64(auctionId) }
        return { updateOne: { filter: { _id: int64(_id), ...key }, update: await changeOf(document) } }
      }),
    )
    await withinTime(stepMs, collection.bulkWrite(operations, { ordered: false }))
    changed += documents.length
    after = { _id: { $gt: int64(last['_id']) } }
  }
}

/** What an auction gets: its place on the agenda or how it ended, by its ledger, and the words of its title. */
async function changeOfAuction(database: Db, document: Document): Promise<Document> {
  const auction = parseAuction(document)
  const entries = database.collection(entriesCollection)
  const head = await withinTime(stepMs, entries.findOne(ledgerOf(auction.id), { sort: { sequence: -1 } }))
  const state = head === null ? undefined : parseEntry(head).state
  const end = state?.phase === 'closed' && { auctionId: auction.id, ...endOf(termsOf(auction), state) }
  // The closer opens an auction that has started, and moves one whose end has moved.
  const { stage, timeMs } = end ? stageAfter(end) : firstStage(auction)
  const words = document['words'] ?? wordsOf(auction.title ?? '')
  return {
    $set: {
      stage,
      stageMs: int64(timeMs),
      corrections: int64(end ? correctionsOf(end) : 0),
      ...(words.length > 0 && { words }),
    },
    $unset: { dueMs: '', endedMs: '' },
  }
}
