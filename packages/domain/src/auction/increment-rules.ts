import { type Currency, type Decimal, exactMinor, notInCurrency, toDecimal, toMinor } from '../values/money.ts'
import { incrementAt, toBasisPoints } from './increments.ts'

type Step = { readonly fromPrice: Decimal; readonly increment: Decimal }

type Fields = {
  readonly startingPrice: Decimal
  readonly minimumBidIncrement: Decimal
  readonly currency: Currency
  readonly incrementSteps?: readonly Step[] | null | undefined
  readonly incrementPercent?: number | null | undefined
  readonly maximumBidIncrement?: Decimal | null | undefined
}

export type RuleError = { readonly path: readonly (string | number)[]; readonly message: string }

/** Whether fields are valid so far. A rule is checked if the fields that it is about are, whatever the others. */
type AreValid = (...names: readonly (keyof Fields)[]) => boolean

/** The errors of the rules of increments that concern several fields. */
export const errorsOfIncrements = (fields: Fields, areValid: AreValid): readonly RuleError[] => [
  ...errorsOfSteps(fields, areValid),
  ...errorsOfGuard(fields, areValid),
]

function errorsOfSteps(fields: Fields, areValid: AreValid): readonly RuleError[] {
  const { incrementSteps: steps, incrementPercent, minimumBidIncrement, currency } = fields
  if (steps == null || !areValid('incrementSteps')) return []
  const errors: RuleError[] = []
  if (incrementPercent != null)
    errors.push({ path: ['incrementPercent'], message: 'must not be sent together with incrementSteps' })
  const least = areValid('minimumBidIncrement') ? minimumBidIncrement : 0
  for (const [index, step] of steps.entries()) {
    const rules = orderOf(step, steps[index - 1], least)
    for (const field of ['fromPrice', 'increment'] as const) {
      const isInexact = areValid('currency') && toMinor(step[field], currency) === undefined
      const message = isInexact ? notInCurrency(step[field], currency) : rules[field]
      if (message !== undefined) errors.push({ path: ['incrementSteps', index, field], message })
    }
  }
  return errors
}

/** The rules of the order of steps that a step breaks, by its fields. */
function orderOf(step: Step, before: Step | undefined, least: number): Partial<Record<keyof Step, string>> {
  if (before === undefined) return step.increment < least ? { increment: 'must be at least minimumBidIncrement' } : {}
  return {
    ...(step.fromPrice <= before.fromPrice && { fromPrice: 'must be above the fromPrice of the step before' }),
    // If it fell, a bid that was accepted at a lower price could be too low for a higher price.
    ...(step.increment < before.increment && { increment: 'must be at least the increment of the step before' }),
  }
}

function errorsOfGuard(fields: Fields, areValid: AreValid): readonly RuleError[] {
  const { maximumBidIncrement, incrementSteps, incrementPercent, minimumBidIncrement, currency } = fields
  const names = ['maximumBidIncrement', 'minimumBidIncrement', 'incrementSteps', 'incrementPercent'] as const
  if (maximumBidIncrement == null || !areValid('currency', 'startingPrice', ...names)) return []
  const report = (message: string) => [{ path: ['maximumBidIncrement'], message }]
  if (toMinor(maximumBidIncrement, currency) === undefined) return report(notInCurrency(maximumBidIncrement, currency))
  const isPercent = incrementPercent != null
  const leastDecimal = isPercent
    ? incrementAtStart({ ...fields, incrementPercent })
    : (incrementSteps?.at(-1)?.increment ?? minimumBidIncrement)
  if (maximumBidIncrement >= leastDecimal) return []
  return report(
    `must be at least ${leastDecimal}, the ${isPercent ? 'increment at startingPrice' : 'largest increment'}`,
  )
}

function incrementAtStart(fields: Fields & { readonly incrementPercent: number }): number {
  const { startingPrice, minimumBidIncrement, incrementPercent, currency } = fields
  const increments = {
    minimumBidIncrementMinor: exactMinor(minimumBidIncrement, currency),
    incrementBasisPoints: toBasisPoints(incrementPercent),
  }
  return toDecimal(incrementAt(increments, exactMinor(startingPrice, currency)), currency)
}
