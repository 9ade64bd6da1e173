import { AMOUNT_LIMIT_MINOR, type AmountMinor, type Currency, type Decimal, exactMinor } from '../../../values/money.ts'
import type { EnglishTerms } from './terms.ts'

/** A table of the amounts to bid, by ascending `fromPriceMinor`. */
export type BidSteps = NonNullable<EnglishTerms['bidSteps']>

/** A row of the table as it is sent. */
export type Row = { readonly fromPrice: Decimal; readonly amounts: readonly Decimal[] }

export const toBidSteps = (rows: readonly Row[], currency: Currency): BidSteps =>
  rows.map(({ fromPrice, amounts }) => ({
    fromPriceMinor: exactMinor(fromPrice, currency),
    amountsMinor: amounts.map((amount) => exactMinor(amount, currency)),
  }))

type Ladder = Pick<EnglishTerms, 'minimumBidIncrementMinor' | 'bidSteps' | 'onlySteps'>

type Around = {
  /** The highest step that is not above the amount. */
  readonly stepMinor: number
  /** The lowest step above the amount. It may exceed the largest amount. */
  readonly nextMinor: number
}

/** The steps around an amount; undefined below the first row. */
function stepsAround(bidSteps: BidSteps, amountMinor: number): Around | undefined {
  const index = bidSteps.findLastIndex(({ fromPriceMinor }) => fromPriceMinor <= amountMinor)
  const row = bidSteps[index]
  if (row === undefined) return undefined
  const { fromPriceMinor, amountsMinor } = row
  // Rows repeat in periods of their last amount. All sums are exact, because amounts are below 10^15.
  const periodMinor = amountsMinor.at(-1) ?? 0
  const inPeriodMinor = (amountMinor - fromPriceMinor) % periodMinor
  const baseMinor = amountMinor - inPeriodMinor
  const above = amountsMinor.findIndex((rungMinor) => rungMinor > inPeriodMinor)
  const endMinor = bidSteps[index + 1]?.fromPriceMinor ?? Number.POSITIVE_INFINITY
  return {
    stepMinor: baseMinor + (amountsMinor[above - 1] ?? 0),
    nextMinor: Math.min(baseMinor + (amountsMinor[above] ?? periodMinor), endMinor),
  }
}

/** The lowest step above an amount. Below the first row: that amount plus the increment, or the first row. */
export function stepAbove(ladder: Ladder & { readonly bidSteps: BidSteps }, amountMinor: AmountMinor): number {
  const { bidSteps, minimumBidIncrementMinor } = ladder
  const firstMinor = bidSteps[0]?.fromPriceMinor ?? Number.POSITIVE_INFINITY
  return stepsAround(bidSteps, amountMinor)?.nextMinor ?? Math.min(amountMinor + minimumBidIncrementMinor, firstMinor)
}

/** An amount as it counts: with `onlySteps`, the highest step that is not above it. */
export function countedMinor({ bidSteps, onlySteps }: Ladder, amountMinor: AmountMinor): AmountMinor {
  if (bidSteps === undefined || onlySteps === undefined) return amountMinor
  return (stepsAround(bidSteps, amountMinor)?.stepMinor ?? amountMinor) as AmountMinor // It is not above the amount.
}

/** The lowest step that is not below an amount. Without steps, and below the first row, it is the amount. */
export function stepFrom({ bidSteps }: Ladder, amountMinor: AmountMinor): number {
  const around = bidSteps && stepsAround(bidSteps, amountMinor)
  return around === undefined || around.stepMinor === amountMinor ? amountMinor : around.nextMinor
}

/** The steps below and above an amount that is between two, if they may be bid; undefined for one that is on a step. */
export function betweenSteps(
  { bidSteps, onlySteps }: Ladder,
  amountMinor: AmountMinor,
  mostMinor: number = AMOUNT_LIMIT_MINOR - 1,
): { readonly lowerAmountMinor: AmountMinor; readonly higherAmountMinor: AmountMinor | undefined } | undefined {
  const around = bidSteps && onlySteps && stepsAround(bidSteps, amountMinor)
  if (around === undefined || around.stepMinor === amountMinor) return undefined
  const { stepMinor, nextMinor } = around
  return {
    lowerAmountMinor: stepMinor as AmountMinor, // It is below the amount.
    higherAmountMinor: nextMinor <= mostMinor ? (nextMinor as AmountMinor) : undefined, // Checked in this line.
  }
}

/** The largest rise between two steps. Rows that are cut by the next one have smaller ones. */
export const largestRise = (bidSteps: BidSteps): AmountMinor =>
  Math.max(
    ...bidSteps.flatMap(({ amountsMinor }) =>
      amountsMinor.map((amountMinor, index) => amountMinor - (amountsMinor[index - 1] ?? 0)),
    ),
  ) as AmountMinor // Amounts ascend.
