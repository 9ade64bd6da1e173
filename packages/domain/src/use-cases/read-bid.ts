import type { Bid } from '../auction/bid.ts'
import { automaticBidOf, bidIn, bidOf, type Entry, isUserEntry } from '../auction/entry.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import type { Store } from '../store/store.ts'
import { type BidId, idBefore } from '../values/ids.ts'
import { accepted, type Result, refused } from '../values/result.ts'

export type BidNotFound = { readonly code: 'bid-not-found'; readonly bidId: BidId }
export type ReadBid = (id: BidId) => Promise<Result<Bid, BidNotFound | Overloaded>>

type BidStore = Pick<Store, 'findEntries' | 'findHeads'>

export function readBidUseCase({ store }: { readonly store: BidStore }): ReadBid {
  return async (id) => {
    const found = await findBid(store, id)
    if (found === undefined) return refused({ code: 'bid-not-found', bidId: id })
    const { entry, bid } = found
    const [head] = await store.findHeads([entry.auctionId])
    const { repairs, leader } = head?.state ?? entry.state
    return accepted(bidIn(repairs?.withdrawn, entry, bid, leader))
  }
}

type FoundBid = { readonly entry: Entry; readonly bid: Bid }

async function findBid(store: BidStore, id: BidId): Promise<FoundBid | undefined> {
  const [entry] = await store.findEntries([id])
  if (entry !== undefined) return isUserEntry(entry) ? { entry, bid: bidOf(entry) } : undefined
  // The id of an automatic bid follows that of its entry.
  const before = idBefore(id)
  const [placed] = before === undefined ? [] : await store.findEntries([before])
  const bid = placed && automaticBidOf(placed)
  return bid && { entry: placed, bid }
}
