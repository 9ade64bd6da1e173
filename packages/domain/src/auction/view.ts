import type { UserId } from '../values/ids.ts'
import type { Moment } from '../values/moment.ts'
import type { AmountMinor } from '../values/money.ts'
import type { Auction, ListedAuction } from './auction.ts'
import type { Bid } from './bid.ts'
import { buyNowOffer } from './buying.ts'
import {
  type AuctionResult,
  type AuctionState,
  currentPriceMinor,
  isReserveMet,
  maximumNextBidMinor,
  minimumNextBidMinor,
  termsIn,
} from './state.ts'
import { type AuctionStatus, effectiveEnd, statusAt } from './status.ts'

/** An auction with its current status, prices and result. `ListedView` is an auction in a list. */
export type AuctionView<Shown extends ListedAuction = Auction> = {
  readonly auction: Shown
  readonly status: AuctionStatus
  readonly currentPriceMinor: AmountMinor
  /** Undefined if no higher bid is possible: the amounts have a limit, or the result is recorded. */
  readonly minimumNextBidMinor: AmountMinor | undefined
  /** Undefined without a `maximumBidIncrementMinor`, and once the result is recorded. */
  readonly maximumNextBidMinor: AmountMinor | undefined
  readonly bidCount: number
  /** The bidder of the highest bid; undefined if the auction has no bids. */
  readonly leaderId: UserId | undefined
  /** Secret: only the leader may see it. Undefined if the leader has none. */
  readonly leaderMaximumMinor: AmountMinor | undefined
  /** The end as bids and staff have moved it so far; otherwise `endTime`. */
  readonly effectiveEndTime: Moment
  /** Undefined without a reserve. */
  readonly isReserveMet: boolean | undefined
  /** Whether the buy-now offer is open; undefined without a buy-now price. */
  readonly isBuyNowOffered: boolean | undefined
  /** Undefined until the result is final. */
  readonly result: AuctionResult | undefined
  /** When the auction was closed, bought or cancelled; undefined until then. */
  readonly endedAtMs: number | undefined
  /** The bidders whose bids through a sequence were withdrawn. */
  readonly withdrawn: NonNullable<AuctionState['repairs']>['withdrawn']
  /** When the auction was last corrected; undefined if it is as created. */
  readonly correctedAtMs: number | undefined
  /** The number of repairs: the auction's end, bids or reserve were changed by staff. */
  readonly repairCount: number
}

export type ListedView = AuctionView<ListedAuction>

/** An auction as it is after an entry of its ledger. */
export type CurrentView<Shown extends ListedAuction = Auction> = AuctionView<Shown> & {
  /** The sequence of the last entry that the view includes; 0 without entries. Events continue from there. */
  readonly sequence: number
}

export const leaderOf = ({ leader }: AuctionState): Pick<AuctionView, 'leaderId' | 'leaderMaximumMinor'> => ({
  leaderId: leader?.bidderId,
  leaderMaximumMinor: leader?.maximumMinor,
})

/**
 * @param state the state of the last entry. Bids that arrived before the end may follow until the result is recorded.
 * @param nowMs the clock, read before the entry
 */
export function viewOf<Shown extends ListedAuction>(
  created: Shown,
  state: AuctionState,
  nowMs: number,
): AuctionView<Shown> {
  const auction = withTitleOf(state, termsIn(created, state))
  const status = statusAt(auction, state, nowMs)
  const isOver = state.phase === 'closed'
  const hasReserve = auction.reservePriceMinor !== undefined
  const hasBuyNow = auction.buyNowPriceMinor !== undefined
  return {
    auction,
    status,
    currentPriceMinor: currentPriceMinor(auction, state),
    minimumNextBidMinor: isOver ? undefined : minimumNextBidMinor(auction, state),
    maximumNextBidMinor: isOver ? undefined : maximumNextBidMinor(auction, state),
    bidCount: state.bidCount,
    ...leaderOf(state),
    effectiveEndTime: effectiveEnd(auction, state),
    isReserveMet: hasReserve ? isReserveMet(auction, state) : undefined,
    isBuyNowOffered: hasBuyNow ? status === 'Active' && buyNowOffer(auction, state).ok : undefined,
    result: isOver ? state.result : undefined,
    endedAtMs: isOver ? state.atMs : undefined,
    withdrawn: state.repairs?.withdrawn,
    correctedAtMs: state.corrections?.atMs,
    repairCount: state.repairs?.entryIds.length ?? 0,
  }
}

function withTitleOf<Shown extends ListedAuction>({ corrections }: AuctionState, auction: Shown): Shown {
  if (corrections?.title === undefined) return auction
  const { title: _, ...untitled } = auction
  // The cast: `title` is optional.
  return (corrections.title === null ? untitled : { ...untitled, title: corrections.title }) as Shown
}

export const standings = ['leading', 'outbid', 'withdrawn', 'won', 'lost', 'cancelled'] as const

/** The standing of a bidder in an auction, and not of a bid: a bidder also leads by an automatic bid. */
export type Standing = (typeof standings)[number]

/**
 * The standing of the user of a bid or purchase. Without a result, which includes the time between the end and its
 * recording, the leader is `leading` and others are `outbid`. With one, the user who gets the product has `won`; an auction
 * that is unsold because of its reserve is `lost`, even for its leader. Instead of `outbid` and `lost`, it is `withdrawn` if
 * the bid was withdrawn, because no other bid beat it.
 */
export function standingOf(
  { bidderId, isWithdrawn }: Pick<Bid, 'bidderId' | 'isWithdrawn'>,
  { leaderId, result }: Pick<AuctionView, 'leaderId' | 'result'>,
): Standing {
  if (result?.outcome === 'cancelled') return 'cancelled'
  if (bidderId === (result === undefined ? leaderId : buyerIn(result))) return result === undefined ? 'leading' : 'won'
  if (isWithdrawn === true) return 'withdrawn'
  return result === undefined ? 'outbid' : 'lost'
}

/** The user who gets the product; undefined if it is unsold. */
function buyerIn(result: Exclude<AuctionResult, { outcome: 'cancelled' }>): UserId | undefined {
  switch (result.outcome) {
    case 'sold':
      return result.winnerId
    case 'bought':
      return result.buyerId
    case 'unsold':
      return undefined
    default:
      return result satisfies never
  }
}
