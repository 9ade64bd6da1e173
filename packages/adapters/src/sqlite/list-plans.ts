import { maxOvertimeMs } from '@auction/domain/auction/ends'
import type { AuctionStatus } from '@auction/domain/auction/status'
import type { AuctionPosition, AuctionQuery } from '@auction/domain/store'
import { type Condition, comparePlaces, type Order, type Place, type Range } from './places.ts'
import { integer } from './values.ts'

/** How auctions are listed: along which index, from where to where on it, and which of those on the way. */
export type ListPlan = {
  readonly order: Order
  readonly index: string
  /** What all auctions on the way have: the columns of the index that come before its time. */
  readonly prefix: readonly Condition[]
  readonly range: Range
  /** What only some on the way match; empty where all do. */
  readonly filter: readonly Condition[]
}

const byCreation: Order = { timeColumn: 'createdAtMs', direction: 'down' }
const byEnd: Order = { timeColumn: 'endMs', direction: 'up' }

export function planOf(query: AuctionQuery): ListPlan {
  const { order, inOvertimeAtMs } = query
  if (order === 'newest') return planByCreation(query)
  return inOvertimeAtMs === undefined ? planByEnd(query) : planOfOvertime(query, inOvertimeAtMs)
}

function planByCreation({ after, status, ownerId, productId }: AuctionQuery): ListPlan {
  const common = { order: byCreation, range: { after: after && placeIn(after) } }
  const product = condition('productId', '=', productId)
  const ofStatus = status === undefined ? [] : mayHave[status.is](status.nowMs)
  if (ownerId !== undefined) {
    const prefix = condition('ownerId', '=', ownerId)
    return { ...common, index: 'newestOfOwnerFirst', prefix, filter: [...product, ...ofStatus] }
  }
  const index = productId === undefined ? 'newestFirst' : 'newestOfProductFirst'
  return { ...common, index, prefix: product, filter: ofStatus }
}

/** In the order of ends, the clock divides the index: all that are past their end come before all that are not. */
function planByEnd({ after, status, ...same }: AuctionQuery): ListPlan {
  const filter = [...ofSame(same), ...condition('startMs', '<=', status?.nowMs)]
  const place = after && placeIn(after)
  const range = { after: status === undefined ? place : laterOf(place, lastAt(status.nowMs)) }
  return { order: byEnd, index: 'soonestEndFirst', prefix: [], range, filter }
}

/** Of what bids may keep open, the index has a part: what is past its end, and not for longer than bids may keep it open. */
function planOfOvertime({ after, ...same }: AuctionQuery, nowMs: number): ListPlan {
  const range = { after: laterOf(after && placeIn(after), lastAt(nowMs - maxOvertimeMs)), until: lastAt(nowMs) }
  const prefix: readonly Condition[] = [{ sql: 'latestEndMs IS NOT NULL', params: [] }]
  const filter = [...ofSame(same), ...condition('latestEndMs', '>', nowMs)]
  return { order: byEnd, index: 'soonestEndOfSoftCloseFirst', prefix, range, filter }
}

const ofSame = ({ ownerId, productId }: Pick<AuctionQuery, 'ownerId' | 'productId'>): readonly Condition[] => [
  ...condition('ownerId', '=', ownerId),
  ...condition('productId', '=', productId),
]

/** Behind all that end at a time. */
const lastAt = (timeMs: number): Place => ({ timeMs, id: Number.MAX_SAFE_INTEGER })

const laterOf = (place: Place | undefined, other: Place): Place =>
  place !== undefined && comparePlaces(byEnd, place, other) > 0 ? place : other

/** What `mayHaveStatus` says, as conditions that an index can tell. */
const mayHave: Readonly<Record<AuctionStatus, (nowMs: number) => readonly Condition[]>> = {
  Pending: (nowMs) => condition('startMs', '>', nowMs),
  Active: (nowMs) => [...condition('startMs', '<=', nowMs), ...condition('coalesce(latestEndMs, endMs)', '>', nowMs)],
  Ended: (nowMs) => [...condition('startMs', '<=', nowMs), ...condition('coalesce(earliestEndMs, endMs)', '<=', nowMs)],
  Cancelled: () => [],
}

const condition = (term: string, operator: '=' | '<=' | '>', value: number | undefined): readonly Condition[] =>
  value === undefined ? [] : [{ sql: `${term} ${operator} ?`, params: [integer(value)] }]

const placeIn = (position: AuctionPosition): Place => ({
  timeMs: position.order === 'newest' ? position.createdAtMs : position.endMs,
  id: position.id,
})
