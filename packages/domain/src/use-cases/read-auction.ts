import { type Auction, type AuctionStatus, statusAt } from '../auction.ts'
import { currentPriceMinor, minimumNextBidMinor } from '../bidding.ts'
import type { AuctionId } from '../ids.ts'
import type { AmountMinor } from '../money.ts'
import type { AuctionStore } from '../ports/auction-store.ts'
import type { Clock } from '../ports/clock.ts'
import type { Ledger } from '../ports/ledger.ts'
import { accepted, type Result, refused } from '../result.ts'

export type ReadAuctionPorts = {
  readonly auctions: Pick<AuctionStore, 'find'>
  readonly ledger: Pick<Ledger, 'head'>
  readonly clock: Clock
}

export type AuctionNotFound = { readonly code: 'auction-not-found'; readonly auctionId: AuctionId }

/** An auction with what the clock and its ledger say of it now. */
export type PricedAuction = {
  readonly auction: Auction
  readonly status: AuctionStatus
  readonly currentPriceMinor: AmountMinor
  /** Undefined when no higher bid is possible. */
  readonly minimumNextBidMinor: AmountMinor | undefined
  readonly bidCount: number
}

export type ReadAuction = (id: AuctionId) => Promise<Result<PricedAuction, AuctionNotFound>>

export function readAuctionUseCase({ auctions, ledger, clock }: ReadAuctionPorts): ReadAuction {
  return async (id) => {
    // Before the ledger: read after it, the clock could say `Ended` of a price that lacks the last bid.
    const nowMs = clock.nowMs()
    const [auction, head] = await Promise.all([auctions.find(id), ledger.head(id)])
    if (auction === undefined) return refused({ code: 'auction-not-found', auctionId: id })
    return accepted({
      auction,
      status: statusAt(auction, nowMs),
      currentPriceMinor: currentPriceMinor(auction, head),
      minimumNextBidMinor: minimumNextBidMinor(auction, head),
      bidCount: head?.sequence ?? 0,
    })
  }
}
