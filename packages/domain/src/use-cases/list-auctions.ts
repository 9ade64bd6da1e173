import { initialState } from '../auction/state.ts'
import type { AuctionStatus } from '../auction/status.ts'
import { type ListedView, viewOf } from '../auction-view.ts'
import type { Clock } from '../clock.ts'
import type { ProductId, UserId } from '../ids.ts'
import type { Entry } from '../ledger/entry.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import type { Limits } from '../limits.ts'
import type { SafeObserver } from '../observer.ts'
import type { Page } from '../page.ts'
import { accepted, type Result } from '../result.ts'
import type { AuctionPosition, AuctionQuery, CallSignal, ListedItem, Store } from '../store.ts'
import { isUnreadableStored } from '../unreadable-stored.ts'
import type { CloseOverdue } from './close-due.ts'
import { timeForLooks } from './time-for-looks.ts'

type Common = {
  /** 1 to `maxPageSize`. */
  readonly limit: number
  /** The `next` of the page before. */
  readonly after?: AuctionPosition
  readonly ownerId?: UserId
  readonly productId?: ProductId
  /** Once it is aborted, nothing more is read, and the list fails with a StoreUnavailableError. */
  readonly signal?: CallSignal
}

export type ListAuctionsQuery =
  | (Common & { readonly order: 'newest'; readonly status?: AuctionStatus })
  /**
   * The earliest end first, of open auctions only. A page is of the auctions that come next on the store's agenda, where a soft close
   * may have moved an end that is not there yet; on the page they stand in the order of their effective ends.
   */
  | (Common & { readonly order: 'agenda'; readonly status?: 'Active' })

export type ListAuctions = (query: ListAuctionsQuery) => Promise<Result<Page<ListedView, AuctionPosition>, Overloaded>>

/** Where ledgers say that auctions do not match, so many are looked at for one page, at the most. */
const maxLookedAt = 500
const maxPerLook = 100

/** The statuses of auctions that have a place on the agenda, all of them. */
const openStatuses: readonly AuctionStatus[] = ['Pending', 'Active']

export type ListAuctionsParts = {
  readonly store: Pick<Store, 'listAuctions' | 'findHeads'>
  readonly clock: Clock
  readonly limits: Pick<Limits, 'deadlineMs'>
  readonly closeOverdue: CloseOverdue
  readonly observer?: SafeObserver | undefined
}

/** A view with its auction's place in the order of the list. */
type Placed = { readonly view: ListedView; readonly position: AuctionPosition }

/** What a look is for. */
type Wanted = {
  /** Any, if undefined. */
  readonly statuses: readonly AuctionStatus[] | undefined
  /** The maximum number of auctions. */
  readonly count: number
  /** What the page has already: an auction whose end moves meanwhile is met again. */
  readonly found: readonly Placed[]
}

const matches = ({ auction, status }: ListedView, { statuses, found }: Wanted): boolean =>
  (statuses?.includes(status) ?? true) && !found.some(({ view }) => view.auction.id === auction.id)

/**
 * Lists auctions, newest first or earliest end first. What others create meanwhile makes no page skip or repeat an auction; one whose
 * end is moved may come again in the order of ends. Where few auctions match, a page may be short, or empty, and still have a `next`.
 * An auction that can't be read is left out.
 */
export function listAuctionsUseCase({ store, clock, limits, closeOverdue, observer }: ListAuctionsParts): ListAuctions {
  /** Leaves out auctions whose last entry is unreadable: a failed read is split in halves until that entry is alone. */
  async function readViews(
    items: readonly ListedItem[],
    nowMs: number,
    signal: CallSignal | undefined,
  ): Promise<readonly Placed[]> {
    const ids = items.map(({ auction }) => auction.id)
    let heads: readonly Entry[]
    try {
      heads = await store.findHeads(ids, signal)
    } catch (error) {
      if (!isUnreadableStored(error)) throw error
      if (items.length === 1) {
        observer?.onUnreadable(error)
        return []
      }
      const half = Math.ceil(items.length / 2)
      const first = await readViews(items.slice(0, half), nowMs, signal)
      return [...first, ...(await readViews(items.slice(half), nowMs, signal))]
    }
    const stateOf = new Map(heads.map(({ auctionId, state }) => [auctionId, state]))
    return items.map(({ auction, position }) => {
      const view = viewOf(auction, stateOf.get(auction.id) ?? initialState, nowMs)
      closeOverdue(view)
      return { view, position }
    })
  }

  /** One page of the store's: those that are wanted, by their ledgers and the clock. */
  async function look(query: AuctionQuery, nowMs: number, wanted: Wanted): Promise<Page<Placed, AuctionPosition>> {
    const { items, unreadable, next } = await store.listAuctions(query)
    for (const error of unreadable ?? []) observer?.onUnreadable(error)
    const placed = await readViews(items, nowMs, query.signal)
    const matching = placed.filter(({ view }) => matches(view, wanted))
    const taken = matching.slice(0, wanted.count)
    return { items: taken, next: taken.length < matching.length ? taken.at(-1)?.position : next }
  }

  return async ({ status, limit, ...query }) => {
    const nowMs = clock.nowMs() // First: the ledgers may go on while they are read.
    const isLate = timeForLooks(clock, limits)
    const isOfOpen = status !== undefined && openStatuses.includes(status)
    const asked = query.order === 'newest' && isOfOpen ? { ...query, onlyOpen: true } : query
    // What is over may still have a place on the agenda.
    const anyStatus = query.order === 'agenda' ? openStatuses : undefined
    const statuses = status === undefined ? anyStatus : [status]
    let { items, next } = await look({ ...asked, limit }, nowMs, { statuses, count: limit, found: [] })
    // Where any status is wanted, all that was read matches.
    for (let lookedAt = limit; statuses !== undefined && lookedAt < maxLookedAt; lookedAt += maxPerLook) {
      if (items.length === limit || next === undefined || isLate()) break
      try {
        const rest = { ...asked, limit: Math.min(maxPerLook, maxLookedAt - lookedAt), after: next }
        const more = await look(rest, nowMs, { statuses, count: limit - items.length, found: items })
        items = [...items, ...more.items]
        next = more.next
      } catch {
        break // A page may be short, and its `next` is where this look began.
      }
    }
    const views = items.map(({ view }) => view)
    return accepted({ items: query.order === 'agenda' ? views.toSorted(bySoonestEnd) : views, next })
  }
}

const bySoonestEnd = (a: ListedView, b: ListedView): number => a.effectiveEndTime.epochMs - b.effectiveEndTime.epochMs
