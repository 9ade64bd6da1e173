import type { Bid } from '../auction/bid.ts'
import { type AuctionEntry, bidIn, bidOf } from '../auction/entry.ts'
import { formatOf } from '../auction/formats/formats.ts'
import { type ListedView, type Standing, standingOf } from '../auction/view.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import { isSealedBidsUnavailable } from '../sealer.ts'
import { StoreUnavailableError, UnsupportedByStoreError } from '../store/errors.ts'
import type { BidderQuery, CallSignal, EntryPosition, Store } from '../store/store.ts'
import { createListTime } from '../time-limit.ts'
import type { UserId } from '../values/ids.ts'
import { type Page, pageOf, requirePageSize } from '../values/page.ts'
import { accepted, type Result } from '../values/result.ts'
import type { AuctionViews } from './auction-views.ts'
import {
  type ApartParts,
  entriesPerRead,
  isOwnWithdrawal,
  openedBid,
  ownWithdrawals,
  withdrawnThrough,
} from './bids-apart.ts'

export type BidderBid = {
  readonly bid: Bid
  readonly view: ListedView
  /** The standing of the bidder in the auction now. */
  readonly standing: Standing
}

/**
 * Lists the bids and purchases of a user in all auctions, newest first. Automatic bids and raised maximums are left
 * out: they are not in the list, and `standing` includes their effect. New bids never make a page skip or repeat one.
 * Sealed bids are only in the user's own list. Bids of unreadable auctions, and sealed ones whose key is missing, are
 * left out, so a page may be short, and still have a `next`.
 */
export type ListBidsOfBidder = (
  bidderId: UserId,
  /** `limit`: 1 to `maxPageSize`. `after`: the `next` of the previous page. `viewerId`: the user who reads. */
  query: BidderQuery & { readonly viewerId?: UserId | undefined },
) => Promise<Result<Page<BidderBid, EntryPosition>, Overloaded>>

type ListBidsOfBidderParts = ApartParts & {
  readonly store: Pick<Store, 'findHeads'>
  readonly views: AuctionViews
}

/** @throws UnsupportedByStoreError if the store has no `listBidderEntries` */
export function listBidsOfBidderUseCase(parts: ListBidsOfBidderParts): ListBidsOfBidder {
  const { clock, views } = parts
  return async (bidderId, { signal, viewerId, ...query }) => {
    requirePageSize(query)
    const nowMs = clock.nowMs() // First, because entries may be added during the reads.
    const isOwn = viewerId === bidderId
    const { items, next } = await readPage(parts, bidderId, isOwn, { ...query, signal })
    const auctionIds = [...new Set(items.map(({ auctionId }) => auctionId))]
    const viewById = await views.find(auctionIds, nowMs, signal)
    const openedIn = isOwn ? await openOwn(parts, bidderId, items, signal) : undefined
    const bids = items.flatMap((entry) => {
      const view = viewById.get(entry.auctionId)
      if (view === undefined) return []
      const placed = bidOf(entry)
      const bid = placed === undefined ? openedIn?.(entry) : bidIn(view.withdrawn, entry, placed)
      return bid === undefined ? [] : [{ bid, view, standing: standingOf(bid, view) }]
    })
    return accepted({ items: bids, next })
  }
}

/**
 * Reads entries until they fill the page, because a short page would show that there are sealed bids. A later version
 * may add kinds of entries, which are left out, too.
 */
async function readPage(
  { store, clock, limits }: ListBidsOfBidderParts,
  bidderId: UserId,
  isOwn: boolean,
  { limit, after: from, signal }: BidderQuery,
): Promise<Page<AuctionEntry, EntryPosition>> {
  if (store.listBidderEntries === undefined)
    throw new UnsupportedByStoreError('the store cannot list the bids of a bidder: it has no listBidderEntries')
  const isLate = createListTime(clock, limits.deadlineMs)
  const isShown = (entry: AuctionEntry) => (isSealedBid(entry) ? isOwn : bidOf(entry) !== undefined)
  const shown: AuctionEntry[] = []
  // One more entry shows whether a further page exists.
  let size = limit + 1
  for (let after = from; ; size = entriesPerRead) {
    const entries = await store.listBidderEntries(bidderId, { limit: size, after, signal })
    shown.push(...entries.filter(isShown))
    const last = entries.at(-1)
    if (last === undefined || entries.length < size || shown.length > limit)
      return pageOf(shown, limit, ({ atMs, id }) => ({ timeMs: atMs, id }))
    if (isLate()) throw new StoreUnavailableError(`the bids of user ${bidderId} could not be listed in time`)
    after = { timeMs: last.atMs, id: last.id }
  }
}

const isSealedBid = (entry: AuctionEntry): boolean =>
  entry.kind === undefined && formatOf(entry.state).keepsBidsApart === true && !isOwnWithdrawal(entry)

/** Opens the sealed bids among entries, for their bidder. */
async function openOwn(
  parts: ListBidsOfBidderParts,
  bidderId: UserId,
  entries: readonly AuctionEntry[],
  signal: CallSignal | undefined,
): Promise<(entry: AuctionEntry) => Bid | undefined> {
  const sealed = entries.filter(isSealedBid)
  const [heads, isWithdrawnByBidder] = await Promise.all([
    parts.store.findHeads([...new Set(sealed.map(({ auctionId }) => auctionId))], signal),
    ownWithdrawals(parts, bidderId, sealed, signal),
  ])
  const stateOf = new Map(heads.map(({ auctionId, state }) => [auctionId, state]))
  return (entry) => {
    const through = withdrawnThrough(stateOf.get(entry.auctionId) ?? entry.state, bidderId)
    try {
      return openedBid(entry, parts.sealer, entry.sequence <= through || isWithdrawnByBidder(entry))
    } catch (error) {
      // The bids of other auctions can be read, even if a key is lost.
      if (isSealedBidsUnavailable(error)) return undefined
      throw error
    }
  }
}
