import type { Bid } from '../bid.ts'
import type { BidId } from '../ids.ts'
import type { Ledger } from '../ports/ledger.ts'
import { accepted, type Result, refused } from '../result.ts'

export type BidNotFound = { readonly code: 'bid-not-found'; readonly bidId: BidId }
export type ReadBid = (id: BidId) => Promise<Result<Bid, BidNotFound>>

export function readBidUseCase({ ledger }: { readonly ledger: Pick<Ledger, 'find'> }): ReadBid {
  return async (id) => {
    const [bid] = await ledger.find([id])
    return bid === undefined ? refused({ code: 'bid-not-found', bidId: id }) : accepted(bid)
  }
}
