import type { Bid } from '../auction/bid.ts'
import { type AuctionEntry, apartOf, bidIn, bidOf } from '../auction/entry.ts'
import { formatOf } from '../auction/formats/formats.ts'
import { isHiddenFrom, type Viewer } from '../auction/privacy.ts'
import { type ListedView, type Standing, standingOf } from '../auction/view.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import { isSealedBidsUnavailable } from '../sealer.ts'
import { UnsupportedByStoreError } from '../store/errors.ts'
import type { BidderQuery, CallSignal, EntryPosition, Store } from '../store/store.ts'
import type { UserId } from '../values/ids.ts'
import { type Page, pageOf, requirePageSize } from '../values/page.ts'
import { accepted, type Result } from '../values/result.ts'
import type { AuctionViews } from './auction-views.ts'
import { type ApartParts, isOwnWithdrawal, openedBid, ownWithdrawals, withdrawnThrough } from './bids-apart.ts'

export type BidderBid = {
  readonly bid: Bid
  readonly view: ListedView
  /** The standing of the bidder in the auction now. */
  readonly standing: Standing
}

/**
 * Lists the bids and purchases of a user in all auctions, newest first. Automatic bids and raised maximums are left
 * out: they are not in the list, and `standing` includes their effect. New bids never make a page skip or repeat one.
 * Sealed bids are only in the user's own list. Bids of unreadable auctions, sealed ones whose key is missing, own
 * withdrawals and other kinds of entries are left out, so a page may be short, and still have a `next`.
 */
export type ListBidsOfBidder = (
  bidderId: UserId,
  /** `limit`: 1 to `maxPageSize`. `after`: the `next` of the previous page. */
  query: BidderQuery & Viewer,
) => Promise<Result<Page<BidderBid, EntryPosition>, Overloaded>>

type ListBidsOfBidderParts = ApartParts & {
  readonly store: Pick<Store, 'findHeads'>
  readonly views: AuctionViews
}

/** @throws UnsupportedByStoreError if the store has no `listBidderEntries` */
export function listBidsOfBidderUseCase(parts: ListBidsOfBidderParts): ListBidsOfBidder {
  const { clock, views } = parts
  return async (bidderId, { signal, viewerId, seesPrivate, ...query }) => {
    requirePageSize(query)
    const nowMs = clock.nowMs() // First, because entries may be added during the reads.
    const isOwn = viewerId === bidderId
    const { items, next } = await readPage(parts, bidderId, isOwn, { ...query, signal })
    const auctionIds = [...new Set(items.map(({ auctionId }) => auctionId))]
    const viewById = await views.find(auctionIds, nowMs, signal)
    const openedIn = isOwn ? await openOwn(parts, bidderId, items, signal) : undefined
    const bids = items.flatMap((entry) => {
      const view = viewById.get(entry.auctionId)
      if (view === undefined || isHiddenFrom(view.auction, { viewerId, seesPrivate })) return []
      const placed = bidOf(entry)
      const bid = isSealedBid(entry) ? openedIn?.(entry) : placed && bidIn(view.withdrawn, entry, placed)
      return bid === undefined ? [] : [{ bid, view, standing: standingOf(bid, view) }]
    })
    return accepted({ items: bids, next })
  }
}

/** A page of entries: of the user, and for the user also those that are apart. */
async function readPage(
  { store }: ListBidsOfBidderParts,
  bidderId: UserId,
  isOwn: boolean,
  { limit, ...query }: BidderQuery,
): Promise<Page<AuctionEntry, EntryPosition>> {
  const { listBidderEntries } = store
  if (listBidderEntries === undefined)
    throw new UnsupportedByStoreError('the store cannot list the bids of a bidder: it has no listBidderEntries')
  // One more entry shows whether a further page exists.
  const read = (id: UserId) => listBidderEntries(id, { ...query, limit: limit + 1 })
  const [others, apart] = await Promise.all([read(bidderId), isOwn ? read(apartOf(bidderId)) : []])
  const newestFirst = [...others, ...apart].toSorted((one, other) => other.atMs - one.atMs || other.id - one.id)
  return pageOf(newestFirst.slice(0, limit + 1), limit, ({ atMs, id }) => ({ timeMs: atMs, id }))
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
