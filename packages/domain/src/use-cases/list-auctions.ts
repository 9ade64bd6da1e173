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
  /** The `next` of the previous page. */
  readonly after?: AuctionPosition
  readonly ownerId?: UserId
  readonly productId?: ProductId
  /** After it is aborted, nothing is read, and the list fails with a StoreUnavailableError. */
  readonly signal?: CallSignal
}

export type ListAuctionsQuery =
  | (Common & { readonly order: 'newest'; readonly status?: AuctionStatus })
  /**
   * Open auctions only, the earliest end first. A page has the next auctions on the store's agenda, which may lack an end that a soft
   * close has just moved; the page is sorted by effective end.
   */
  | (Common & { readonly order: 'agenda'; readonly status?: 'Active' })

export type ListAuctions = (query: ListAuctionsQuery) => Promise<Result<Page<ListedView, AuctionPosition>, Overloaded>>

/** The maximum number of auctions read for one page if ledgers show that auctions do not match. */
const maxLookedAt = 500
const maxPerLook = 100

/** All statuses of auctions on the agenda. */
const openStatuses: readonly AuctionStatus[] = ['Pending', 'Active']

export type ListAuctionsParts = {
  readonly store: Pick<Store, 'listAuctions' | 'findHeads'>
  readonly clock: Clock
  readonly limits: Pick<Limits, 'deadlineMs'>
  readonly closeOverdue: CloseOverdue
  readonly observer?: SafeObserver | undefined
}

/** A view with the position of its auction in the list. */
type Placed = { readonly view: ListedView; readonly position: AuctionPosition }

/** The auctions that a read of one page must return. */
type Wanted = {
  /** Any, if undefined. */
  readonly statuses: readonly AuctionStatus[] | undefined
  /** The maximum number of auctions. */
  readonly count: number
  /** The auctions already on the page: one whose end moves in the meantime is found again. */
  readonly found: readonly Placed[]
}

const matches = ({ auction, status }: ListedView, { statuses, found }: Wanted): boolean =>
  (statuses?.includes(status) ?? true) && !found.some(({ view }) => view.auction.id === auction.id)

/**
 * Lists auctions, newest first or earliest end first. New auctions never make a page skip or repeat one; an auction whose end
 * moves may appear again in the order of ends. If few auctions match, a page may be short or empty, and still have a `next`.
 * Unreadable auctions are left out.
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

  /** The wanted auctions of one page of the store, by their ledgers and the clock. */
  async function look(query: AuctionQuery, nowMs: number, wanted: Wanted): Promise<Page<Placed, AuctionPosition>> {
    const { items, unreadable, next } = await store.listAuctions(query)
    for (const error of unreadable ?? []) observer?.onUnreadable(error)
    const placed = await readViews(items, nowMs, query.signal)
    const matching = placed.filter(({ view }) => matches(view, wanted))
    const taken = matching.slice(0, wanted.count)
    return { items: taken, next: taken.length < matching.length ? taken.at(-1)?.position : next }
  }

  return async ({ status, limit, ...query }) => {
    const nowMs = clock.nowMs() // First, since the ledgers may continue while they are read.
    const isLate = timeForLooks(clock, limits)
    const isOfOpen = status !== undefined && openStatuses.includes(status)
    const asked = query.order === 'newest' && isOfOpen ? { ...query, onlyOpen: true } : query
    // An ended auction may still be on the agenda.
    const anyStatus = query.order === 'agenda' ? openStatuses : undefined
    const statuses = status === undefined ? anyStatus : [status]
    let { items, next } = await look({ ...asked, limit }, nowMs, { statuses, count: limit, found: [] })
    // Without a status, every auction matches.
    for (let lookedAt = limit; statuses !== undefined && lookedAt < maxLookedAt; lookedAt += maxPerLook) {
      if (items.length === limit || next === undefined || isLate()) break
      try {
        const rest = { ...asked, limit: Math.min(maxPerLook, maxLookedAt - lookedAt), after: next }
        const more = await look(rest, nowMs, { statuses, count: limit - items.length, found: items })
        items = [...items, ...more.items]
        next = more.next
      } catch {
        break // A page may be short; its `next` is where the failed read began.
      }
    }
    const views = items.map(({ view }) => view)
    return accepted({ items: query.order === 'agenda' ? views.toSorted(byEarliestEnd) : views, next })
  }
}

const byEarliestEnd = (a: ListedView, b: ListedView): number => a.effectiveEndTime.epochMs - b.effectiveEndTime.epochMs
