import type { Auction, ListedAuction } from './auction/auction.ts'
import { buyNowOffer } from './auction/buy-now.ts'
import { effectiveEnd } from './auction/ends.ts'
import { isReserveMet } from './auction/reserve.ts'
import { type AuctionResult, type AuctionState, currentPriceMinor, minimumNextBidMinor } from './auction/state.ts'
import { type AuctionStatus, statusAt } from './auction/status.ts'
import type { Moment } from './moment.ts'
import type { AmountMinor } from './money.ts'

/** An auction with what the clock and its ledger say of it; `ListedView` is that of a list. */
export type AuctionView<Shown extends ListedAuction = Auction> = {
  readonly auction: Shown
  readonly status: AuctionStatus
  readonly currentPriceMinor: AmountMinor
  /** Undefined where no higher bid is possible. */
  readonly minimumNextBidMinor: AmountMinor | undefined
  readonly bidCount: number
  /** When its time is over, as far as bids have moved that by now; the auction's `endTime` where they have not. */
  readonly effectiveEndTime: Moment
  /** Undefined where there is no reserve. */
  readonly isReserveMet: boolean | undefined
  /** Whether it can be bought at once; undefined where it never can. */
  readonly isBuyNowOffered: boolean | undefined
  /** Undefined until it is final. */
  readonly result: AuctionResult | undefined
}

export type ListedView = AuctionView<ListedAuction>

/**
 * @param state that of the auction's last entry, read after the clock: a view that says `Ended` must have every bid of the time before
 * @param nowMs the clock, read before the entry
 */
export function viewOf<Shown extends ListedAuction>(
  auction: Shown,
  state: AuctionState,
  nowMs: number,
): AuctionView<Shown> {
  const status = statusAt(auction, state, nowMs)
  const hasReserve = auction.reservePriceMinor !== undefined
  const hasBuyNow = auction.buyNowPriceMinor !== undefined
  return {
    auction,
    status,
    currentPriceMinor: currentPriceMinor(auction, state),
    minimumNextBidMinor: minimumNextBidMinor(auction, state),
    bidCount: state.bidCount,
    effectiveEndTime: effectiveEnd(auction, state),
    isReserveMet: hasReserve ? isReserveMet(auction, state) : undefined,
    isBuyNowOffered: hasBuyNow ? status === 'Active' && buyNowOffer(auction, state).ok : undefined,
    result: state.phase === 'closed' ? state.result : undefined,
  }
}
