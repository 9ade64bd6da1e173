import type { Bid } from '../auction/bid.ts'
import { automaticBidOf, bidOf, isBidEntry } from '../auction/entry.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import type { Store } from '../store/store.ts'
import { type BidId, idBefore } from '../values/ids.ts'
import { accepted, type Result, refused } from '../values/result.ts'

export type BidNotFound = { readonly code: 'bid-not-found'; readonly bidId: BidId }
export type ReadBid = (id: BidId) => Promise<Result<Bid, BidNotFound | Overloaded>>

export function readBidUseCase({ store }: { readonly store: Pick<Store, 'findEntries'> }): ReadBid {
  return async (id) => {
    const [entry] = await store.findEntries([id])
    const bid = entry === undefined ? await findAutomaticBid(store, id) : isBidEntry(entry) ? bidOf(entry) : undefined
    return bid === undefined ? refused({ code: 'bid-not-found', bidId: id }) : accepted(bid)
  }
}

/** The id of an automatic bid follows that of its entry. */
async function findAutomaticBid(store: Pick<Store, 'findEntries'>, id: BidId): Promise<Bid | undefined> {
  const before = idBefore(id)
  const [entry] = before === undefined ? [] : await store.findEntries([before])
  return entry !== undefined && isBidEntry(entry) ? automaticBidOf(entry) : undefined
}
