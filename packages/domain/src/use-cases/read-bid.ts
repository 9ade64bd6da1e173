import type { Bid } from '../auction/bid.ts'
import type { BidId } from '../ids.ts'
import { bidOf, isBidPlaced } from '../ledger/entry.ts'
import { accepted, type Result, refused } from '../result.ts'
import type { Store } from '../store.ts'

export type BidNotFound = { readonly code: 'bid-not-found'; readonly bidId: BidId }
export type ReadBid = (id: BidId) => Promise<Result<Bid, BidNotFound>>

export function readBidUseCase({ store }: { readonly store: Pick<Store, 'findEntries'> }): ReadBid {
  return async (id) => {
    const [entry] = await store.findEntries([id])
    if (entry === undefined || !isBidPlaced(entry)) return refused({ code: 'bid-not-found', bidId: id })
    return accepted(bidOf(entry))
  }
}
