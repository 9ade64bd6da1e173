import { type Auction, type AuctionStatus, statusAt } from '../auction.ts'
import { type Page, pageOf } from '../page.ts'
import type { AuctionPosition, AuctionStore } from '../ports/auction-store.ts'
import type { Clock } from '../ports/clock.ts'

export type ListAuctionsQuery = {
  /** 1 to `maxPageSize`. */
  readonly limit: number
  /** The place of the last auction of the page before. */
  readonly after?: AuctionPosition
  readonly status?: AuctionStatus
}

export type ListedAuction = { readonly auction: Auction; readonly status: AuctionStatus }
export type ListAuctions = (query: ListAuctionsQuery) => Promise<Page<ListedAuction, AuctionPosition>>

/** Lists auctions, newest first. What others create meanwhile makes no page skip or repeat an auction. */
export function listAuctionsUseCase(ports: {
  readonly auctions: Pick<AuctionStore, 'list'>
  readonly clock: Clock
}): ListAuctions {
  return async ({ limit, after, status }) => {
    const nowMs = ports.clock.nowMs()
    const auctions = await ports.auctions.list({
      limit: limit + 1,
      ...(after && { after }),
      ...(status && { status: { is: status, nowMs } }),
    })
    const listed = auctions.map((auction) => ({ auction, status: statusAt(auction, nowMs) }))
    return pageOf(listed, limit, ({ auction: { createdAtMs, id } }) => ({ createdAtMs, id }))
  }
}
