import { AMOUNT_LIMIT_MINOR, type AmountMinor, ONE_MINOR } from '../../../values/money.ts'
import type { Closed } from '../../life-events.ts'
import { stepAbove, stepFrom } from './bid-steps.ts'
import type { EnglishState, Leader } from './state.ts'
import type { EnglishTerms } from './terms.ts'

type Led = { readonly leader: Leader | null }

/** The highest bid, or the starting price if the auction has no bids. */
export const currentPriceMinor = (terms: Pick<EnglishTerms, 'startingPriceMinor'>, { leader }: Led): AmountMinor =>
  leader === null ? terms.startingPriceMinor : leader.amountMinor

/** The minimum next bid: at least one minor unit. It is undefined if it would exceed the largest amount. */
export function minimumNextBidMinor(
  terms: Increments & Pick<EnglishTerms, 'startingPriceMinor'>,
  { leader }: Led,
): AmountMinor | undefined {
  const leastMinor = leader === null ? firstMinor(terms) : nextAmountMinor(terms, leader.amountMinor)
  return leastMinor < AMOUNT_LIMIT_MINOR ? (leastMinor as AmountMinor) : undefined // Checked in this line.
}

/** The least first bid: at least one minor unit, and on a step if only steps may be bid. */
export function firstMinor(terms: Increments & Pick<EnglishTerms, 'startingPriceMinor'>): number {
  const leastMinor = terms.startingPriceMinor > 0 ? terms.startingPriceMinor : ONE_MINOR
  return terms.onlySteps === undefined ? leastMinor : stepFrom(terms, leastMinor)
}

/** The lowest amount that beats another one. The sum is exact, because both are below 10^15; it may exceed the limit. */
export function nextAmountMinor(terms: Increments, amountMinor: AmountMinor): number {
  const { bidSteps } = terms
  return bidSteps === undefined
    ? amountMinor + incrementAt(terms, amountMinor)
    : stepAbove({ ...terms, bidSteps }, amountMinor)
}

/**
 * The highest amount of the next bid; undefined without a `maximumBidIncrementMinor`. It does not limit maximums. A
 * percentage may make the increment larger than that: then the increment is the limit, so that bidding can go on.
 */
export function maximumNextBidMinor(
  terms: Increments & Pick<EnglishTerms, 'startingPriceMinor' | 'maximumBidIncrementMinor'>,
  state: Led,
): AmountMinor | undefined {
  const { maximumBidIncrementMinor } = terms
  if (maximumBidIncrementMinor === undefined) return undefined
  const priceMinor = currentPriceMinor(terms, state)
  const highestMinor = Math.max(priceMinor + maximumBidIncrementMinor, nextAmountMinor(terms, priceMinor))
  return Math.min(highestMinor, AMOUNT_LIMIT_MINOR - 1) as AmountMinor // A sum of amounts, within the limit.
}

/** Whether the highest bid meets the reserve. Without a reserve, any bid does. */
export const isReserveMet = (
  { reservePriceMinor = 0 as AmountMinor }: Pick<EnglishTerms, 'reservePriceMinor'>,
  { leader }: Led,
): boolean => leader !== null && leader.amountMinor >= reservePriceMinor

export type Increments = Pick<
  EnglishTerms,
  'minimumBidIncrementMinor' | 'incrementSteps' | 'incrementBasisPoints' | 'bidSteps' | 'onlySteps'
>

/** The increment that is due at a price, but for `bidSteps`: at least 1 minor unit. It never falls as the price rises. */
export function incrementAt(increments: Increments, priceMinor: AmountMinor): AmountMinor {
  const { minimumBidIncrementMinor, incrementSteps, incrementBasisPoints } = increments
  if (incrementSteps !== undefined) {
    const step = incrementSteps.findLast(({ fromPriceMinor }) => fromPriceMinor <= priceMinor)
    return step?.incrementMinor ?? minimumBidIncrementMinor
  }
  if (incrementBasisPoints === undefined) return minimumBidIncrementMinor
  return Math.max(partOf(priceMinor, incrementBasisPoints), minimumBidIncrementMinor) as AmountMinor // One of the two.
}

const wholeBasisPoints = 10_000

/** A part of an amount, up to all of it, rounded up to a minor unit. */
function partOf(amountMinor: AmountMinor, basisPoints: number): AmountMinor {
  // The product of the two may exceed 2^53, but not those of the quotient and of the remainder.
  const remainder = amountMinor % wholeBasisPoints
  const quotient = (amountMinor - remainder) / wholeBasisPoints
  return (quotient * basisPoints + Math.ceil((remainder * basisPoints) / wholeBasisPoints)) as AmountMinor
}

/** A percentage with two decimal places as a whole number of basis points, and back. */
export const toBasisPoints = (percent: number): number => Math.round(percent * 100)
export const toPercent = (basisPoints: number): number => basisPoints / 100

/** Sells to the leader, if the reserve is met. */
export function settle(terms: EnglishTerms, state: EnglishState): Closed['result'] {
  const { leader } = state
  if (leader === null) return { outcome: 'unsold', reason: 'no-bids' }
  if (!isReserveMet(terms, state)) return { outcome: 'unsold', reason: 'reserve-not-met' }
  const { bidId, bidderId: winnerId, amountMinor: priceMinor, paddle } = leader
  const sold = { outcome: 'sold', bidId, winnerId, priceMinor } as const
  return paddle === undefined ? sold : { ...sold, paddle }
}
