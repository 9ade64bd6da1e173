import type { Bid } from '../auction/bid.ts'
import { automaticBidOf, bidOf, type Entry, isBidEntry } from '../auction/entry.ts'
import type { Clock } from '../clock.ts'
import type { AuctionNotFound, Overloaded } from '../ledger/pending-command.ts'
import type { Limits } from '../limits.ts'
import type { CallSignal, Store } from '../store/store.ts'
import { type AuctionId, idBefore } from '../values/ids.ts'
import { type Page, pageOf } from '../values/page.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { requirePageSize } from './check-arguments.ts'
import { timeForLooks } from './time-for-looks.ts'

export type ListBidsQuery = {
  /** 1 to `maxPageSize`. */
  readonly limit: number
  /** The `next` of the previous page. */
  readonly before?: number
  /** After it is aborted, nothing is read, and the list fails with a StoreUnavailableError. */
  readonly signal?: CallSignal
}

export type ListBids = (
  auctionId: AuctionId,
  query: ListBidsQuery,
) => Promise<Result<Page<Bid, number>, AuctionNotFound | Overloaded>>

export type ListBidsParts = {
  readonly store: Pick<Store, 'findAuction' | 'listEntries' | 'findEntries'>
  readonly clock: Clock
  readonly limits: Pick<Limits, 'deadlineMs'>
}

/** A bid with its position: twice the sequence of its entry, plus one for an automatic bid. */
type Placed = { readonly place: number; readonly bid: Bid }

/** The maximum number of reads per page. Each read finds a bid, because runs of raised maximums are skipped. */
const maxLooks = 5

/**
 * Lists an auction's bids, newest first. New bids never make a page skip or repeat one. After raised maximums or repeated
 * cancellations, a page may be short, and still have a `next`.
 */
export function listBidsUseCase({ store, clock, limits }: ListBidsParts): ListBids {
  async function list(
    auctionId: AuctionId,
    limit: number,
    from: number,
    signal: CallSignal | undefined,
    isLate: () => boolean,
  ): Promise<Page<Placed, number>> {
    const found: Placed[] = []
    // One more for the end of the auction, which is not a bid, and one to detect a further page.
    const asked = limit + 2
    let before = from
    for (let looks = 1; ; looks++) {
      const older = before === Number.POSITIVE_INFINITY ? {} : { before: Math.ceil(before / 2) }
      const entries = await store.listEntries(auctionId, { limit: asked, signal, ...older })
      found.push(...entries.flatMap(bidsIn).filter(({ place }) => place < from))
      const last = entries.at(-1)
      // Only corrections precede a correction.
      const isFirst = last === undefined || last.sequence === 1 || last.event.type === 'corrected'
      const isEnd = entries.length < asked || isFirst
      if (isEnd || found.length > limit) return pageOf(found, limit, ({ place }) => place)
      if (found.length === limit || looks === maxLooks || isLate()) return { items: found, next: 2 * last.sequence }
      before = await placeAfter(last, signal)
    }
  }

  /** The position at which the list continues. Between a raised maximum and its bid, all entries are raised maximums. */
  async function placeAfter(
    { auctionId, sequence, event, state }: Entry,
    signal: CallSignal | undefined,
  ): Promise<number> {
    const place = 2 * sequence
    if (event.type !== 'maximum-raised' || event.automatic !== undefined || state.leader === null) return place
    const { bidId } = state.leader
    const ids = [bidId, idBefore(bidId)].filter((id) => id !== undefined)
    const entries = await store.findEntries(ids, signal)
    // The id of an automatic bid follows that of its entry.
    const entry = entries.find(({ id }) => id === bidId) ?? entries.find((each) => each.auctionId === auctionId)
    return entry?.auctionId === auctionId ? Math.min(2 * (entry.sequence + 1), place) : place
  }

  return async (auctionId, query) => {
    requirePageSize(query)
    const { limit, before = Number.POSITIVE_INFINITY, signal } = query
    const isLate = timeForLooks(clock, limits)
    const [auction, page] = await Promise.all([
      store.findAuction(auctionId),
      list(auctionId, limit, before, signal, isLate),
    ])
    if (auction === undefined) return refused({ code: 'auction-not-found', auctionId })
    return accepted({ items: page.items.map(({ bid }) => bid), next: page.next })
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
