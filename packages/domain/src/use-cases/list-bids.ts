import { type AuctionNotFound, notFound } from '../auction/auction-ledger.ts'
import type { Bid } from '../auction/bid.ts'
import { type AuctionEntry, bidIn, bidsOf } from '../auction/entry.ts'
import { formatOf } from '../auction/formats/formats.ts'
import { isHiddenFrom, type Viewer } from '../auction/privacy.ts'
import { initialStateOf, termsIn } from '../auction/state.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import type { CallSignal, Store } from '../store/store.ts'
import { createListTime } from '../time-limit.ts'
import { type AuctionId, entryIdsOf, type UserId } from '../values/ids.ts'
import { type Page, pageOf, requirePageSize } from '../values/page.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { type ApartParts, ownBids } from './bids-apart.ts'
import { createCountedBids, isRevealed } from './counted-bids.ts'

export type ListBidsQuery = Pick<Viewer, 'seesPrivate'> & {
  /** 1 to `maxPageSize`. */
  readonly limit: number
  /** The `next` of the previous page. */
  readonly before?: number | undefined
  /** The user who reads. Of sealed bids, the page has only theirs, or those that everyone may see after the result. */
  readonly viewerId?: UserId | undefined
  /** After it is aborted, nothing is read, and the list fails with a StoreUnavailableError. */
  readonly signal?: CallSignal
}

export type ListBids = (
  auctionId: AuctionId,
  query: ListBidsQuery,
) => Promise<Result<Page<Bid, number>, AuctionNotFound | Overloaded>>

type ListBidsParts = ApartParts & {
  readonly store: Pick<Store, 'findAuction' | 'findHeads' | 'listEntries' | 'findEntries'>
}

/** The maximum number of reads per page. Each read finds a bid, because runs of raised maximums are skipped. */
const maxReads = 5

/**
 * Lists an auction's bids, newest first. New bids never make a page skip or repeat one. After raised maximums or
 * repeated cancellations, a page may be short, and still have a `next`.
 */
export function listBidsUseCase(parts: ListBidsParts): ListBids {
  const { store, clock, limits } = parts
  const countedBids = createCountedBids(parts)
  return async (auctionId, query) => {
    requirePageSize(query)
    const { limit, before: from = Number.POSITIVE_INFINITY, viewerId, signal } = query
    const isLate = createListTime(clock, limits.deadlineMs)
    const [auction, [head]] = await Promise.all([store.findAuction(auctionId), store.findHeads([auctionId], signal)])
    if (auction === undefined || isHiddenFrom(auction, query)) return refused(notFound(auctionId))
    const state = head?.state ?? initialStateOf(auction)
    // The time of a read of the ledger would tell how many bids it has.
    if (formatOf(auction).keepsBidsApart) {
      if (head && isRevealed(auction, state)) return accepted(await countedBids(head, query))
      if (viewerId === undefined) return accepted({ items: [], next: undefined })
      return accepted(await ownBids(parts, termsIn(auction, state), state, viewerId, query))
    }
    const page = await readPage({ store, auctionId, limit, from, signal, isLate })
    const items = page.items.map(({ entry, bid }) => bidIn(state.repairs?.withdrawn, entry, bid, state))
    return accepted({ items, next: page.next })
  }
}

/** A bid with its position in the list: twice the sequence of its entry, plus one for a bid that the service placed. */
type ListedBid = { readonly position: number; readonly entry: AuctionEntry; readonly bid: Bid }

type Reading = {
  readonly store: Pick<Store, 'listEntries' | 'findEntries'>
  readonly auctionId: AuctionId
  readonly limit: number
  /** The page has only bids before this position. */
  readonly from: number
  readonly signal: CallSignal | undefined
  readonly isLate: () => boolean
}

/** Reads entries until they fill the page, or the ledger has no older bids. */
async function readPage(reading: Reading): Promise<Page<ListedBid, number>> {
  const { limit, from, isLate } = reading
  const bids: ListedBid[] = []
  let before = from
  for (let reads = 1; ; reads++) {
    const { entries, hasOlder } = await readEntries(reading, before)
    bids.push(...entries.flatMap(bidsIn).filter(({ position }) => position < from))
    const oldest = entries.at(-1)
    if (oldest === undefined || !hasOlder || bids.length > limit) return pageOf(bids, limit, ({ position }) => position)
    if (bids.length === limit || reads === maxReads || isLate()) return { items: bids, next: positionOf(oldest) }
    before = await skipEntriesWithoutBids(reading, oldest)
  }
}

/** Reads the entries before a position, newest first. */
async function readEntries({ store, auctionId, limit, signal }: Reading, before: number) {
  // One more for the end of the auction, which is not a bid, and one to detect a further page.
  const count = limit + 2
  const older = before === Number.POSITIVE_INFINITY ? {} : { before: Math.ceil(before / 2) }
  const entries = await store.listEntries(auctionId, { limit: count, signal, ...older })
  return { entries, hasOlder: entries.length === count && mayFollowBid(entries.at(-1)) }
}

/** No bid precedes a correction. */
const mayFollowBid = (entry: AuctionEntry | undefined): boolean =>
  entry !== undefined && entry.sequence > 1 && entry.event.type !== 'corrected'

const positionOf = ({ sequence }: AuctionEntry): number => 2 * sequence

/**
 * The position at which the list continues. If an entry without bids knows the bid before it, no entries between them
 * are bids, but for withdrawn ones: those precede the withdrawal.
 */
async function skipEntriesWithoutBids({ store, signal }: Reading, oldest: AuctionEntry): Promise<number> {
  const { auctionId, state } = oldest
  const bidId = formatOf(state).bidBefore?.(oldest)
  if (bidId === undefined) return positionOf(oldest)
  const ids = entryIdsOf(bidId)
  const entries = await store.findEntries(ids, { auctionIds: [auctionId], signal })
  const entry = entries.find(({ id }) => id === ids[0]) ?? entries.find((other) => other.auctionId === auctionId)
  if (entry?.auctionId !== auctionId) return positionOf(oldest)
  const withdrawnThrough = Math.max(0, ...(state.repairs?.withdrawn ?? []).map((bidder) => bidder.throughSequence))
  const sequence = Math.max(entry.sequence, withdrawnThrough)
  return Math.min(2 * sequence + 2, positionOf(oldest))
}

/** The bids of an entry, the newest first. */
const bidsIn = (entry: AuctionEntry): readonly ListedBid[] =>
  bidsOf(entry)
    .map((bid) => ({ position: positionOf(entry) + bid.id - entry.id, entry, bid }))
    .toReversed()
