import type { AuctionQuery } from '@auction/domain/store'
import type { Document } from 'mongodb'
import { int64 } from './documents.ts'
import type { Index } from './indexes.ts'

/** An order of auctions: by a time, and those of one millisecond by id, both up (1) or both down (-1). */
type Order = { readonly timeField: 'createdAtMs' | 'dueMs'; readonly direction: 1 | -1 }

// `dueMs` stands in each index, so that no auction is fetched to learn whether it is open.
const newest = namedIndexes('newest', { createdAtMs: -1, _id: -1, dueMs: 1 })
const agenda = namedIndexes('soonest-due', { dueMs: 1, _id: 1 })

const orders = {
  newest: { timeField: 'createdAtMs', direction: -1, indexes: newest },
  agenda: { timeField: 'dueMs', direction: 1, indexes: agenda },
} as const

function namedIndexes(name: string, key: Index['key']) {
  return {
    ofAll: { name: `${name}-first`, key },
    ofOwner: { name: `${name}-of-owner-first`, key: { ownerId: 1, ...key } },
    ofProduct: { name: `${name}-of-product-first`, key: { productId: 1, ...key } },
  } satisfies Record<string, Index>
}

export const auctionListIndexes: readonly Index[] = [newest, agenda].flatMap((each) => Object.values(each))

export type Place = { readonly timeMs: number; readonly id: number }

/** How auctions are listed: along which index, from where to where on it, and which of those on the way. */
export type ListPlan = Order & {
  readonly index: Index
  /** What all auctions on the way have: the field of the index that comes before its time. */
  readonly prefix: Document
  readonly after: Place | undefined
  /** The last place that is looked at, if there is a last one. */
  readonly until: Place | undefined
  /** What only some on the way match; undefined where all do. */
  readonly filter: Document | undefined
}

export function planOf({ order, after, dueByMs, onlyOpen, ownerId, productId }: AuctionQuery): ListPlan {
  const owner = ownerId === undefined ? undefined : { ownerId: int64(ownerId) }
  const product = productId === undefined ? undefined : { productId: int64(productId) }
  const isFiltered = order === 'newest' && onlyOpen === true
  const filter = { ...(owner && product), ...(isFiltered && { dueMs: anyNumber[1] }) }
  const { timeField, direction, indexes } = orders[order]
  return {
    timeField,
    direction,
    index: owner ? indexes.ofOwner : product ? indexes.ofProduct : indexes.ofAll,
    prefix: owner ?? product ?? {},
    after,
    until: order === 'agenda' && dueByMs !== undefined ? { timeMs: dueByMs, id: Number.MAX_SAFE_INTEGER } : undefined,
    filter: Object.keys(filter).length > 0 ? filter : undefined,
  }
}

// Without them, what has no time would be listed, too: a field that is missing comes before all numbers.
const anyNumber = {
  '1': { $gte: int64(Number.MIN_SAFE_INTEGER) },
  '-1': { $lte: int64(Number.MAX_SAFE_INTEGER) },
} as const

const operators = {
  '1': { behind: '$gt', before: '$lt', upTo: '$lte' },
  '-1': { behind: '$lt', before: '$gt', upTo: '$gte' },
} as const

/**
 * What a plan lists: several queries, exactly one of which matches each auction that is listed. Each is one interval of the index,
 * so the server merges what it reads along that index, and sorts nothing.
 */
export function queryOf({ timeField, direction, prefix, after, until, filter }: ListPlan): Document {
  const { behind, before, upTo } = operators[direction]
  const afterId = after && { [behind]: int64(after.id) }
  const upToId = until && { [upTo]: int64(until.id) }
  const isOneTime = after !== undefined && after.timeMs === until?.timeMs
  const times = {
    ...(after ? { [behind]: int64(after.timeMs) } : anyNumber[direction]),
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
