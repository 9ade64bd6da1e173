import type { AuctionStatus } from '@auction/domain/auction/status'
import type { AuctionPosition, AuctionQuery } from '@auction/domain/store'
import type { Document } from 'mongodb'
import { int64 } from './documents.ts'
import type { Index } from './indexes.ts'
import { comparePlaces, type Order, type Place, type Range } from './ranges.ts'

// The times stand in each index so that a status is told by it alone, and no auction of another status is fetched.
const newest = { createdAtMs: -1, _id: -1, 'startTime.epochMs': 1, 'endTime.epochMs': 1 } as const
const newestFirst: Index = { name: 'newest-first', key: newest }
const newestOfOwner: Index = { name: 'newest-of-owner-first', key: { ownerId: 1, ...newest } }
const newestOfProduct: Index = { name: 'newest-of-product-first', key: { productId: 1, ...newest } }
const soonestEnd: Index = { name: 'soonest-end-first', key: { 'endTime.epochMs': 1, _id: 1, 'startTime.epochMs': 1 } }

export const auctionListIndexes: readonly Index[] = [newestFirst, newestOfOwner, newestOfProduct, soonestEnd]

/** How auctions are listed: along which index, from where to where on it, and which of those on the way. */
export type ListPlan = {
  readonly order: Order
  readonly index: Index
  /** What all auctions on the way have: the fields of the index that come before its time. */
  readonly prefix: Document
  readonly range: Range
  /** What only some on the way match; undefined where all do. */
  readonly filter: Document | undefined
}

const byCreation: Order = { timeField: 'createdAtMs', direction: 'down' }
const byEnd: Order = { timeField: 'endTime.epochMs', direction: 'up' }

export const planOf = (query: AuctionQuery): ListPlan =>
  query.order === 'newest' ? planByCreation(query) : planByEnd(query)

function planByCreation({ after, status, ownerId, productId }: AuctionQuery): ListPlan {
  const owner = ownerId === undefined ? {} : { ownerId: int64(ownerId) }
  const product = productId === undefined ? {} : { productId: int64(productId) }
  const ofStatus = status && { ...startFilters[status.is](status.nowMs), ...endFilters[status.is](status.nowMs) }
  const common = { order: byCreation, range: { after: after && placeIn(after) } }
  if (ownerId !== undefined) {
    return { ...common, index: newestOfOwner, prefix: owner, filter: unlessEmpty({ ...product, ...ofStatus }) }
  }
  const index = productId === undefined ? newestFirst : newestOfProduct
  return { ...common, index, prefix: product, filter: ofStatus }
}

/** In the order of ends, the clock divides the index: all that have ended come before all that have not. */
function planByEnd({ after: position, status, ownerId, productId }: AuctionQuery): ListPlan {
  const after = position && placeIn(position)
  const filter = {
    ...(ownerId !== undefined && { ownerId: int64(ownerId) }),
    ...(productId !== undefined && { productId: int64(productId) }),
    ...(status && startFilters[status.is](status.nowMs)),
  }
  return { order: byEnd, index: soonestEnd, prefix: {}, filter: unlessEmpty(filter), range: rangeByEnd(after, status) }
}

function rangeByEnd(after: Place | undefined, status: AuctionQuery['status']): Range {
  if (status === undefined) return { after }
  const now: Place = { timeMs: status.nowMs, id: Number.MAX_SAFE_INTEGER } // Behind all that end now.
  if (status.is === 'Ended') return { after, until: now }
  return { after: after !== undefined && comparePlaces(byEnd, after, now) > 0 ? after : now }
}

type TimeFilters = Readonly<Record<AuctionStatus, (nowMs: number) => Document>>

/** What `statusAt` says of the start, as a query. */
const startFilters: TimeFilters = {
  Pending: (nowMs) => ({ 'startTime.epochMs': { $gt: int64(nowMs) } }),
  Active: (nowMs) => ({ 'startTime.epochMs': { $lte: int64(nowMs) } }),
  Ended: (nowMs) => ({ 'startTime.epochMs': { $lte: int64(nowMs) } }),
}

/** What `statusAt` says of the end. */
const endFilters: TimeFilters = {
  Pending: () => ({}),
  Active: (nowMs) => ({ 'endTime.epochMs': { $gt: int64(nowMs) } }),
  Ended: (nowMs) => ({ 'endTime.epochMs': { $lte: int64(nowMs) } }),
}

const placeIn = (position: AuctionPosition): Place => ({
  timeMs: position.order === 'newest' ? position.createdAtMs : position.endMs,
  id: position.id,
})

const unlessEmpty = (filter: Document): Document | undefined => (Object.keys(filter).length === 0 ? undefined : filter)
