import type { Auction } from '../auction/auction.ts'
import { initialState } from '../auction/state.ts'
import type { AuctionStatus } from '../auction/status.ts'
import { type AuctionView, viewOf } from '../auction-view.ts'
import type { Clock } from '../clock.ts'
import type { ProductId, UserId } from '../ids.ts'
import type { Limits } from '../limits.ts'
import type { Page } from '../page.ts'
import { type AuctionPage, type AuctionPosition, type AuctionQuery, positionOf, type Store } from '../store.ts'
import type { CloseOverdue } from './close-due.ts'

type Common = {
  /** 1 to `maxPageSize`. */
  readonly limit: number
  /** The `next` of the page before. */
  readonly after?: AuctionPosition
  readonly ownerId?: UserId
  readonly productId?: ProductId
}

export type ListAuctionsQuery =
  | (Common & { readonly order: 'newest'; readonly status?: AuctionStatus })
  /** A page is of the auctions whose `endTime`, as it was sent, comes next; on it they stand in the order of their effective ends. */
  | (Common & { readonly order: 'endTime'; readonly status?: 'Active' })

export type ListAuctions = (query: ListAuctionsQuery) => Promise<Page<AuctionView, AuctionPosition>>

/** Where ledgers say that auctions do not match, so many are looked at for one page, at the most. */
const maxLookedAt = 100
/** By then there is time for a second look before the deadline: it asks the store two times, for 0.4 of that each. */
const shareBeforeSecondLook = 0.2

/**
 * Lists auctions, newest first or soonest end first. What others create meanwhile makes no page skip or repeat an auction. Where
 * few auctions match, a page may be short, or empty, and still have a `next`.
 */
export function listAuctionsUseCase({
  store,
  clock,
  limits,
  closeOverdue,
}: {
  readonly store: Pick<Store, 'listAuctions' | 'findHeads'>
  readonly clock: Clock
  readonly limits: Pick<Limits, 'deadlineMs'>
  readonly closeOverdue: CloseOverdue
}): ListAuctions {
  async function readViews(auctions: readonly Auction[], nowMs: number): Promise<readonly AuctionView[]> {
    const heads = await store.findHeads(auctions.map(({ id }) => id))
    const stateOf = new Map(heads.map(({ auctionId, state }) => [auctionId, state]))
    const views = auctions.map((auction) => viewOf(auction, stateOf.get(auction.id) ?? initialState, nowMs))
    views.forEach(closeOverdue)
    return views
  }

  return async ({ status, limit, ...query }) => {
    const nowMs = clock.nowMs() // First: the ledgers may go on while they are read.
    const items: AuctionView[] = []
    let next = query.after
    for (const count of [limit, maxLookedAt - limit]) {
      const rest = { ...query, limit: count, ...(next && { after: next }) }
      const page = await listCandidates(store, { ...rest, ...(status && { status: { is: status, nowMs } }) })
      const views = await readViews(page.auctions, nowMs)
      // As far as terms and the clock tell, they match; an auction may be over early, or late.
      const matching = views.filter((view) => view.status === (status ?? view.status))
      const taken = matching.slice(0, limit - items.length)
      items.push(...taken)
      const last = taken.at(-1)
      next = taken.length < matching.length && last ? positionOf(query.order, last.auction) : page.next
      const isDone = items.length === limit || next === undefined || matching.length === views.length
      const isLate = clock.nowMs() - nowMs > shareBeforeSecondLook * limits.deadlineMs
      if (isDone || isLate || count >= maxLookedAt) break
    }
    return { items: query.order === 'endTime' ? items.toSorted(bySoonestEnd) : items, next }
  }
}

const bySoonestEnd = (a: AuctionView, b: AuctionView): number => a.effectiveEndTime.epochMs - b.effectiveEndTime.epochMs

/** In the order of ends, those in overtime come before those whose end is not over; they are looked for at the same time. */
async function listCandidates(store: Pick<Store, 'listAuctions'>, query: AuctionQuery): Promise<AuctionPage> {
  const { status, after, limit, order } = query
  const isBehindNow = after?.order === 'endTime' && status !== undefined && after.endMs > status.nowMs
  if (order !== 'endTime' || status === undefined || isBehindNow) return store.listAuctions(query)
  const { status: _, ...others } = query
  const [overtime, open] = await Promise.all([
    store.listAuctions({ ...others, inOvertimeAtMs: status.nowMs }),
    store.listAuctions(query),
  ])
  if (overtime.next !== undefined) return overtime
  const auctions = [...overtime.auctions, ...open.auctions]
  const last = auctions[limit - 1]
  if (auctions.length <= limit || last === undefined) return { auctions, next: open.next }
  return { auctions: auctions.slice(0, limit), next: positionOf(order, last) }
}
