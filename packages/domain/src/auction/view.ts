import type { UserId } from '../values/ids.ts'
import type { Moment } from '../values/moment.ts'
import type { Auction, ListedAuction, Terms } from './auction.ts'
import type { CommonBid } from './formats/format.ts'
import { type AnyTypes, formatOf } from './formats/formats.ts'
import type { AuctionResult } from './life-events.ts'
import { type AuctionState, termsIn } from './state.ts'
import { type AuctionStatus, effectiveEnd, statusAt } from './status.ts'

/**
 * An auction with its current status and result, and the figures of its format. `ListedView` is an auction in a list.
 */
export type AuctionView<Shown extends Terms = Auction> = AnyTypes['figures'] & {
  readonly auction: Shown
  readonly status: AuctionStatus
  /** The end as bids and staff have moved it so far; otherwise `endTime`. */
  readonly effectiveEndTime: Moment
  /** Undefined until the result is final. */
  readonly result: AuctionResult | undefined
  /** When the auction was closed, bought or cancelled; undefined until then. */
  readonly endedAtMs: number | undefined
  /** The bidders whose bids through a sequence were withdrawn; undefined if sequences are not for everyone. */
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
  /**
   * The bid of the reader that counts, in an auction whose bids others do not see; null without one. Undefined for
   * other auctions, in lists, and for a reader who is no user.
   */
  readonly ownBid?: CommonBid | null
}

/**
 * @param state the state of the last entry. Bids that arrived before the end may follow until the result is recorded.
 * @param nowMs the clock, read before the entry
 */
export function viewOf<Shown extends Terms>(created: Shown, state: AuctionState, nowMs: number): AuctionView<Shown> {
  const auction = withTitleOf(state, termsIn(created, state))
  const status = statusAt(auction, state, nowMs)
  const isOver = state.phase === 'closed'
  return {
    auction,
    status,
    ...formatOf(created).figures(auction, state, status, nowMs),
    effectiveEndTime: effectiveEnd(auction, state),
    result: isOver ? state.result : undefined,
    endedAtMs: isOver ? state.atMs : undefined,
    withdrawn: formatOf(created).publicSequences === undefined ? state.repairs?.withdrawn : undefined,
    correctedAtMs: state.corrections?.atMs,
    repairCount: state.repairs?.entryIds.length ?? 0,
  }
}

function withTitleOf<Shown extends Terms>({ corrections }: AuctionState, auction: Shown): Shown {
  if (corrections?.title === undefined) return auction
  const { title: _, ...untitled }: Shown & Pick<Auction, 'title'> = auction
  // The cast: `title` is optional.
  return (corrections.title === null ? untitled : { ...untitled, title: corrections.title }) as Shown
}

export const standings = ['leading', 'outbid', 'sealed', 'withdrawn', 'won', 'lost', 'cancelled'] as const

/** The standing of a bidder in an auction, and not of a bid: the service may also bid for a bidder. */
export type Standing = (typeof standings)[number]

/**
 * The standing of the user of a bid or purchase. Without a result, which includes the time between the end and its
 * recording, the user who is ahead is `leading` and others are `outbid`; with sealed bids, all are `sealed`. With one,
 * the user who gets the product has `won`; an auction that is unsold because of its reserve is `lost`, even for who was
 * ahead. Instead of `outbid` and `lost`, it is `withdrawn` if the bid was withdrawn, because no other bid beat it.
 */
export function standingOf(
  { bidderId, isWithdrawn }: Pick<CommonBid, 'bidderId' | 'isWithdrawn'>,
  view: ListedView,
): Standing {
  const { result } = view
  if (result?.outcome === 'cancelled') return 'cancelled'
  const isAhead = result === undefined ? formatOf(view.auction).leads(view, bidderId) : buyerIn(result) === bidderId
  if (isAhead) return result === undefined ? 'leading' : 'won'
  if (isWithdrawn === true) return 'withdrawn'
  if (result !== undefined) return 'lost'
  return formatOf(view.auction).keepsBidsApart ? 'sealed' : 'outbid'
}

/** The user who gets the product; undefined if it is unsold or the auction was cancelled. */
export function buyerIn(result: AuctionResult): UserId | undefined {
  switch (result.outcome) {
    case 'sold':
      return result.winnerId
    case 'bought':
      return result.buyerId
    case 'unsold':
    case 'cancelled':
      return undefined
    default:
      return result satisfies never
  }
}
