import type { Auction } from './auction/auction.ts'
import { type AuctionResult, currentPriceMinor, initialState, minimumNextBidMinor } from './auction/state.ts'
import { type AuctionStatus, statusAt } from './auction/status.ts'
import type { Entry } from './ledger/entry.ts'
import type { AmountMinor } from './money.ts'

/** An auction with what the clock and its ledger say of it. */
export type AuctionView = {
  readonly auction: Auction
  readonly status: AuctionStatus
  readonly currentPriceMinor: AmountMinor
  /** Undefined where no higher bid is possible. */
  readonly minimumNextBidMinor: AmountMinor | undefined
  readonly bidCount: number
  /** Undefined until it is final. */
  readonly result: AuctionResult | undefined
}

/**
 * @param head the auction's last entry, read after the clock: a view that says `Ended` must have every bid of the time before
 * @param nowMs the clock, read before the head
 */
export function viewOf(auction: Auction, head: Entry | undefined, nowMs: number): AuctionView {
  const state = head?.state ?? initialState
  return {
    auction,
    status: state.phase === 'closed' ? 'Ended' : statusAt(auction, nowMs),
    currentPriceMinor: currentPriceMinor(auction, state),
    minimumNextBidMinor: minimumNextBidMinor(auction, state),
    bidCount: state.bidCount,
    result: state.phase === 'closed' ? state.result : undefined,
  }
}
