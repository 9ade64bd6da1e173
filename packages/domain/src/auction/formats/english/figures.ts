import type { UserId } from '../../../values/ids.ts'
import type { AmountMinor } from '../../../values/money.ts'
import type { AuctionStatus } from '../../status.ts'
import { buyNowOffer } from './buying.ts'
import { currentPriceMinor, isReserveMet, maximumNextBidMinor, minimumNextBidMinor } from './prices.ts'
import type { EnglishStanding, EnglishState } from './state.ts'
import type { EnglishTerms } from './terms.ts'

/** What anyone sees of the bids of an auction. */
export type ShownFigures = {
  readonly currentPriceMinor: AmountMinor
  /** Undefined if no higher bid is possible: the amounts have a limit, or the result is recorded. */
  readonly minimumNextBidMinor: AmountMinor | undefined
  /** Undefined without a `maximumBidIncrementMinor`, and once the result is recorded. */
  readonly maximumNextBidMinor: AmountMinor | undefined
  readonly bidCount: number
  /** The bidder of the highest bid; undefined if the auction has no bids. */
  readonly leaderId: UserId | undefined
  /** The paddle of that bidder, if the auction shows paddles. */
  readonly leaderPaddle?: string
  /** Undefined without a reserve. */
  readonly isReserveMet: boolean | undefined
  /** Whether the buy-now offer is open; undefined without a buy-now price. */
  readonly isBuyNowOffered: boolean | undefined
}

export type EnglishFigures = ShownFigures & Maximum

type Maximum = {
  /** Secret: only the leader may see it. Undefined if the leader has none. */
  readonly leaderMaximumMinor: AmountMinor | undefined
}

export const leaderOf = ({
  leader,
}: EnglishStanding): Pick<EnglishFigures, 'leaderId' | 'leaderPaddle' | 'leaderMaximumMinor'> => ({
  leaderId: leader?.bidderId,
  ...(leader?.paddle !== undefined && { leaderPaddle: leader.paddle }),
  leaderMaximumMinor: leader?.maximumMinor,
})

export function figures(terms: EnglishTerms, state: EnglishState, status: AuctionStatus): EnglishFigures {
  const isOver = state.phase === 'closed'
  const hasReserve = terms.reservePriceMinor !== undefined
  const hasBuyNow = terms.buyNowPriceMinor !== undefined
  return {
    currentPriceMinor: currentPriceMinor(terms, state),
    minimumNextBidMinor: isOver ? undefined : minimumNextBidMinor(terms, state),
    maximumNextBidMinor: isOver ? undefined : maximumNextBidMinor(terms, state),
    bidCount: state.bidCount,
    ...leaderOf(state),
    isReserveMet: hasReserve ? isReserveMet(terms, state) : undefined,
    isBuyNowOffered: hasBuyNow ? status === 'Active' && buyNowOffer(terms, state).ok : undefined,
  }
}

export const shownFigures = (view: EnglishFigures): ShownFigures => ({
  currentPriceMinor: view.currentPriceMinor,
  minimumNextBidMinor: view.minimumNextBidMinor,
  maximumNextBidMinor: view.maximumNextBidMinor,
  bidCount: view.bidCount,
  leaderId: view.leaderId,
  ...(view.leaderPaddle !== undefined && { leaderPaddle: view.leaderPaddle }),
  isReserveMet: view.isReserveMet,
  isBuyNowOffered: view.isBuyNowOffered,
})
