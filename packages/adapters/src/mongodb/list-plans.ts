import { maxOvertimeMs } from '@auction/domain/auction/ends'
import type { AuctionStatus } from '@auction/domain/auction/status'
import type { AuctionPosition, AuctionQuery } from '@auction/domain/store'
import type { Document } from 'mongodb'
import { int64 } from './documents.ts'
import type { Index } from './indexes.ts'
import { comparePlaces, type Order, type Place, type Range } from './ranges.ts'

// What tells a status stands in each index, so that no auction of another status is fetched.
const newest = {
  createdAtMs: -1,
  _id: -1,
  'startTime.epochMs': 1,
  'endTime.epochMs': 1,
  'overtime.latestEndMs': 1,
  buyNowPriceMinor: 1,
} as const
const newestFirst: Index = { name: 'newest-first', key: newest }
const newestOfOwner: Index = { name: 'newest-of-owner-first', key: { ownerId: 1, ...newest } }
const newestOfProduct: Index = { name: 'newest-of-product-first', key: { productId: 1, ...newest } }
const soonestEnd: Index = { name: 'soonest-end-first', key: { 'endTime.epochMs': 1, _id: 1, 'startTime.epochMs': 1 } }
/** Of those alone that bids may keep open past their end. */
const soonestEndOfSoftClose: Index = {
  name: 'soonest-end-of-soft-close-first',
  key: { 'overtime.endMs': 1, 'overtime.id': 1, 'overtime.latestEndMs': 1 },
  sparse: true,
}

export const auctionListIndexes: readonly Index[] = [
  newestFirst,
  newestOfOwner,
  newestOfProduct,
  soonestEnd,
  soonestEndOfSoftClose,
]

/** How auctions are listed: along which index, from where to where on it, and which of those on the way. */
export type ListPlan = {
  readonly order: Order
  readonly index: Index
  /** What all auctions on the way have: the fields of the index that come before its time. */
  readonly prefix: Document
  readonly range: Range
  /** What only some on the way match, exactly one of these; undefined where all do. */
  readonly filters: readonly Document[] | undefined
}

const byCreation: Order = { timeField: 'createdAtMs', idField: '_id', direction: 'down' }
const byEnd: Order = { timeField: 'endTime.epochMs', idField: '_id', direction: 'up' }
const byEndOfSoftClose: Order = { timeField: 'overtime.endMs', idField: 'overtime.id', direction: 'up' }

export function planOf(query: AuctionQuery): ListPlan {
  const { order, inOvertimeAtMs } = query
  if (order === 'newest') return planByCreation(query)
  return inOvertimeAtMs === undefined ? planByEnd(query) : planOfOvertime(query, inOvertimeAtMs)
}

function planByCreation({ after, status, ownerId, productId }: AuctionQuery): ListPlan {
  const common = { order: byCreation, range: { after: after && placeIn(after) } }
  const ofStatus = status === undefined ? [{}] : mayHave[status.is](status.nowMs)
  if (ownerId !== undefined) {
    return {
      ...common,
      index: newestOfOwner,
      prefix: ofSame({ ownerId }),
      filters: among(ofSame({ productId }), ofStatus),
    }
  }
  const index = productId === undefined ? newestFirst : newestOfProduct
  return { ...common, index, prefix: ofSame({ productId }), filters: among({}, ofStatus) }
}

/** In the order of ends, the clock divides the index: all that are past their end come before all that are not. */
function planByEnd({ after, status, ...same }: AuctionQuery): ListPlan {
  const place = after && placeIn(after)
  const range = { after: status === undefined ? place : laterOf(place, lastAt(status.nowMs)) }
  const hasStarted = status === undefined ? {} : startedBy(status.nowMs)
  return { order: byEnd, index: soonestEnd, prefix: {}, range, filters: among(ofSame(same), [hasStarted]) }
}

/** Of what bids may keep open, the index has a part: what is past its end, and not for longer than bids may keep it open. */
function planOfOvertime({ after, ...same }: AuctionQuery, nowMs: number): ListPlan {
  const range = { after: laterOf(after && placeIn(after), lastAt(nowMs - maxOvertimeMs)), until: lastAt(nowMs) }
  const mayBeOpen = { 'overtime.latestEndMs': { $gt: int64(nowMs) } }
  const filters = among(ofSame(same), [mayBeOpen])
  return { order: byEndOfSoftClose, index: soonestEndOfSoftClose, prefix: {}, range, filters }
}

type Same = { readonly [Name in 'ownerId' | 'productId']?: AuctionQuery[Name] | undefined }

const ofSame = ({ ownerId, productId }: Same): Document => ({
  ...(ownerId !== undefined && { ownerId: int64(ownerId) }),
  ...(productId !== undefined && { productId: int64(productId) }),
})

/** Those of some that match one of several filters; undefined where that is all of them. */
function among(some: Document, filters: readonly Document[]): ListPlan['filters'] {
  const joined = filters.map((filter) => ({ ...some, ...filter }))
  return joined.some((filter) => Object.keys(filter).length === 0) ? undefined : joined
}

/** Behind all that end at a time. */
const lastAt = (timeMs: number): Place => ({ timeMs, id: Number.MAX_SAFE_INTEGER })

const laterOf = (place: Place | undefined, other: Place): Place =>
  place !== undefined && comparePlaces(byEnd, place, other) > 0 ? place : other

const startedBy = (nowMs: number): Document => ({ 'startTime.epochMs': { $lte: int64(nowMs) } })
const endedBy = (nowMs: number): Document => ({ 'endTime.epochMs': { $lte: int64(nowMs) } })
const notEndedBy = (nowMs: number): Document => ({ 'endTime.epochMs': { $gt: int64(nowMs) } })

/**
 * What `mayHaveStatus` says, as queries, exactly one of which matches each auction that may have the status. Each asks one thing of a
 * field, which is what the server can read off an index.
 */
const mayHave: Readonly<Record<AuctionStatus, (nowMs: number) => readonly Document[]>> = {
  Pending: (nowMs) => [{ 'startTime.epochMs': { $gt: int64(nowMs) } }],
  Active: (nowMs) => [
    { ...startedBy(nowMs), ...notEndedBy(nowMs) },
    { ...startedBy(nowMs), ...endedBy(nowMs), 'overtime.latestEndMs': { $gt: int64(nowMs) } },
  ],
  Ended: (nowMs) => [
    { ...startedBy(nowMs), ...endedBy(nowMs) },
    { ...startedBy(nowMs), ...notEndedBy(nowMs), buyNowPriceMinor: { $gte: int64(0) } }, // That is, there is one.
  ],
  Cancelled: () => [{}],
}

const placeIn = (position: AuctionPosition): Place => ({
  timeMs: position.order === 'newest' ? position.createdAtMs : position.endMs,
  id: position.id,
})
