import type { ListedAuction } from '../auction/auction.ts'
import type { AuctionStatus } from '../auction/status.ts'
import { hasWords, wordsOf } from '../auction/title-words.ts'
import type { CurrentView, ListedView } from '../auction/view.ts'
import type { Clock } from '../clock.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import type { Limits } from '../limits.ts'
import type { SafeObserver } from '../observer.ts'
import type { AuctionPosition, AuctionQuery, CallSignal, Store } from '../store/store.ts'
import type { AuctionId, ProductId, UserId } from '../values/ids.ts'
import type { Page } from '../values/page.ts'
import { accepted, type Result } from '../values/result.ts'
import type { AuctionViews } from './auction-views.ts'
import { requirePageSize } from './check-arguments.ts'
import { listInStore } from './list-in-store.ts'
import { timeForLooks } from './time-for-looks.ts'

/** The outcomes of auctions with the status `Ended`. */
export const endedOutcomes = ['sold', 'unsold', 'bought'] as const
type EndedOutcome = (typeof endedOutcomes)[number]

type Common = {
  /** 1 to `maxPageSize`. */
  readonly limit: number
  /** The `next` of the previous page. */
  readonly after?: AuctionPosition
  readonly ownerId?: UserId
  readonly productId?: ProductId
  /** After it is aborted, nothing is read, and the list fails with a StoreUnavailableError. */
  readonly signal?: CallSignal
}

/** A list of all auctions in an order, with filters, page by page. */
type OrderedQuery =
  | (Common & {
      readonly order: 'newest'
      readonly status?: AuctionStatus
      /** Only auctions whose title has all of these 1 to `maxSearchWords` words, which `searchWordsOf` or `wordsOf` returned. */
      readonly words?: readonly string[]
    })
  /**
   * Open auctions only, the earliest end first. A page has the next auctions on the store's agenda, which may lack an end that a soft
   * close has just moved; the page is sorted by effective end.
   */
  | (Common & { readonly order: 'agenda'; readonly status?: 'Active' })
  /** The latest end first. An auction is listed when its end is recorded, a few seconds after it. */
  | (Common & { readonly order: 'ended'; readonly status: 'Cancelled' })
  | (Common & { readonly order: 'ended'; readonly status: 'Ended'; readonly outcome?: EndedOutcome })

/** Names the outcome in every order, which only one of them has. */
type AnyOrderedQuery = OrderedQuery & { readonly outcome?: EndedOutcome }

export type ListAuctionsQuery =
  | OrderedQuery
  /** The auctions with these ids that exist, in the order requested: 1 to `maxPageSize` different ones. Without a `next`. */
  | (Pick<Common, 'signal'> & { readonly ids: readonly AuctionId[] })

type AuctionPage = Page<CurrentView<ListedAuction>, AuctionPosition>

export type ListAuctions = (query: ListAuctionsQuery) => Promise<Result<AuctionPage, Overloaded>>

/** The maximum number of auctions read for one page if ledgers show that auctions do not match. */
const maxLookedAt = 500
const maxPerLook = 100

/** All statuses of auctions on the agenda. */
const openStatuses: readonly AuctionStatus[] = ['Pending', 'Active']

export type ListAuctionsParts = {
  readonly store: Pick<Store, 'listAuctions'>
  readonly clock: Clock
  readonly limits: Pick<Limits, 'deadlineMs'>
  readonly views: AuctionViews
  readonly observer?: SafeObserver | undefined
}

/** A page of the store, without what is not wanted. */
type Look = Page<Placed, AuctionPosition> & {
  /** Whether the store ended the page at the bound of its read, before the limit. */
  readonly isShort: boolean
}

/** A view with the position of its auction in the list. */
type Placed = { readonly view: CurrentView<ListedAuction>; readonly position: AuctionPosition }

/** The auctions that a read of one page must return. */
type Wanted = {
  /** Any, if undefined. */
  readonly statuses: readonly AuctionStatus[] | undefined
  /** Any or none, if undefined. */
  readonly outcome: EndedOutcome | undefined
  /** The index of a store may have words that a title had before a correction. */
  readonly words: readonly string[]
  /** The maximum number of auctions. */
  readonly count: number
  /** The auctions already on the page: one whose end moves in the meantime is found again. */
  readonly found: readonly Placed[]
}

const matches = ({ auction, status, result }: ListedView, { statuses, outcome, words, found }: Wanted): boolean =>
  (statuses?.includes(status) ?? true) &&
  (outcome === undefined || result?.outcome === outcome) &&
  (words.length === 0 || hasWords(auction.title, words)) &&
  !found.some(({ view }) => view.auction.id === auction.id)

/**
 * Lists auctions, newest first, or by end with the earliest or the latest first. New auctions never make a page skip or repeat one;
 * an auction whose end moves may appear again in the order of ends. If few auctions match, a page may be short or empty, and still
 * have a `next`. Unreadable auctions are left out.
 */
export function listAuctionsUseCase({ store, clock, limits, views, observer }: ListAuctionsParts): ListAuctions {
  /** The wanted auctions of one page of the store, by their ledgers and the clock. */
  async function look(query: AuctionQuery, nowMs: number, wanted: Wanted): Promise<Look> {
    const { items, unreadable = [], next } = await listInStore(store, query)
    for (const error of unreadable) observer?.onUnreadable(error)
    const placed = await views.of(items, nowMs, query.signal)
    const matching = placed.filter(({ view }) => matches(view, wanted))
    const taken = matching.slice(0, wanted.count)
    const isShort = next !== undefined && items.length + unreadable.length < query.limit
    return { items: taken, next: taken.length < matching.length ? taken.at(-1)?.position : next, isShort }
  }

  async function listInOrder({ status, outcome, limit, ...query }: AnyOrderedQuery): Promise<AuctionPage> {
    const nowMs = clock.nowMs() // First, because entries may be added during the reads.
    const isLate = timeForLooks(clock, limits)
    const isOfOpen = status !== undefined && openStatuses.includes(status)
    const asked = query.order === 'newest' && isOfOpen ? { ...query, onlyOpen: true } : query
    // An ended auction may still be on the agenda.
    const anyStatus = query.order === 'agenda' ? openStatuses : undefined
    const statuses = status === undefined ? anyStatus : [status]
    const words = wordsOf((query.order === 'newest' && query.words?.join(' ')) || '')
    const wanted = { statuses, outcome, words }
    let { items, next, isShort } = await look({ ...asked, limit }, nowMs, { ...wanted, count: limit, found: [] })
    // Without a status and words, every auction matches.
    const isChecked = statuses !== undefined || words.length > 0
    for (let lookedAt = limit; isChecked && lookedAt < maxLookedAt; lookedAt += maxPerLook) {
      if (items.length === limit || next === undefined || isLate()) break
      // A search looks up each word of each auction, so its pages are bounded by one read.
      if (words.length > 0 && isShort) break
      try {
        const rest = { ...asked, limit: Math.min(maxPerLook, maxLookedAt - lookedAt), after: next }
        const more = await look(rest, nowMs, { ...wanted, count: limit - items.length, found: items })
        items = [...items, ...more.items]
        next = more.next
        isShort = more.isShort
      } catch {
        break // A page may be short; its `next` is where the failed read began.
      }
    }
    const listed = items.map(({ view }) => view)
    return { items: query.order === 'agenda' ? listed.toSorted(byEarliestEnd) : listed, next }
  }

  return async (query) => {
    if (!('ids' in query)) {
      requirePageSize(query)
      return accepted(await listInOrder(query))
    }
    const found = await views.find(query.ids, clock.nowMs(), query.signal)
    return accepted({ items: query.ids.flatMap((id) => found.get(id) ?? []), next: undefined })
  }
}

const byEarliestEnd = (a: ListedView, b: ListedView): number => a.effectiveEndTime.epochMs - b.effectiveEndTime.epochMs
