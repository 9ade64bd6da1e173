import { type Auction, statusAt } from '@auction/domain/auction'
import type { AuctionId } from '@auction/domain/ids'
import type { AuctionPosition, AuctionStore } from '@auction/domain/ports/auction-store'

/** Auctions in a map, and in an array kept in the order in which they are listed, oldest first. */
export function memoryAuctions(): AuctionStore {
  const byId = new Map<AuctionId, Auction>()
  const inOrder: Auction[] = []

  return {
    async insert(auction) {
      if (byId.has(auction.id)) return 'taken'
      const stored = frozen(auction)
      byId.set(stored.id, stored)
      inOrder.splice(firstNotBefore(inOrder, stored), 0, stored)
      return 'inserted'
    },

    async find(id) {
      return byId.get(id)
    },

    async list({ limit, after, status }) {
      const found: Auction[] = []
      let index = after === undefined ? inOrder.length : firstNotBefore(inOrder, after)
      while (index > 0 && found.length < limit) {
        const auction = inOrder[--index]
        if (auction !== undefined && (status === undefined || statusAt(auction, status.nowMs) === status.is)) {
          found.push(auction)
        }
      }
      return found
    },
  }
}

const frozen = (auction: Auction): Auction =>
  Object.freeze({
    ...auction,
    startTime: Object.freeze({ ...auction.startTime }),
    endTime: Object.freeze({ ...auction.endTime }),
  })

const isBefore = (a: AuctionPosition, b: AuctionPosition) =>
  a.createdAtMs < b.createdAtMs || (a.createdAtMs === b.createdAtMs && a.id < b.id)

/** The index of the first auction that is not before the position, by bisection. */
function firstNotBefore(inOrder: readonly AuctionPosition[], position: AuctionPosition): number {
  let low = 0
  let high = inOrder.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const candidate = inOrder[middle]
    if (candidate !== undefined && isBefore(candidate, position)) low = middle + 1
    else high = middle
  }
  return low
}
