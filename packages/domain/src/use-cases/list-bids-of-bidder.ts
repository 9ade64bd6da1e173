import type { Bid } from '../auction/bid.ts'
import { bidIn, bidOf } from '../auction/entry.ts'
import { type ListedView, type Standing, standingOf } from '../auction/view.ts'
import type { Clock } from '../clock.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import { UnsupportedByStoreError } from '../store/errors.ts'
import type { BidderQuery, EntryPosition, Store } from '../store/store.ts'
import type { UserId } from '../values/ids.ts'
import { type Page, pageOf, requirePageSize } from '../values/page.ts'
import { accepted, type Result } from '../values/result.ts'
import type { AuctionViews } from './auction-views.ts'

export type BidderBid = {
  readonly bid: Bid
  readonly view: ListedView
  /** The standing of the bidder in the auction now. */
  readonly standing: Standing
}

/**
 * Lists the bids and purchases of a user in all auctions, newest first. Automatic bids and raised maximums are left
 * out: they are not in the list, and `standing` includes their effect. New bids never make a page skip or repeat one.
 * Bids of unreadable auctions and other kinds of entries are left out, so a page may be short, and still have a `next`.
 */
export type ListBidsOfBidder = (
  bidderId: UserId,
  /** `limit`: 1 to `maxPageSize`. `after`: the `next` of the previous page. */
  query: BidderQuery,
) => Promise<Result<Page<BidderBid, EntryPosition>, Overloaded>>

type ListBidsOfBidderParts = {
  readonly store: Pick<Store, 'listBidderEntries'>
  readonly clock: Clock
  readonly views: AuctionViews
}

/** @throws UnsupportedByStoreError if the store has no `listBidderEntries` */
export function listBidsOfBidderUseCase({ store, clock, views }: ListBidsOfBidderParts): ListBidsOfBidder {
  return async (bidderId, { signal, ...query }) => {
    requirePageSize(query)
    if (store.listBidderEntries === undefined) {
      throw new UnsupportedByStoreError('the store cannot list the bids of a bidder: it has no listBidderEntries')
    }
    const { limit } = query
    const nowMs = clock.nowMs() // First, because entries may be added during the reads.
    // One more entry shows whether a further page exists.
    const entries = await store.listBidderEntries(bidderId, { ...query, limit: limit + 1, signal })
    const { items, next } = pageOf(entries, limit, ({ atMs, id }) => ({ timeMs: atMs, id }))
    // A later version may add kinds of entries. They leave the page short, and do not end the list.
    const shown = items.filter((entry) => bidOf(entry) !== undefined)
    const auctionIds = [...new Set(shown.map(({ auctionId }) => auctionId))]
    const viewById = await views.find(auctionIds, nowMs, signal)
    const bids = shown.flatMap((entry) => {
      const view = viewById.get(entry.auctionId)
      const placed = bidOf(entry)
      if (view === undefined || placed === undefined) return []
      const bid = bidIn(view.withdrawn, entry, placed)
      return [{ bid, view, standing: standingOf(bid, view) }]
    })
    return accepted({ items: bids, next })
  }
}
