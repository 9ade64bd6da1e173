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

export const planOf = (query: AuctionQuery): ListPlan =>
  query.order === 'newest' ? planByCreation(query) : planByEnd(query)

function planByCreation({ after, status, ownerId, productId }: AuctionQuery): ListPlan {
  const common = { order: byCreation, range: { after: after && placeIn(after) } }
  const product = condition('productId', '=', productId)
  const ofStatus = [...startsOf(status), ...endsOf(status)]
  if (ownerId !== undefined) {
    const prefix = condition('ownerId', '=', ownerId)
    return { ...common, index: 'newestOfOwnerFirst', prefix, filter: [...product, ...ofStatus] }
  }
  const index = productId === undefined ? 'newestFirst' : 'newestOfProductFirst'
  return { ...common, index, prefix: product, filter: ofStatus }
}

/** In the order of ends, the clock divides the index: all that have ended come before all that have not. */
function planByEnd({ after, status, ownerId, productId }: AuctionQuery): ListPlan {
  const filter = [...condition('ownerId', '=', ownerId), ...condition('productId', '=', productId), ...startsOf(status)]
  const range = rangeByEnd(after && placeIn(after), status)
  return { order: byEnd, index: 'soonestEndFirst', prefix: [], range, filter }
}

function rangeByEnd(after: Place | undefined, status: AuctionQuery['status']): Range {
  if (status === undefined) return { after }
  const now: Place = { timeMs: status.nowMs, id: Number.MAX_SAFE_INTEGER } // Behind all that end now.
  if (status.is === 'Ended') return { after, until: now }
  return { after: after !== undefined && comparePlaces(byEnd, after, now) > 0 ? after : now }
}

/** What `statusAt` says of the start. */
const startsOf = (status: AuctionQuery['status']): readonly Condition[] =>
  condition('startMs', status?.is === 'Pending' ? '>' : '<=', status?.nowMs)

/** What `statusAt` says of the end. */
const endsOf = (status: AuctionQuery['status']): readonly Condition[] =>
  status?.is === 'Pending' ? [] : condition('endMs', status?.is === 'Active' ? '>' : '<=', status?.nowMs)

const condition = (column: string, operator: '=' | '<=' | '>', value: number | undefined): readonly Condition[] =>
  value === undefined ? [] : [{ sql: `${column} ${operator} ?`, params: [integer(value)] }]

const placeIn = (position: AuctionPosition): Place => ({
  timeMs: position.order === 'newest' ? position.createdAtMs : position.endMs,
  id: position.id,
})
