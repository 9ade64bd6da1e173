import type { ListedAuction } from '../auction/auction.ts'
import { isHiddenFrom, type Viewer } from '../auction/privacy.ts'
import type { AuctionStatus } from '../auction/status.ts'
import { hasWords } from '../auction/title-words.ts'
import type { CurrentView, ListedView } from '../auction/view.ts'
import type { Clock } from '../clock.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import type { Limits } from '../limits.ts'
import type { SafeObserver } from '../observer.ts'
import { UnsupportedByStoreError } from '../store/errors.ts'
import {
  type AuctionPosition,
  type AuctionQuery,
  agendaStages,
  type CallSignal,
  keysIn,
  type ListedItem,
  type ListKeys,
  type Stage,
  type Store,
  type AuctionPage as StoredPage,
} from '../store/store.ts'
import { createListTime } from '../time-limit.ts'
import type { AuctionId } from '../values/ids.ts'
import { type Page, requirePageSize } from '../values/page.ts'
import { accepted, type Result } from '../values/result.ts'
import type { AuctionViews } from './auction-views.ts'

export const endedOutcomes = ['sold', 'unsold', 'bought'] as const
type EndedOutcome = (typeof endedOutcomes)[number]

type Common = ListKeys & {
  /** 1 to `maxPageSize`. */
  readonly limit: number
  /** The `next` of the previous page. */
  readonly after?: AuctionPosition | undefined
  /** After it is aborted, nothing is read, and the list fails with a StoreUnavailableError. */
  readonly signal?: CallSignal
}

type OrderedQuery =
  | (Common & {
      readonly order: 'newest'
      readonly status?: AuctionStatus | undefined
      /** The title of each listed auction has all of these 1 to `maxSearchWords` words of `wordsOf`. */
      readonly words?: readonly string[] | undefined
    })
  /**
   * The earliest end first. A page has the next auctions on the store's agenda, which may lack an end that a soft close
   * has just moved; the page is sorted by effective end.
   */
  | (Common & { readonly order: 'agenda'; readonly status: 'Active' })
  /** The latest end first. An auction is listed when its end is recorded, a few seconds after it. */
  | (Common & { readonly order: 'ended'; readonly status: 'Cancelled' })
  | (Common & { readonly order: 'ended'; readonly status: 'Ended'; readonly outcome?: EndedOutcome | undefined })

/** Names the outcome in every order, which only one of them has. */
type AnyOrderedQuery = OrderedQuery & Viewer & { readonly outcome?: EndedOutcome | undefined }

export type ListAuctionsQuery = Viewer &
  (
    | OrderedQuery
    /** The auctions of these 1 to `maxPageSize` different ids that exist, in this order. The page has no `next`. */
    | (Pick<Common, 'signal'> & { readonly ids: readonly AuctionId[] })
  )

type AuctionPage = Page<CurrentView<ListedAuction>, AuctionPosition>

export type ListAuctions = (query: ListAuctionsQuery) => Promise<Result<AuctionPage, Overloaded>>

type ListAuctionsParts = {
  readonly store: Pick<Store, 'listAuctions' | 'addTitleWords'>
  readonly clock: Clock
  readonly limits: Pick<Limits, 'deadlineMs'>
  readonly views: AuctionViews
  readonly observer?: SafeObserver | undefined
}

/**
 * Lists auctions, newest first, or by end with the earliest or the latest first. New auctions never make a page skip or
 * repeat one; an auction whose end moves may appear again in the order of ends, and one whose end moves to an earlier
 * time may be omitted there. Lists by `Ended` and `Cancelled` have an
 * auction that ended before its `endTime` when the store has noted that, which a crash may delay until its `endTime`. A
 * page may be short or empty, and still have a `next`: see `maxScannedAuctions`. Unreadable auctions are left out.
 * @throws UnsupportedByStoreError for a search of a store without `addTitleWords`
 */
export function listAuctionsUseCase(parts: ListAuctionsParts): ListAuctions {
  const { clock, views } = parts
  return async (query) => {
    if (!('ids' in query)) {
      requirePageSize(query)
      if ('words' in query && query.words !== undefined) requireSearch(parts.store)
      return accepted(await listInOrder(parts, query))
    }
    const viewById = await views.find(query.ids, clock.nowMs(), query.signal)
    const items = query.ids.flatMap((id) => viewById.get(id) ?? [])
    return accepted({ items: items.filter(({ auction }) => !isHiddenFrom(auction, query)), next: undefined })
  }
}

function requireSearch({ addTitleWords }: Pick<Store, 'addTitleWords'>): void {
  if (addTitleWords !== undefined) return
  throw new UnsupportedByStoreError('the store cannot search titles: it has no addTitleWords')
}

/** The maximum number of auctions read for one page if ledgers show that auctions do not match. */
const maxReadPerPage = 500
const maxPerRead = 100

async function listInOrder(parts: ListAuctionsParts, query: AnyOrderedQuery): Promise<AuctionPage> {
  const { clock, limits } = parts
  const nowMs = clock.nowMs() // First, because entries may be added during the reads.
  const isLate = createListTime(clock, limits.deadlineMs)
  const { limit, order, seesPrivate } = query
  const filter = filterOf(query)
  // A `next` after which there are only hidden auctions would show that there are some, so one more is read.
  const most = seesPrivate === true ? limit : limit + 1
  const storeQuery = storeQueryOf(query)
  // First, because an auction that changes its stage between both reads must be in one of them.
  const due = await findDue(parts.store, query, storeQuery, nowMs)
  const read = (count: number, matches: readonly Match[], after = query.after) =>
    readMatches(parts, { ...storeQuery, limit: count, after }, due, nowMs, {
      ...filter,
      limit: most - matches.length,
      matches,
    })
  let page = await read(most, [])
  for (let readCount = most; readCount < maxReadPerPage; readCount += maxPerRead) {
    if (page.matches.length === most || !mayHaveMore(page, filter) || isLate()) break
    try {
      page = await read(Math.min(maxPerRead, maxReadPerPage - readCount), page.matches, page.next)
    } catch {
      break // A page may be short; its `next` is where the failed read began.
    }
  }
  const matches = page.matches.slice(0, limit)
  const listed = matches.map(({ view }) => view)
  const next = page.matches.length > limit ? matches.at(-1)?.position : page.next
  return { items: order === 'agenda' ? listed.toSorted(byEarliestEnd) : listed, next }
}

/** What an auction must have to be listed, by its ledger and the clock. */
type Filter = Viewer & {
  /** Any, if undefined. */
  readonly status: AuctionStatus | undefined
  /** Any or none, if undefined. */
  readonly outcome: EndedOutcome | undefined
  /** The index of a store may have words that a title had before a correction. */
  readonly words: readonly string[]
}

function filterOf({ order, status, outcome, viewerId, seesPrivate, ...query }: AnyOrderedQuery): Filter {
  const words = order === 'newest' && 'words' in query ? (query.words ?? []) : []
  return { status, outcome, words, viewerId, seesPrivate }
}

type StagesOfStatus = { readonly stages: readonly Stage[]; readonly before: readonly Stage[] }

/** The stages that the store has of auctions with a status, and those that it may have until it notes the status. */
const stagesByStatus: Readonly<Record<AuctionStatus, StagesOfStatus>> = {
  Pending: { stages: ['pending'], before: [] },
  Active: { stages: ['open'], before: ['pending'] },
  Ended: { stages: endedOutcomes, before: agendaStages },
  Cancelled: { stages: ['cancelled'], before: agendaStages },
}

function storeQueryOf({ status, outcome, viewerId: _, seesPrivate: __, ...query }: AnyOrderedQuery): AuctionQuery {
  const stages = outcome === undefined ? status && stagesByStatus[status].stages : [outcome]
  return { ...query, stages }
}

/**
 * Auctions that may have the status by the clock, but are still in a stage before it, until the next `closeDue`. If
 * more than one read finds them, which is right after very many have started or ended at once, the others are omitted.
 */
async function findDue(
  store: Pick<Store, 'listAuctions'>,
  { order, status }: AnyOrderedQuery,
  query: AuctionQuery,
  nowMs: number,
): Promise<readonly ListedItem[]> {
  const before = status === undefined ? [] : stagesByStatus[status].before
  if (before.length === 0 || order === 'ended') return []
  const same = { ...keysIn(query), signal: query.signal, stages: before, limit: maxPerRead }
  const { items } = await store.listAuctions({ order: 'agenda', dueByMs: nowMs, ...same })
  if (order === 'agenda') return items
  return items.map(({ auction }) => ({
    auction,
    position: { order, timeMs: auction.createdAtMs, id: auction.id },
  }))
}

type Match = { readonly view: CurrentView<ListedAuction>; readonly position: AuctionPosition }

/** The auctions of a page so far. */
type Matches = {
  readonly matches: readonly Match[]
  readonly next: AuctionPosition | undefined
  /** Whether the last page had auctions that the reader may not know of. */
  readonly hasHidden: boolean
  /** Whether the store ended the last page at the bound of its read, before the limit. */
  readonly isShort: boolean
}

/**
 * Whether a further read may find auctions of the page. Without a status and words, the first one has found all, but for
 * hidden ones.
 */
function mayHaveMore({ next, hasHidden, isShort }: Matches, { status, words }: Filter): boolean {
  if (next === undefined) return false
  // A search looks up each word of each auction, so its pages are bounded by one read.
  return words.length === 0 ? status !== undefined || hasHidden : !isShort
}

/** Reads one page of the store, with those `due` that belong to it, and adds up to `limit` auctions that match. */
async function readMatches(
  { store, views, observer }: ListAuctionsParts,
  query: AuctionQuery,
  due: readonly ListedItem[],
  nowMs: number,
  { limit, matches, ...filter }: Filter & { readonly limit: number; readonly matches: readonly Match[] },
): Promise<Matches> {
  const stored = await store.listAuctions(query)
  const { items, unreadable = [], next } = due.length === 0 ? stored : withDue(stored, due, query)
  for (const error of unreadable) observer?.onUnreadable(error)
  // An auction whose end moves in the meantime is read again.
  const known = new Set(matches.map(({ view }) => view.auction.id))
  const viewed = await views.of(items, nowMs, query.signal)
  const visible = viewed.filter(({ view }) => !isHiddenFrom(view.auction, filter))
  const matching = visible.filter(({ view }) => isMatch(view, filter) && !known.has(view.auction.id))
  const added = matching.slice(0, limit)
  const hasHidden = visible.length < viewed.length
  // The position of a hidden auction would tell when it was created.
  const isCut = added.length < matching.length || (hasHidden && next !== undefined && added.length > 0)
  return {
    matches: [...matches, ...added],
    next: isCut ? added.at(-1)?.position : next,
    hasHidden,
    isShort: next !== undefined && items.length + unreadable.length < query.limit,
  }
}

const isMatch = ({ auction, status, result }: ListedView, { outcome, words, ...wanted }: Filter): boolean =>
  (wanted.status === undefined || wanted.status === status) &&
  (outcome === undefined || result?.outcome === outcome) &&
  (words.length === 0 || hasWords(auction.title, words))

const byEarliestEnd = (a: ListedView, b: ListedView): number => a.effectiveEndTime.epochMs - b.effectiveEndTime.epochMs

/** Adds those `due` to a page that belong to it. */
function withDue(stored: StoredPage, due: readonly ListedItem[], { after, limit }: AuctionQuery): StoredPage {
  const { next } = stored
  const isOfPage = ({ position }: ListedItem) =>
    (after === undefined || compare(position, after) > 0) && (next === undefined || compare(position, next) <= 0)
  const byId = new Map([...stored.items, ...due.filter(isOfPage)].map((item) => [item.auction.id, item]))
  const complete = [...byId.values()].toSorted((a, b) => compare(a.position, b.position))
  const items = complete.slice(0, limit)
  return { ...stored, items, next: items.length < complete.length ? items.at(-1)?.position : next }
}

/** Compares two positions of one order. */
const compare = (a: AuctionPosition, b: AuctionPosition): number =>
  (a.timeMs - b.timeMs || a.id - b.id) * (a.order === 'agenda' ? 1 : -1)
