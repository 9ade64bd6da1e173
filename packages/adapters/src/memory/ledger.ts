import type { Bid } from '@auction/domain/bid'
import type { AuctionId, BidId } from '@auction/domain/ids'
import type { Ledger } from '@auction/domain/ports/ledger'

/** Each auction's bids in an array, the bid of sequence n at n - 1, and all bids in a map by id. */
export function memoryLedger(): Ledger {
  const byAuction = new Map<AuctionId, Bid[]>()
  const byId = new Map<BidId, Bid>()

  function insert(bid: Bid): boolean {
    let bids = byAuction.get(bid.auctionId)
    if (bids === undefined) {
      bids = []
      byAuction.set(bid.auctionId, bids)
    }
    if (bid.sequence <= bids.length || byId.has(bid.id)) return false
    if (bid.sequence > bids.length + 1) throw new RangeError(`bid ${bid.id} would leave a gap before its sequence`)
    const stored = Object.freeze({ ...bid })
    bids.push(stored)
    byId.set(stored.id, stored)
    return true
  }

  return {
    async append(bids) {
      let stored = 0
      for (const bid of bids) {
        if (!insert(bid)) break
        stored += 1
      }
      return { stored }
    },

    async head(auctionId) {
      return byAuction.get(auctionId)?.at(-1)
    },

    async find(ids) {
      return ids.map((id) => byId.get(id)).filter((bid) => bid !== undefined)
    },

    async page(auctionId, { limit, before }) {
      const bids = byAuction.get(auctionId) ?? []
      // Never negative, which `slice` would count from the end.
      const end = before === undefined ? bids.length : Math.max(0, Math.min(before - 1, bids.length))
      return bids.slice(Math.max(0, end - limit), end).reverse()
    },
  }
}
