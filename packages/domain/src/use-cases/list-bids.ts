import type { Bid } from '../auction/bid.ts'
import type { AuctionId } from '../ids.ts'
import { bidOf, isBidPlaced } from '../ledger/entry.ts'
import type { AuctionNotFound } from '../ledger/pending-command.ts'
import { type Page, pageOf } from '../page.ts'
import { accepted, type Result, refused } from '../result.ts'
import type { Store } from '../store.ts'

export type ListBidsQuery = {
  /** 1 to `maxPageSize`. */
  readonly limit: number
  /** The sequence of the last entry of the page before. */
  readonly before?: number
}

export type ListBids = (
  auctionId: AuctionId,
  query: ListBidsQuery,
) => Promise<Result<Page<Bid, number>, AuctionNotFound>>

/** Lists an auction's bids, newest first. What others bid meanwhile makes no page skip or repeat a bid. */
export function listBidsUseCase({ store }: { readonly store: Pick<Store, 'findAuction' | 'listEntries'> }): ListBids {
  return async (auctionId, { limit, ...query }) => {
    // One more for the end of the auction, which is an entry and no bid, and one that tells whether there are more.
    const [auction, entries] = await Promise.all([
      store.findAuction(auctionId),
      store.listEntries(auctionId, { limit: limit + 2, ...query }),
    ])
    if (auction === undefined) return refused({ code: 'auction-not-found', auctionId })
    const { items, next } = pageOf(entries.filter(isBidPlaced), limit, ({ sequence }) => sequence)
    return accepted({ items: items.map(bidOf), next })
  }
}
