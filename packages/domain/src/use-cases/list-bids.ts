import type { Bid } from '../bid.ts'
import type { AuctionId } from '../ids.ts'
import { type Page, pageOf } from '../page.ts'
import type { AuctionStore } from '../ports/auction-store.ts'
import type { Ledger } from '../ports/ledger.ts'
import { accepted, type Result, refused } from '../result.ts'
import type { AuctionNotFound } from './read-auction.ts'

export type ListBidsQuery = {
  /** 1 to `maxPageSize`. */
  readonly limit: number
  /** The sequence of the last bid of the page before. */
  readonly before?: number
}

export type ListBids = (
  auctionId: AuctionId,
  query: ListBidsQuery,
) => Promise<Result<Page<Bid, number>, AuctionNotFound>>

/** Lists an auction's bids, newest first. What others bid meanwhile makes no page skip or repeat a bid. */
export function listBidsUseCase(ports: {
  readonly auctions: Pick<AuctionStore, 'find'>
  readonly ledger: Pick<Ledger, 'page'>
}): ListBids {
  return async (auctionId, { limit, ...query }) => {
    const [auction, bids] = await Promise.all([
      ports.auctions.find(auctionId),
      ports.ledger.page(auctionId, { limit: limit + 1, ...query }),
    ])
    if (auction === undefined) return refused({ code: 'auction-not-found', auctionId })
    return accepted(pageOf(bids, limit, ({ sequence }) => sequence))
  }
}
