import type { AmountMinor } from '../values/money.ts'
import type { Terms } from './auction.ts'

export type Increments = Pick<Terms, 'minimumBidIncrementMinor' | 'incrementSteps' | 'incrementBasisPoints'>

/** The increment that is due at a price: at least 1 minor unit. It never falls as the price rises. */
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
