import type { ListedAuction } from '../auction/auction.ts'
import type { AuctionStatus } from '../auction/status.ts'
import { hasWords, wordsOf } from '../auction/title-words.ts'
import type { CurrentView, ListedView } from '../auction/view.ts'
import type { Clock } from '../clock.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import type { Limits } from '../limits.ts'
import type { SafeObserver } from '../observer.ts'
import type { AuctionPosition, AuctionQuery, CallSignal, Store, AuctionPage as StoredPage } from '../store/store.ts'
import { createListTime } from '../time-limit.ts'
import type { AuctionId, ProductId, UserId } from '../values/ids.ts'
import { type Page, requirePageSize } from '../values/page.ts'
import { accepted, type Result } from '../values/result.ts'
import type { AuctionViews } from './auction-views.ts'

export const endedOutcomes = ['sold', 'unsold', 'bought'] as const
type EndedOutcome = (typeof endedOutcomes)[number]

type Common = {
  /** 1 to `maxPageSize`. */
  readonly limit: number
  /** The `next` of the previous page. */
  readonly after?: AuctionPosition | undefined
  readonly ownerId?: UserId | undefined
  readonly productId?: ProductId | undefined
  /** After it is aborted, nothing is read, and the list fails with a StoreUnavailableError. */
  readonly signal?: CallSignal
}

type OrderedQuery =
  | (Common & {
      readonly order: 'newest'
      readonly status?: AuctionStatus | undefined
      /** Only auctions whose title has all of these 1 to `maxSearchWords` words, of `searchWordsOf` or `wordsOf`. */
      readonly words?: readonly string[] | undefined
    })
  /**
   * Open auctions only, the earliest end first. A page has the next auctions on the store's agenda, which may lack an
   * end that a soft close has just moved; the page is sorted by effective end.
   */
  | (Common & { readonly order: 'agenda'; readonly status?: 'Active' })
  /** The latest end first. An auction is listed when its end is recorded, a few seconds after it. */
  | (Common & { readonly order: 'ended'; readonly status: 'Cancelled' })
  | (Common & { readonly order: 'ended'; readonly status: 'Ended'; readonly outcome?: EndedOutcome | undefined })

/** Names the outcome in every order, which only one of them has. */
type AnyOrderedQuery = OrderedQuery & { readonly outcome?: EndedOutcome | undefined }

export type ListAuctionsQuery =
  | OrderedQuery
  /** The auctions of these 1 to `maxPageSize` different ids that exist, in this order. The page has no `next`. */
  | (Pick<Common, 'signal'> & { readonly ids: readonly AuctionId[] })

type AuctionPage = Page<CurrentView<ListedAuction>, AuctionPosition>

export type ListAuctions = (query: ListAuctionsQuery) => Promise<Result<AuctionPage, Overloaded>>

type ListAuctionsParts = {
  readonly store: Pick<Store, 'listAuctions'>
  readonly clock: Clock
  readonly limits: Pick<Limits, 'deadlineMs'>
  readonly views: AuctionViews
  readonly observer?: SafeObserver | undefined
}

/**
 * Lists auctions, newest first, or by end with the earliest or the latest first. New auctions never make a page skip or
 * repeat one; an auction whose end moves may appear again in the order of ends. If few auctions match, a page may be
 * short or empty, and still have a `next`. Unreadable auctions are left out.
 */
export function listAuctionsUseCase(parts: ListAuctionsParts): ListAuctions {
  const { clock, views } = parts
  return async (query) => {
    if (!('ids' in query)) {
      requirePageSize(query)
      return accepted(await listInOrder(parts, query))
    }
    const viewById = await views.find(query.ids, clock.nowMs(), query.signal)
    return accepted({ items: query.ids.flatMap((id) => viewById.get(id) ?? []), next: undefined })
  }
}

/** The maximum number of auctions read for one page if ledgers show that auctions do not match. */
const maxReadPerPage = 500
const maxPerRead = 100

async function listInOrder(parts: ListAuctionsParts, query: AnyOrderedQuery): Promise<AuctionPage> {
  const { clock, limits } = parts
  const nowMs = clock.nowMs() // First, because entries may be added during the reads.
  const isLate = createListTime(clock, limits.deadlineMs)
  const { limit, order } = query
  const filter = filterOf(query)
  const read = (count: number, matches: readonly Match[], after = query.after) => {
    return readMatches(parts, { ...storeQueryOf(query), limit: count, after }, nowMs, {
      ...filter,
      limit: limit - matches.length,
      matches,
    })
  }
  let page = await read(limit, [])
  for (let readCount = limit; readCount < maxReadPerPage; readCount += maxPerRead) {
    if (page.matches.length === limit || !mayHaveMore(page, filter) || isLate()) break
    try {
      page = await read(Math.min(maxPerRead, maxReadPerPage - readCount), page.matches, page.next)
    } catch {
      break // A page may be short; its `next` is where the failed read began.
    }
  }
  const listed = page.matches.map(({ view }) => view)
  return { items: order === 'agenda' ? listed.toSorted(byEarliestEnd) : listed, next: page.next }
}

/** What an auction must have to be listed, by its ledger and the clock. */
type Filter = {
  /** Any, if undefined. */
  readonly statuses: readonly AuctionStatus[] | undefined
  /** Any or none, if undefined. */
  readonly outcome: EndedOutcome | undefined
  /** The index of a store may have words that a title had before a correction. */
  readonly words: readonly string[]
}

/** All statuses of auctions on the agenda. */
const openStatuses: readonly AuctionStatus[] = ['Pending', 'Active']

function filterOf(query: AnyOrderedQuery): Filter {
  const { order, status, outcome } = query
  // An ended auction may still be on the agenda.
  const anyStatus = order === 'agenda' ? openStatuses : undefined
  const words = order === 'newest' ? wordsOf(query.words?.join(' ') ?? '') : []
  return { statuses: status === undefined ? anyStatus : [status], outcome, words }
}

/** The query for the store, which knows no status: only whether an auction is on the agenda. */
function storeQueryOf({ status, outcome: _, ...query }: AnyOrderedQuery): AuctionQuery {
  const isOfOpen = status !== undefined && openStatuses.includes(status)
  return query.order === 'newest' && isOfOpen ? { ...query, onlyOpen: true } : query
}

type Match = { readonly view: CurrentView<ListedAuction>; readonly position: AuctionPosition }

/** The auctions of a page so far. */
type Matches = {
  readonly matches: readonly Match[]
  readonly next: AuctionPosition | undefined
  /** Whether the store ended the last page at the bound of its read, before the limit. */
  readonly isShort: boolean
}

/** Whether a further read may find auctions of the page. Without a status and words, the first one has found all. */
function mayHaveMore({ next, isShort }: Matches, { statuses, words }: Filter): boolean {
  if (next === undefined) return false
  // A search looks up each word of each auction, so its pages are bounded by one read.
  return words.length === 0 ? statuses !== undefined : !isShort
}

/** Reads one page of the store, and adds up to `limit` auctions that match. */
async function readMatches(
  { store, views, observer }: ListAuctionsParts,
  query: AuctionQuery,
  nowMs: number,
  { limit, matches, ...filter }: Filter & { readonly limit: number; readonly matches: readonly Match[] },
): Promise<Matches> {
  const { items, unreadable = [], next } = await listInStore(store, query)
  for (const error of unreadable) observer?.onUnreadable(error)
  // An auction whose end moves in the meantime is read again.
  const known = new Set(matches.map(({ view }) => view.auction.id))
  const viewed = await views.of(items, nowMs, query.signal)
  const matching = viewed.filter(({ view }) => isMatch(view, filter) && !known.has(view.auction.id))
  const added = matching.slice(0, limit)
  return {
    matches: [...matches, ...added],
    next: added.length < matching.length ? added.at(-1)?.position : next,
    isShort: next !== undefined && items.length + unreadable.length < query.limit,
  }
}

const isMatch = ({ auction, status, result }: ListedView, { statuses, outcome, words }: Filter): boolean =>
  (statuses?.includes(status) ?? true) &&
  (outcome === undefined || result?.outcome === outcome) &&
  (words.length === 0 || hasWords(auction.title, words))

const byEarliestEnd = (a: ListedView, b: ListedView): number => a.effectiveEndTime.epochMs - b.effectiveEndTime.epochMs

/**
 * Reads one page of the store. Titles that were stored before `wordsOf` removed the strokes of letters are indexed with
 * them, so a search with such letters reads the lists of both spellings and merges them.
 */
async function listInStore(store: Pick<Store, 'listAuctions'>, query: AuctionQuery): Promise<StoredPage> {
  const { words: earlier } = query
  if (earlier === undefined) return store.listAuctions(query)
  const words = wordsOf(earlier.join(' '))
  if (words.join(' ') === earlier.join(' ')) return store.listAuctions(query)
  const both = [words, earlier].map((spelling) => store.listAuctions({ ...query, words: spelling }))
  return merged(await Promise.all(both), query.limit)
}

/** Merges pages of lists with the newest first. After the first `next`, the page that has it may lack auctions. */
function merged(pages: readonly StoredPage[], limit: number): StoredPage {
  const ends = pages.flatMap(({ next }) => next ?? [])
  const end = ends.toSorted(newestFirst)[0]
  const byId = new Map(pages.flatMap(({ items }) => items).map((item) => [item.auction.id, item]))
  const complete = [...byId.values()]
    .filter(({ position }) => end === undefined || newestFirst(position, end) <= 0)
    .toSorted((a, b) => newestFirst(a.position, b.position))
  const items = complete.slice(0, limit)
  const unreadable = pages.flatMap((page) => page.unreadable ?? [])
  return { items, unreadable, next: items.length < complete.length ? items.at(-1)?.position : end }
}

const newestFirst = (a: AuctionPosition, b: AuctionPosition): number => b.timeMs - a.timeMs || b.id - a.id
