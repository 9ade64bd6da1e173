import type { AuctionStatus } from '../auction/status.ts'
import { type AuctionView, viewOf } from '../auction-view.ts'
import type { Clock } from '../clock.ts'
import type { ProductId, UserId } from '../ids.ts'
import type { Page } from '../page.ts'
import type { AuctionPosition, Store } from '../store.ts'
import type { CloseOverdue } from './close-due.ts'

export type ListAuctionsQuery = {
  /** 1 to `maxPageSize`. */
  readonly limit: number
  readonly order: AuctionPosition['order']
  /** The `next` of the page before. */
  readonly after?: AuctionPosition
  readonly status?: AuctionStatus
  readonly ownerId?: UserId
  readonly productId?: ProductId
}

export type ListAuctions = (query: ListAuctionsQuery) => Promise<Page<AuctionView, AuctionPosition>>

/**
 * Lists auctions, newest first or soonest end first. What others create meanwhile makes no page skip or repeat an auction. Where
 * few auctions match, a page may be short, or empty, and still have a `next`.
 */
export function listAuctionsUseCase({
  store,
  clock,
  closeOverdue,
}: {
  readonly store: Pick<Store, 'listAuctions' | 'findHeads'>
  readonly clock: Clock
  readonly closeOverdue: CloseOverdue
}): ListAuctions {
  return async ({ status, ...query }) => {
    const nowMs = clock.nowMs() // First: the ledgers may go on while they are read.
    const { auctions, next } = await store.listAuctions({ ...query, ...(status && { status: { is: status, nowMs } }) })
    const heads = await store.findHeads(auctions.map(({ id }) => id))
    const headOf = new Map(heads.map((head) => [head.auctionId, head]))
    const items = auctions.map((auction) => viewOf(auction, headOf.get(auction.id), nowMs))
    items.forEach(closeOverdue)
    // An auction may have been closed since it was listed, by a clock that is ahead.
    return { items: items.filter((item) => item.status === (status ?? item.status)), next }
  }
}
