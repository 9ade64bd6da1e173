import type { Leader } from '@auction/domain/auction'
import type { AmountMinor } from '@auction/domain/money'
import type { SeenFigures } from '../../../history.ts'
import { aboveMinor, ceilingMinor, countedMinor, isBetween } from './proxy.ts'
import type { Before, EnglishAuction } from './types.ts'

const mostMinor = 999_999_999_999_999

export const leaderOf = (before: Before): Leader | null => before?.state.leader ?? null

/** Undefined if the next bid would exceed the highest possible amount. */
export function leastAbove(terms: EnglishAuction, leader: Leader | null): number | undefined {
  const first = Math.max(terms.startingPriceMinor, 1)
  if (leader === null) return isBetween(terms, first) ? aboveMinor(terms, first) : first
  const least = aboveMinor(terms, leader.amountMinor)
  return least > mostMinor ? undefined : least
}

/** Returns whether an amount is below the minimum next bid, and so no bid. */
export const isLow = (amountMinor: number, least: number | undefined): boolean =>
  least === undefined || amountMinor < least

/** The highest amount of the next bid; undefined without a limit. The increment may always be bid. */
function highestMinor(terms: EnglishAuction, before: Before): number | undefined {
  const { maximumBidIncrementMinor } = terms
  if (maximumBidIncrementMinor === undefined) return undefined
  const presentMinor = priceMinor(terms, before)
  return Math.min(Math.max(presentMinor + maximumBidIncrementMinor, aboveMinor(terms, presentMinor)), mostMinor)
}

const priceMinor = (terms: EnglishAuction, before: Before): AmountMinor =>
  leaderOf(before)?.amountMinor ?? terms.startingPriceMinor

/** Undefined without a reserve. */
function isReserveMet({ reservePriceMinor }: EnglishAuction, before: Before): boolean | undefined {
  if (reservePriceMinor === undefined) return undefined
  const leader = leaderOf(before)
  return leader !== null && leader.amountMinor >= reservePriceMinor
}

/** Returns whether the bids allow buy-now; undefined without a buy-now price. */
export function isOffered(terms: EnglishAuction, before: Before): boolean | undefined {
  if (terms.buyNowPriceMinor === undefined) return undefined
  if (before?.state.phase === 'closed') return false
  return leaderOf(before) === null || isReserveMet(terms, before) === false
}

type Offer = { readonly bidderId: number; readonly amountMinor: number; readonly maximumMinor?: number | undefined }

/**
 * Whether an offer is a bid, and the codes of what is wrong with its amounts. A leader that names a maximum raises
 * that, so an amount that is too low is no bid then, and not refused as one.
 */
export function judge(auction: EnglishAuction, before: Before, { bidderId, amountMinor, maximumMinor }: Offer) {
  const leader = leaderOf(before)
  const raised = leader?.bidderId === bidderId ? maximumMinor : undefined
  const isTooLow = isLow(amountMinor, leastAbove(auction, leader))
  const isTooHigh = amountMinor > (highestMinor(auction, before) ?? mostMinor)
  const isAbove = isOffered(auction, before) === true && amountMinor >= (auction.buyNowPriceMinor ?? mostMinor)
  const isBid = raised === undefined || !isTooLow
  const presentMinor = leader === null ? 0 : ceilingMinor(auction, leader)
  const faults = [
    isBid && isTooLow && !isAbove && 'bid-too-low',
    isTooHigh && !isAbove && 'bid-too-high',
    isBid && isAbove && 'buy-now-is-lower',
    isBid && !isTooLow && !isTooHigh && !isAbove && isBetween(auction, amountMinor) && 'bid-not-on-step',
    raised !== undefined && countedMinor(auction, raised) < presentMinor + (isTooLow ? 1 : 0) && 'maximum-not-raised',
  ].filter((code) => code !== false)
  return { isBid, faults }
}

/** An auction that is over accepts no bid. */
export function figures(auction: EnglishAuction, head: Before, isActive: boolean): SeenFigures {
  const isOver = head?.state.phase === 'closed'
  const offered = isOffered(auction, head)
  return {
    currentPriceMinor: priceMinor(auction, head),
    // Sums of amounts.
    minimumNextBidMinor: isOver ? undefined : (leastAbove(auction, leaderOf(head)) as AmountMinor | undefined),
    maximumNextBidMinor: isOver ? undefined : (highestMinor(auction, head) as AmountMinor | undefined),
    bidCount: head?.state.bidCount ?? 0,
    leaderId: leaderOf(head)?.bidderId,
    leaderPaddle: leaderOf(head)?.paddle,
    isReserveMet: isReserveMet(auction, head),
    isBuyNowOffered: offered && isActive,
  }
}

/** The result of an auction that ends by time. */
export function resultOf(terms: EnglishAuction, before: Before): object {
  const leader = leaderOf(before)
  if (leader === null) return { outcome: 'unsold', reason: 'no-bids' }
  if (isReserveMet(terms, before) === false) return { outcome: 'unsold', reason: 'reserve-not-met' }
  const { bidId, bidderId: winnerId, amountMinor, paddle } = leader
  return { outcome: 'sold', bidId, winnerId, priceMinor: amountMinor, paddle }
}
