import type { Bid } from '../auction/bid.ts'
import { type AuctionEntry, bidIn, bidOf, bidsOf } from '../auction/entry.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import type { Store } from '../store/store.ts'
import { type BidId, entryIdsOf } from '../values/ids.ts'
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
    const state = head?.state ?? entry.state
    return accepted(bidIn(state.repairs?.withdrawn, entry, bid, state))
  }
}

type FoundBid = { readonly entry: AuctionEntry; readonly bid: Bid }

async function findBid(store: BidStore, id: BidId): Promise<FoundBid | undefined> {
  const [own, before] = entryIdsOf(id)
  const [entry] = await store.findEntries([own])
  const bid = entry && bidOf(entry)
  if (entry !== undefined) return bid && { entry, bid }
  const [placed] = before === undefined ? [] : await store.findEntries([before])
  const reply = placed && bidsOf(placed).find((each) => each.id === id)
  return reply && { entry: placed, bid: reply }
}
