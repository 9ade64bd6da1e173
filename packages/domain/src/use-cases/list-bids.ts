import type { Bid } from '../auction/bid.ts'
import type { AuctionId } from '../ids.ts'
import { automaticBidOf, bidOf, type Entry, isBidEntry } from '../ledger/entry.ts'
import type { AuctionNotFound } from '../ledger/pending-command.ts'
import { type Page, pageOf } from '../page.ts'
import { accepted, type Result, refused } from '../result.ts'
import type { Store } from '../store.ts'

export type ListBidsQuery = {
  /** 1 to `maxPageSize`. */
  readonly limit: number
  /** The `next` of the page before. */
  readonly before?: number
}

export type ListBids = (
  auctionId: AuctionId,
  query: ListBidsQuery,
) => Promise<Result<Page<Bid, number>, AuctionNotFound>>

/** A bid at its place among those of its auction: twice the sequence of its entry, and one more where the service made it. */
type Placed = { readonly place: number; readonly bid: Bid }

/**
 * Lists an auction's bids, newest first. What others bid meanwhile makes no page skip or repeat a bid. Where maxima were raised, a
 * page may be short, or empty, and still have a `next`.
 */
export function listBidsUseCase({ store }: { readonly store: Pick<Store, 'findAuction' | 'listEntries'> }): ListBids {
  return async (auctionId, { limit, before = Number.POSITIVE_INFINITY }) => {
    // One more for the end of the auction, which is an entry and no bid, and one that tells whether there are more.
    const asked = limit + 2
    const older = before === Number.POSITIVE_INFINITY ? {} : { before: Math.ceil(before / 2) }
    const [auction, entries] = await Promise.all([
      store.findAuction(auctionId),
      store.listEntries(auctionId, { limit: asked, ...older }),
    ])
    if (auction === undefined) return refused({ code: 'auction-not-found', auctionId })
    const placed = entries.flatMap(bidsIn).filter(({ place }) => place < before)
    const { items, next } = pageOf(placed, limit, ({ place }) => place)
    const last = entries.at(-1)
    const hasMore = entries.length === asked && last !== undefined && last.sequence > 1
    const nextPlace = hasMore ? 2 * last.sequence : undefined
    return accepted({ items: items.map(({ bid }) => bid), next: next ?? nextPlace })
  }
}

/** The bids of an entry, the newest first. */
function bidsIn(entry: Entry): readonly Placed[] {
  if (!isBidEntry(entry)) return []
  const place = 2 * entry.sequence
  const own = entry.event.type === 'bid-placed' ? [{ place, bid: bidOf(entry) }] : []
  const automatic = automaticBidOf(entry)
  return automatic === undefined ? own : [{ place: place + 1, bid: automatic }, ...own]
}
