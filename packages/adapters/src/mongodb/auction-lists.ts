import { UnreadableStoredError } from '@auction/domain/errors'
import {
  type AuctionPosition,
  type AuctionQuery,
  type CallSignal,
  givenKeys,
  type ListedItem,
  type ListKey,
  type ListKeys,
  type ListSource,
  listKeys,
  maxScannedAuctions,
  shortestSource,
} from '@auction/domain/store'
import { readEach } from '@auction/domain/stored'
import type { Document, FindOptions } from 'mongodb'
import type { AuctionListPart } from '../shared/store-parts.ts'
import { auctionsCollection, parseAuction } from './auctions.ts'
import type { MongoContext } from './context.ts'
import { int64, integerAt, integerIn, type StoredDocument } from './documents.ts'
import type { Index } from './indexes.ts'

/** An order of auctions: by a time, then by id, both ascending (1) or both descending (-1). */
type Order = { readonly timeField: 'createdAtMs' | 'stageMs' | 'atMs'; readonly direction: 1 | -1 }

// Lists of several stages, or of all, merge ranges of an index.
const newest = namedIndexes('newest', { stage: 1, createdAtMs: -1, _id: -1 })
const byStage = namedIndexes('by-stage', { stage: 1, stageMs: 1, _id: 1 })
/** Searches use this index, which has each word of a title. */
const ofWord: Index = { name: 'newest-of-word-first', key: { words: 1, createdAtMs: -1, _id: -1 } }

const orders = {
  newest: { timeField: 'createdAtMs', direction: -1 },
  agenda: { timeField: 'stageMs', direction: 1 },
  ended: { timeField: 'stageMs', direction: -1 },
} as const

/** The index of all auctions, and one for each list key. */
function namedIndexes(name: string, key: Index['key']): ReadonlyMap<ListKey | undefined, Index> {
  const ofKeys = listKeys.map(
    (listKey) =>
      [listKey, { name: `${name}-of-${listKey.replace(/Id$/, '')}-first`, key: { [listKey]: 1, ...key } }] as const,
  )
  return new Map<ListKey | undefined, Index>([[undefined, { name: `${name}-first`, key }], ...ofKeys])
}

export const auctionListIndexes: readonly Index[] = [...newest.values(), ...byStage.values(), ofWord]

type Position = { readonly timeMs: number; readonly id: number }

/** How auctions are listed: by which ranges of which index, and with which filter. */
type ListPlan = Order & {
  readonly index: Index
  /** The conditions on the fields of the index before its time, one for each range. */
  readonly prefixes: readonly Document[]
  readonly after: Position | undefined
  /** The last position of the ranges, if they have one. */
  readonly until: Position | undefined
  /** The condition that only some auctions of the ranges match; undefined if all match. */
  readonly filter: Document | undefined
}

function planOf(query: AuctionQuery, source: ListSource): ListPlan {
  const { order, after, dueByMs } = query
  return {
    ...orders[order],
    ...rangesOf(order, source),
    after,
    until: dueByMs === undefined ? undefined : { timeMs: dueByMs, id: Number.MAX_SAFE_INTEGER },
    filter: filterOf(source),
  }
}

function rangesOf(order: AuctionQuery['order'], { of }: ListSource): Pick<ListPlan, 'index' | 'prefixes'> {
  if ('word' in of) return { index: ofWord, prefixes: [{ words: of.word }] }
  const index = (order === 'newest' ? newest : byStage).get(givenKeys(of)[0]?.[0]) as Index // Each list key has one.
  return { index, prefixes: of.stages.map((stage) => ({ ...sameAs(of), stage })) }
}

function filterOf({ filter: { words, stages, ...same } }: ListSource): Document | undefined {
  const filter = {
    ...sameAs(same),
    ...(stages && { stage: { $in: [...stages] } }),
    ...(words.length > 0 && { $and: words.map((word) => ({ words: word })) }),
  }
  return Object.keys(filter).length > 0 ? filter : undefined
}

const sameAs = (keys: ListKeys): Document =>
  Object.fromEntries(givenKeys(keys).map(([key, value]) => [key, int64(value)]))

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
export function queryOf({ timeField, direction, prefixes, after, until, filter }: Omit<ListPlan, 'index'>): Document {
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
  const [first, ...others] = prefixes.flatMap((prefix) =>
    intervals.map((interval) => ({ ...prefix, ...interval, ...filter })),
  )
  return others.length === 0 ? { ...first } : { $or: [first, ...others] }
}

type What = Pick<FindOptions, 'skip' | 'projection'> & { readonly limit: number }

/** Lists auctions along one index, in its order. */
export function createMongoAuctionLists(context: MongoContext): AuctionListPart {
  const { connection, driverCall, maxReadMs: maxTimeMS } = context
  const auctions = () => connection.collection<StoredDocument>(auctionsCollection)

  async function count(query: AuctionQuery, source: ListSource): Promise<number> {
    const plan = planOf(query, source)
    if (isEmpty(plan)) return 0
    const match = queryOf({ ...plan, filter: undefined })
    const options = { hint: plan.index.name, limit: maxScannedAuctions + 1, maxTimeMS }
    return driverCall('list auctions', () => auctions().countDocuments(match, options), query.signal)
  }

  function find(plan: ListPlan, what: What, signal: CallSignal | undefined): Promise<Document[]> {
    const { index, timeField, direction } = plan
    const sort = { [timeField]: direction, _id: direction }
    // The hint keeps the server from another index and a sort.
    const options = { hint: index.name, sort, ...what, batchSize: what.limit, maxTimeMS }
    return driverCall('list auctions', () => auctions().find(queryOf(plan), options).toArray(), signal)
  }

  /** The position of the last auction that may be examined, if more auctions follow. */
  async function findScanEnd(plan: ListPlan, signal: CallSignal | undefined): Promise<Position | undefined> {
    const projection = { _id: 1, [plan.timeField]: 1 }
    const what = { skip: maxScannedAuctions - 1, limit: 2, projection }
    const [last, following] = await find({ ...plan, filter: undefined }, what, signal)
    return last && following && positionOf(plan, last)
  }

  return {
    async listAuctions(query) {
      const { signal } = query
      const countAll = (sources: readonly ListSource[]) => Promise.all(sources.map((source) => count(query, source)))
      const { source, isBounded } = await shortestSource(query, countAll)
      const plan = planOf(query, source)
      if (isEmpty(plan)) return { items: [], next: undefined }
      const scanEnd = isBounded ? await findScanEnd(plan, signal) : undefined
      const limit = Math.min(query.limit, maxScannedAuctions)
      // One more auction shows whether another page exists.
      const what = { limit: limit + 1, projection: { description: 0, words: 0 } }
      const documents = await find({ ...plan, until: scanEnd ?? plan.until }, what, signal)
      const page = documents.slice(0, limit)
      const { values: items, unreadable } = readEach(page, (document) => itemOf(query.order, plan, document))
      const end = documents.length > limit ? lastPosition(plan, page) : scanEnd
      // The cast: the id is that of an auction that was read.
      const next = end && ({ order: query.order, ...end } as AuctionPosition)
      return unreadable.length === 0 ? { items, next } : { items, next, unreadable }
    },
  }
}

const isEmpty = ({ after, until }: ListPlan): boolean =>
  after !== undefined && after.timeMs > (until?.timeMs ?? after.timeMs)

function itemOf(order: AuctionPosition['order'], { timeField }: ListPlan, document: Document): ListedItem {
  const auction = parseAuction(document)
  const timeMs = integerAt(document, timeField)
  if (timeMs === undefined) throw new UnreadableStoredError('auction', auction, `an invalid field ${timeField}`)
  return { auction, position: { order, timeMs, id: auction.id } }
}

const positionOf = ({ timeField }: ListPlan, document: Document): Position => ({
  timeMs: integerIn(document, auctionsCollection, timeField),
  id: integerIn(document, auctionsCollection, '_id'),
})

/** The position of the last document of a page with a valid position. */
const lastPosition = (plan: ListPlan, page: readonly Document[]): Position => {
  const hasPosition = (document: Document) =>
    [plan.timeField, '_id'].every((field) => integerAt(document, field) !== undefined)
  return positionOf(plan, page.findLast(hasPosition) ?? { ...page.at(-1) })
}
