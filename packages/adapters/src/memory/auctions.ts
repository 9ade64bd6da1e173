import type { Auction, ListedAuction } from '@auction/domain/auction/auction'
import { maxOvertimeMs } from '@auction/domain/auction/ends'
import { mayBeInOvertime, mayHaveStatus } from '@auction/domain/auction/status'
import type { AuctionId } from '@auction/domain/ids'
import type { Moment } from '@auction/domain/moment'
import type { RequestKey } from '@auction/domain/request-key'
import { type AuctionPosition, type AuctionQuery, maxScannedAuctions, type Store } from '@auction/domain/store'
import { createSortedList } from './sorted-list.ts'

type AuctionPart = Pick<Store, 'insertAuction' | 'findAuction' | 'findAuctionByKey' | 'listAuctions'>

/** An auction at its place in an order; a place alone can be searched for. */
type Placed = { readonly timeMs: number; readonly id: AuctionId; readonly auction?: ListedAuction }

const newestFirst = (a: Placed, b: Placed) => b.timeMs - a.timeMs || b.id - a.id
const soonestFirst = (a: Placed, b: Placed) => a.timeMs - b.timeMs || a.id - b.id

/** Auctions in maps by id and by key, and in lists kept in the orders in which they are read. */
export function createMemoryAuctions(): AuctionPart {
  const byId = new Map<AuctionId, Auction>()
  const byKey = new Map<RequestKey, Auction>()
  const lists = {
    newest: createSortedList(newestFirst),
    endTime: createSortedList(soonestFirst),
    softClose: createSortedList(soonestFirst),
  }

  return {
    async insertAuction({ requestKey, ...auction }) {
      if (byId.has(auction.id) || (requestKey !== undefined && byKey.has(requestKey))) return 'taken'
      const stored = frozen(auction)
      byId.set(stored.id, stored)
      if (requestKey !== undefined) byKey.set(requestKey, stored)
      const { description: _, ...rest } = stored
      const listed = stored.description === undefined ? stored : Object.freeze(rest)
      lists.newest.insert(byCreation(listed))
      lists.endTime.insert(byEnd(listed))
      if (listed.softClose !== undefined) lists.softClose.insert(byEnd(listed))
      return 'inserted'
    },

    findAuction: async (id) => byId.get(id),
    findAuctionByKey: async (key) => byKey.get(key),

    async listAuctions(query) {
      const { inOvertimeAtMs, order } = query
      const list = lists[inOvertimeAtMs === undefined ? order : 'softClose']
      const auctions: ListedAuction[] = []
      let scanned = 0
      let last: Placed | undefined
      for (const placed of list.after(startOf(query))) {
        if (inOvertimeAtMs !== undefined && placed.timeMs > inOvertimeAtMs) break
        if (auctions.length === query.limit || scanned === maxScannedAuctions) {
          return { auctions, next: last && positionOf(order, last) }
        }
        scanned += 1
        last = placed
        if (placed.auction !== undefined && matches(placed.auction, query)) auctions.push(placed.auction)
      }
      return { auctions, next: undefined }
    },
  }
}

const byCreation = (auction: ListedAuction): Placed => ({ timeMs: auction.createdAtMs, id: auction.id, auction })
const byEnd = (auction: ListedAuction): Placed => ({ timeMs: auction.endTime.epochMs, id: auction.id, auction })

/** Where a list starts: behind what was listed before and, by ends, behind those that have ended too long ago. */
function startOf({ order, after, status, inOvertimeAtMs }: AuctionQuery): Placed | undefined {
  const place = after && placeOf(after)
  if (order === 'newest') return place
  const overMs = inOvertimeAtMs === undefined ? status?.nowMs : inOvertimeAtMs - maxOvertimeMs
  if (overMs === undefined) return place
  const lastOver = { timeMs: overMs, id: Number.MAX_SAFE_INTEGER as AuctionId } // The last place there can be.
  return place !== undefined && soonestFirst(lastOver, place) < 0 ? place : lastOver
}

const placeOf = (position: AuctionPosition): Placed =>
  position.order === 'newest'
    ? { timeMs: position.createdAtMs, id: position.id }
    : { timeMs: position.endMs, id: position.id }

const positionOf = (order: AuctionPosition['order'], { timeMs, id }: Placed): AuctionPosition =>
  order === 'newest' ? { order, createdAtMs: timeMs, id } : { order, endMs: timeMs, id }

const matches = (auction: ListedAuction, { status, inOvertimeAtMs, ownerId, productId }: AuctionQuery): boolean =>
  (status === undefined || mayHaveStatus(auction, status.is, status.nowMs)) &&
  (inOvertimeAtMs === undefined || mayBeInOvertime(auction, inOvertimeAtMs)) &&
  (ownerId === undefined || auction.ownerId === ownerId) &&
  (productId === undefined || auction.productId === productId)

const frozen = ({ softClose, ...auction }: Auction): Auction =>
  Object.freeze({
    ...auction,
    startTime: frozenMoment(auction.startTime),
    endTime: frozenMoment(auction.endTime),
    ...(softClose && {
      softClose: Object.freeze({ ...softClose, latestEndTime: frozenMoment(softClose.latestEndTime) }),
    }),
  })

const frozenMoment = (moment: Moment): Moment => Object.freeze({ ...moment })
