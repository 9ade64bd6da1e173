import { type Auction, type AuctionState, endOf, termsOf, wordsOf } from '@auction/domain/auction'
import { isUnreadableStored } from '@auction/domain/errors'
import { changeCountAfter, firstStage, type StageTime, stageAfter } from '@auction/domain/store'
import type { AnyBulkWriteOperation, Collection, Db, Document, Filter } from 'mongodb'
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
  /** Receives, on one line, the indexes that the upgrade waits for, or a document that is unreadable. */
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
  const isWithoutStage = { $or: [{ stage: { $exists: false } }, { corrections: { $exists: false } }] }
  const auctions = await changeAll(database.collection(auctionsCollection), isWithoutStage, (document) =>
    changeOfAuction(database, document, onNotice),
  )
  const isUnlistedBid = { 'event.type': 'bid-placed', bidderId: { $exists: false } }
  const entries = await changeAll(database.collection(entriesCollection), isUnlistedBid, (document) =>
    changeOfBid(document, onNotice),
  )
  for (const [collection, indexes] of indexesOf(deployment)) {
    await dropReplacedIndexes(database, collection, indexes, replacedIndexes[collection] ?? [], timeoutMs)
    await ensureIndexes(database, collection, indexes, timeoutMs, onNotice)
  }
  await recordUpgrade(database, timeoutMs)
  return { auctions, entries }
}

/**
 * Changes all documents that a filter matches, in the order of their ids, and returns their number. An unreadable one gets
 * no field that depends on what it contains, and a notice.
 */
async function changeAll(
  collection: Collection<StoredDocument>,
  filter: Filter<StoredDocument>,
  changeOf: (document: Document) => Promise<Document | undefined>,
): Promise<number> {
  let changed = 0
  let after: Filter<StoredDocument> = {}
  for (;;) {
    const next = collection.find({ ...filter, ...after }, { sort: { _id: 1 }, limit: documentsAtOnce })
    const documents: Document[] = await withinTime(stepMs, next.toArray())
    const last = documents.at(-1)
    if (last === undefined) return changed
    // All reads end before one of them fails the upgrade: a client does not end those in flight when it is closed.
    const settled = await Promise.allSettled(documents.map(changeOf))
    const operations = settled.flatMap((outcome, index): AnyBulkWriteOperation<StoredDocument>[] => {
      if (outcome.status === 'rejected') throw outcome.reason
      if (outcome.value === undefined) return []
      return [{ updateOne: { filter: keyOf(documents[index] as Document), update: outcome.value } }] // One for each.
    })
    if (operations.length > 0) await withinTime(stepMs, collection.bulkWrite(operations, { ordered: false }))
    changed += operations.length
    after = { _id: { $gt: int64(last['_id']) } }
  }
}

/** The shard key of entries finds the document on its shard. */
const keyOf = ({ _id, bucket, auctionId }: Document): Filter<StoredDocument> => ({
  _id: int64(_id),
  ...(bucket !== undefined && { bucket: int64(bucket), auctionId: int64(auctionId) }),
})

/** What a bid gets: its bidder, by whom lists find it. */
async function changeOfBid({ _id, event }: Document, onNotice: (text: string) => void): Promise<Document | undefined> {
  if (Number.isSafeInteger(event.bidderId)) return { $set: { bidderId: int64(event.bidderId) } }
  onNotice(`MongoDB: the bid ${String(_id)} has an invalid bidder, so it is in no list of a bidder's bids`)
  return undefined
}

/** What an auction gets: its time on the agenda or how it ended, by its ledger, and the words of its title. */
async function changeOfAuction(
  database: Db,
  document: Document,
  onNotice: (text: string) => void,
): Promise<Document | undefined> {
  const $unset = { dueMs: '', endedMs: '' }
  const staged = ({ stage, timeMs }: StageTime, corrections: number) => ({
    ...{ stage, stageMs: int64(timeMs), corrections: int64(corrections) },
  })
  try {
    const auction = parseAuction(document)
    const entries = database.collection(entriesCollection)
    const head = await withinTime(stepMs, entries.findOne(ledgerOf(auction.id), { sort: { sequence: -1 } }))
    const state = head === null ? undefined : parseEntry(head).state
    const words = wordsOf(auction.title ?? '')
    const $addToSet = words.length > 0 && { $addToSet: { words: { $each: words } } }
    if (state?.phase !== 'closed')
      return {
        $set: staged(state === undefined ? firstStage(auction) : stageOf(auction, state), 0),
        $unset,
        ...$addToSet,
      }
    const end = { auctionId: auction.id, ...endOf(termsOf(auction), state) }
    return { $set: staged(stageAfter(end), changeCountAfter(end)), $unset, ...$addToSet }
  } catch (error) {
    if (!isUnreadableStored(error)) throw error
    onNotice(`MongoDB: ${error.message}; the auction is due at once, and each look at it reports this`)
    return { $set: staged({ stage: 'open', timeMs: 0 }, 0), $unset }
  }
}

/**
 * The closer opens an auction that has started, and moves one with a later end. If its start or end were corrected or
 * repaired, which may be to an earlier one, it is due at once: the closer gives it its time then.
 */
const stageOf = (auction: Auction, state: AuctionState): StageTime =>
  state.corrections === undefined && state.repairs === undefined
    ? firstStage(auction)
    : { stage: 'open', timeMs: state.atMs }
