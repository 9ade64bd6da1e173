import type { Auction } from '@auction/domain/auction/auction'
import { statusAt } from '@auction/domain/auction/status'
import type { AuctionId } from '@auction/domain/ids'
import type { RequestKey } from '@auction/domain/request-key'
import { type AuctionPosition, type AuctionQuery, maxScannedAuctions, type Store } from '@auction/domain/store'
import { createSortedList } from './sorted-list.ts'

type AuctionPart = Pick<Store, 'insertAuction' | 'findAuction' | 'findAuctionByKey' | 'listAuctions'>

/** An auction at its place in an order; a place alone can be searched for. */
type Placed = { readonly timeMs: number; readonly id: AuctionId; readonly auction?: Auction }

const newestFirst = (a: Placed, b: Placed) => b.timeMs - a.timeMs || b.id - a.id
const soonestFirst = (a: Placed, b: Placed) => a.timeMs - b.timeMs || a.id - b.id

/** Auctions in maps by id and by key, and in lists kept in the orders in which they are read. */
export function createMemoryAuctions(): AuctionPart {
  const byId = new Map<AuctionId, Auction>()
  const byKey = new Map<RequestKey, Auction>()
  const lists = { newest: createSortedList(newestFirst), endTime: createSortedList(soonestFirst) }

  return {
    async insertAuction({ requestKey, ...auction }) {
      if (byId.has(auction.id) || (requestKey !== undefined && byKey.has(requestKey))) return 'taken'
      const stored = frozen(auction)
      byId.set(stored.id, stored)
      if (requestKey !== undefined) byKey.set(requestKey, stored)
      lists.newest.insert(byCreation(stored))
      lists.endTime.insert(byEnd(stored))
      return 'inserted'
    },

    findAuction: async (id) => byId.get(id),
    findAuctionByKey: async (key) => byKey.get(key),

    async listAuctions(query) {
      const auctions: Auction[] = []
      let scanned = 0
      let last: Placed | undefined
      for (const placed of lists[query.order].after(startOf(query))) {
        if (auctions.length === query.limit || scanned === maxScannedAuctions) {
          return { auctions, next: last && positionOf(query.order, last) }
        }
        scanned += 1
        last = placed
        if (placed.auction !== undefined && matches(placed.auction, query)) auctions.push(placed.auction)
      }
      return { auctions, next: undefined }
    },
  }
}

const byCreation = (auction: Auction): Placed => ({ timeMs: auction.createdAtMs, id: auction.id, auction })
const byEnd = (auction: Auction): Placed => ({ timeMs: auction.endTime.epochMs, id: auction.id, auction })

/** Where a list starts: behind what was listed before and, by ends, behind what has ended where something else is asked for. */
function startOf({ order, after, status }: AuctionQuery): Placed | undefined {
  const place = after && placeOf(after)
  if (order !== 'endTime' || status === undefined || status.is === 'Ended') return place
  const lastEnded = { timeMs: status.nowMs, id: Number.MAX_SAFE_INTEGER as AuctionId } // The last place there can be.
  return place !== undefined && soonestFirst(lastEnded, place) < 0 ? place : lastEnded
}

const placeOf = (position: AuctionPosition): Placed =>
  position.order === 'newest'
    ? { timeMs: position.createdAtMs, id: position.id }
    : { timeMs: position.endMs, id: position.id }

const positionOf = (order: AuctionPosition['order'], { timeMs, id }: Placed): AuctionPosition =>
  order === 'newest' ? { order, createdAtMs: timeMs, id } : { order, endMs: timeMs, id }

const matches = (auction: Auction, { status, ownerId, productId }: AuctionQuery): boolean =>
  (status === undefined || statusAt(auction, status.nowMs) === status.is) &&
  (ownerId === undefined || auction.ownerId === ownerId) &&
  (productId === undefined || auction.productId === productId)

const frozen = (auction: Auction): Auction =>
  Object.freeze({
    ...auction,
    startTime: Object.freeze({ ...auction.startTime }),
    endTime: Object.freeze({ ...auction.endTime }),
  })
