import { UnreadableStoredError } from '@auction/domain/errors'
import {
  type AuctionPosition,
  type AuctionQuery,
  type CallSignal,
  type ListedItem,
  maxScannedAuctions,
} from '@auction/domain/store'
import { readEach } from '@auction/domain/stored'
import type { Document, FindOptions } from 'mongodb'
import { splitSearch } from '../shared/search-words.ts'
import type { AuctionListPart } from '../shared/store-parts.ts'
import { auctionsCollection, parseAuction } from './auctions.ts'
import type { MongoContext } from './context.ts'
import { int64, integerAt, integerIn, type StoredDocument } from './documents.ts'
import type { Index } from './indexes.ts'

/** An order of auctions: by a time, then by id, both ascending (1) or both descending (-1). */
type Order = { readonly timeField: 'createdAtMs' | 'dueMs' | 'endedMs' | 'atMs'; readonly direction: 1 | -1 }

// Each index contains `dueMs`, so that the server need not fetch auctions to find the open ones.
const newest = namedIndexes('newest', { createdAtMs: -1, _id: -1, dueMs: 1 })
const agenda = namedIndexes('soonest-due', { dueMs: 1, _id: 1 })
const ended: Index = { name: 'latest-ended-first', key: { endedMs: -1, _id: -1, ownerId: 1, productId: 1 } }
/** Searches use this index, which has each word of a title. */
const ofWord: Index = { name: 'newest-of-word-first', key: { words: 1, createdAtMs: -1, _id: -1 } }

const orders = {
  newest: { timeField: 'createdAtMs', direction: -1 },
  agenda: { timeField: 'dueMs', direction: 1 },
  ended: { timeField: 'endedMs', direction: -1 },
} as const

function namedIndexes(name: string, key: Index['key']) {
  return {
    ofAll: { name: `${name}-first`, key },
    ofOwner: { name: `${name}-of-owner-first`, key: { ownerId: 1, ...key } },
    ofProduct: { name: `${name}-of-product-first`, key: { productId: 1, ...key } },
  } satisfies Record<string, Index>
}

export const auctionListIndexes: readonly Index[] = [...Object.values(newest), ...Object.values(agenda), ended, ofWord]

type Place = { readonly timeMs: number; readonly id: number }

/** How auctions are listed: by which index, in which range of it, and with which filter. */
type ListPlan = Order & {
  readonly index: Index
  /** The condition on the field of the index before its time. */
  readonly prefix: Document
  readonly after: Place | undefined
  /** The last place of the range, if it has one. */
  readonly until: Place | undefined
  /** The condition that only some auctions of the range match; undefined if all match. */
  readonly filter: Document | undefined
}

function planOf(query: AuctionQuery): ListPlan {
  const { order, after, dueByMs } = query
  const { index, prefix, filter } = rangeOf(query)
  return {
    ...orders[order],
    index,
    prefix,
    after,
    until: order === 'agenda' && dueByMs !== undefined ? { timeMs: dueByMs, id: Number.MAX_SAFE_INTEGER } : undefined,
    filter: Object.keys(filter).length > 0 ? filter : undefined,
  }
}

type Range = Pick<ListPlan, 'index' | 'prefix'> & { readonly filter: Document }

function rangeOf({ order, onlyOpen, words, ownerId, productId }: AuctionQuery): Range {
  const owner = ownerId === undefined ? undefined : { ownerId: int64(ownerId) }
  const product = productId === undefined ? undefined : { productId: int64(productId) }
  const open = order === 'newest' && onlyOpen === true ? { dueMs: anyNumber[1] } : undefined
  if (words !== undefined) {
    const { longest, others } = splitSearch(words)
    const otherWords = others.length > 0 && { $and: others.map((word) => ({ words: word })) }
    const filter = { ...owner, ...product, ...open, ...otherWords }
    return { index: ofWord, prefix: { words: longest }, filter }
  }
  if (order === 'ended') return { index: ended, prefix: {}, filter: { ...owner, ...product } }
  const indexes = order === 'newest' ? newest : agenda
  if (owner) return { index: indexes.ofOwner, prefix: owner, filter: { ...product, ...open } }
  return { index: product ? indexes.ofProduct : indexes.ofAll, prefix: product ?? {}, filter: { ...open } }
}

// These limits omit documents without a time, which would be listed: a missing field sorts before all numbers.
const anyNumber = {
  '1': { $gte: int64(Number.MIN_SAFE_INTEGER) },
  '-1': { $lte: int64(Number.MAX_SAFE_INTEGER) },
} as const

const operators = {
  '1': { after: '$gt', before: '$lt', upTo: '$lte' },
  '-1': { after: '$lt', before: '$gt', upTo: '$gte' },
} as const

/**
 * The auctions of a plan: several queries, exactly one of which matches each listed auction. Each query is one interval
 * of the index, so the server merges the intervals without a sort.
 */
export function queryOf({ timeField, direction, prefix, after, until, filter }: Omit<ListPlan, 'index'>): Document {
  const { after: later, before, upTo } = operators[direction]
  const afterId = after && { [later]: int64(after.id) }
  const upToId = until && { [upTo]: int64(until.id) }
  const isOneTime = after !== undefined && after.timeMs === until?.timeMs
  const times = {
    ...(after ? { [later]: int64(after.timeMs) } : anyNumber[direction]),
    ...(until && { [before]: int64(until.timeMs) }),
  }
  const intervals = isOneTime
    ? [{ [timeField]: int64(after.timeMs), _id: { ...afterId, ...upToId } }]
    : [
        ...(after ? [{ [timeField]: int64(after.timeMs), _id: afterId }] : []),
        { [timeField]: times },
        ...(until ? [{ [timeField]: int64(until.timeMs), _id: upToId }] : []),
      ]
  const [first, ...others] = intervals.map((interval) => ({ ...prefix, ...interval, ...filter }))
  return others.length === 0 ? { ...first } : { $or: [first, ...others] }
}

type What = Pick<FindOptions, 'skip' | 'projection'> & { readonly limit: number }

/**
 * Lists auctions along one index, in its order. With a filter, a first query finds the end of the allowed range in the
 * index, and a second one the matches up to that end.
 */
export function createMongoAuctionLists(context: MongoContext): AuctionListPart {
  const { connection, driverCall, maxReadMs: maxTimeMS } = context

  function find(plan: ListPlan, what: What, signal: CallSignal | undefined): Promise<Document[]> {
    const { index, timeField, direction } = plan
    const sort = { [timeField]: direction, _id: direction }
    // The hint keeps the server from another index and a sort.
    const options = { hint: index.name, sort, ...what, batchSize: what.limit, maxTimeMS }
    const auctions = () => connection.collection<StoredDocument>(auctionsCollection)
    return driverCall('list auctions', () => auctions().find(queryOf(plan), options).toArray(), signal)
  }

  /** The place of the last auction that may be examined, if more auctions follow. */
  async function findScanEnd(plan: ListPlan, signal: CallSignal | undefined): Promise<Place | undefined> {
    const projection = { _id: 1, [plan.timeField]: 1 }
    const what = { skip: maxScannedAuctions - 1, limit: 2, projection }
    const [last, following] = await find({ ...plan, filter: undefined }, what, signal)
    return last && following && placeOf(plan, last)
  }

  return {
    async listAuctions({ signal, ...query }) {
      const plan = planOf(query)
      const { after, until, filter } = plan
      if (after && until && after.timeMs > until.timeMs) return { items: [], next: undefined }
      const scanEnd = filter && (await findScanEnd(plan, signal))
      const limit = Math.min(query.limit, maxScannedAuctions)
      // One more auction shows whether another page exists.
      const what = { limit: limit + 1, projection: { description: 0, words: 0 } }
      const documents = await find({ ...plan, until: scanEnd ?? until }, what, signal)
      const page = documents.slice(0, limit)
      const { values: items, unreadable } = readEach(page, (document) => itemOf(query.order, plan, document))
      const end = documents.length > limit ? lastPlace(plan, page) : scanEnd
      // The cast: the id is that of an auction that was read.
      const next = end && ({ order: query.order, ...end } as AuctionPosition)
      return unreadable.length === 0 ? { items, next } : { items, next, unreadable }
    },
  }
}

function itemOf(order: AuctionPosition['order'], { timeField }: ListPlan, document: Document): ListedItem {
  const auction = parseAuction(document)
  const timeMs = integerAt(document, timeField)
  if (timeMs === undefined) throw new UnreadableStoredError('auction', auction, `an invalid field ${timeField}`)
  return { auction, position: { order, timeMs, id: auction.id } }
}

const placeOf = ({ timeField }: ListPlan, document: Document): Place => ({
  timeMs: integerIn(document, auctionsCollection, timeField),
  id: integerIn(document, auctionsCollection, '_id'),
})

/** The place of the last document of a page with a valid place. */
const lastPlace = (plan: ListPlan, page: readonly Document[]): Place => {
  const isPlaced = (document: Document) =>
    [plan.timeField, '_id'].every((field) => integerAt(document, field) !== undefined)
  return placeOf(plan, page.findLast(isPlaced) ?? { ...page.at(-1) })
}
