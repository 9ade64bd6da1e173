import type { ListedAuction } from '../auction/auction.ts'
import { initialState } from '../auction/state.ts'
import type { AuctionStatus } from '../auction/status.ts'
import { type ListedView, viewOf } from '../auction-view.ts'
import type { Clock } from '../clock.ts'
import type { ProductId, UserId } from '../ids.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import { findReadableHeads } from '../ledger/readable-heads.ts'
import type { Limits } from '../limits.ts'
import type { SafeObserver } from '../observer.ts'
import type { Page } from '../page.ts'
import { accepted, type Result } from '../result.ts'
import {
  type AuctionPage,
  type AuctionPosition,
  type AuctionQuery,
  positionOf,
  type ReadSignal,
  type Store,
} from '../store.ts'
import type { CloseOverdue, KnownOvertime } from './close-due.ts'
import { listOvertime } from './overtime.ts'
import { withTimeForLooks } from './time-for-looks.ts'

type Common = {
  /** 1 to `maxPageSize`. */
  readonly limit: number
  /** The `next` of the page before. */
  readonly after?: AuctionPosition
  readonly ownerId?: UserId
  readonly productId?: ProductId
  /** Once it is aborted, nothing more is read, and the list fails with a StoreUnavailableError. */
  readonly signal?: ReadSignal
}

export type ListAuctionsQuery =
  | (Common & { readonly order: 'newest'; readonly status?: AuctionStatus })
  /** A page is of the auctions whose `endTime`, as it was sent, comes next; on it they stand in the order of their effective ends. */
  | (Common & { readonly order: 'endTime'; readonly status?: 'Active' })

export type ListAuctions = (query: ListAuctionsQuery) => Promise<Result<Page<ListedView, AuctionPosition>, Overloaded>>

/** Where ledgers say that auctions do not match, so many are looked at for one page, at the most. */
const maxLookedAt = 500
const maxPerLook = 100

export type ListAuctionsParts = {
  readonly store: Pick<Store, 'listAuctions' | 'findHeads'>
  readonly clock: Clock
  readonly limits: Pick<Limits, 'deadlineMs'>
  readonly closeOverdue: CloseOverdue
  readonly overtime: KnownOvertime
  readonly observer?: SafeObserver | undefined
}

/**
 * Lists auctions, newest first or soonest end first. What others create meanwhile makes no page skip or repeat an auction. Where
 * few auctions match, a page may be short, or empty, and still have a `next`. An auction that can't be read is left out.
 */
export function listAuctionsUseCase(parts: ListAuctionsParts): ListAuctions {
  const { store, clock, limits, closeOverdue, overtime, observer } = parts

  async function readViews(
    auctions: readonly ListedAuction[],
    nowMs: number,
    signal: ReadSignal | undefined,
  ): Promise<readonly ListedView[]> {
    const ids = auctions.map(({ id }) => id)
    const { heads, unreadable } = await findReadableHeads(store, ids, signal)
    for (const error of unreadable.values()) observer?.onUnreadable(error)
    const stateOf = new Map(heads.map(({ auctionId, state }) => [auctionId, state]))
    const readable = auctions.filter(({ id }) => !unreadable.has(id))
    const views = readable.map((auction) => viewOf(auction, stateOf.get(auction.id) ?? initialState, nowMs))
    views.forEach(closeOverdue)
    return views
  }

  /** In the order of ends, those in overtime come before those whose end is not over; they are looked for at the same time. */
  async function listCandidates(query: AuctionQuery, isLate: () => boolean): Promise<AuctionPage> {
    const { status, after, limit, order } = query
    const isBehindNow = after?.order === 'endTime' && status !== undefined && after.endMs > status.nowMs
    if (order !== 'endTime' || status === undefined || isBehindNow) return store.listAuctions(query)
    const [late, open] = await Promise.all([
      listOvertime(store, query, status.nowMs, overtime, isLate),
      store.listAuctions(query),
    ])
    if (late.next !== undefined) return late
    const auctions = [...late.auctions, ...open.auctions]
    const last = auctions[limit - 1]
    if (auctions.length <= limit || last === undefined) return { auctions, next: open.next }
    return { auctions: auctions.slice(0, limit), next: positionOf(order, last) }
  }

  /** As far as terms and the clock tell, auctions match; by their ledgers, some may be over early, or late. */
  async function look(query: AuctionQuery, nowMs: number, wanted: number, isLate: () => boolean): Promise<Look> {
    const { auctions, next } = await listCandidates(query, isLate)
    const views = await readViews(auctions, nowMs, query.signal)
    const matching = views.filter(({ status }) => status === (query.status?.is ?? status))
    const items = matching.slice(0, wanted)
    const last = items.at(-1)
    const isCut = items.length < matching.length && last !== undefined
    return {
      items,
      next: isCut ? positionOf(query.order, last.auction) : next,
      isWhole: items.length === wanted || matching.length === views.length,
    }
  }

  /** Looks on where ledgers have left out auctions of the look before, and there is time for it. */
  async function list({ limit, ...query }: AuctionQuery, nowMs: number, isLate: () => boolean): Promise<Look> {
    let found = await look({ ...query, limit }, nowMs, limit, isLate)
    for (let lookedAt = limit; lookedAt < maxLookedAt; lookedAt += maxPerLook) {
      const { items, next, isWhole } = found
      if (isWhole || next === undefined || isLate()) break
      try {
        const rest = { ...query, limit: Math.min(maxPerLook, maxLookedAt - lookedAt), after: next }
        const more = await look(rest, nowMs, limit - items.length, isLate)
        found = { ...more, items: [...items, ...more.items] }
      } catch {
        break // A page may be short, and its `next` is where this look began.
      }
    }
    return found
  }

  return async ({ status, ...query }) => {
    const nowMs = clock.nowMs() // First: the ledgers may go on while they are read.
    if (status === undefined) return accepted(pageOf(await list(query, nowMs, () => false), query.order))
    const asked = { ...query, status: { is: status, nowMs } }
    const find = async (isLate: () => boolean) => pageOf(await list(asked, nowMs, isLate), query.order)
    return accepted(await withTimeForLooks(clock, limits, find))
  }
}

type Look = Page<ListedView, AuctionPosition> & {
  /** Whether it has all that was wanted, or all that there was. */
  readonly isWhole: boolean
}

const pageOf = ({ items, next }: Look, order: AuctionPosition['order']): Page<ListedView, AuctionPosition> => ({
  items: order === 'endTime' ? items.toSorted(bySoonestEnd) : items,
  next,
})

const bySoonestEnd = (a: ListedView, b: ListedView): number => a.effectiveEndTime.epochMs - b.effectiveEndTime.epochMs
