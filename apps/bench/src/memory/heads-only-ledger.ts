import type { Bid } from '@auction/domain/bid'
import type { AuctionId } from '@auction/domain/ids'
import type { Ledger } from '@auction/domain/ports/ledger'

/** A ledger that remembers each auction's last bid and no other, so that whatever grows beside it is the domain's. */
export function headsOnlyLedger(): Pick<Ledger, 'append' | 'find' | 'head' | 'page'> {
  const heads = new Map<AuctionId, Bid>()
  return {
    async append(bids) {
      for (const bid of bids) heads.set(bid.auctionId, bid)
      return { stored: bids.length }
    },
    head: async (auctionId) => heads.get(auctionId),
    find: async () => [],
    page: async () => [],
  }
}
