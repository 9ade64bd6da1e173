import * as v from 'valibot'
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

type FoundError = { readonly path: readonly (string | number)[]; readonly message: string }

/** Whether fields are valid so far. A rule is checked if the fields that it is about are, whatever the others. */
type AreValid = (...names: readonly (keyof Fields)[]) => boolean

/** The rules of increments that concern several fields. */
export const incrementRules = <NewFields extends Fields>() =>
  v.rawCheck<NewFields>(({ dataset, addIssue }) => {
    const invalid = new Set(dataset.issues?.map(({ path }) => path?.[0]?.key))
    const areValid: AreValid = (...names) => !names.some((name) => invalid.has(name))
    const fields = dataset.value as Fields // Each rule reads fields that are valid.
    for (const { path, message } of [...errorsOfSteps(fields, areValid), ...errorsOfGuard(fields, areValid)])
      addIssue({ message, path: issuePath(fields, path) as [v.IssuePathItem, ...v.IssuePathItem[]] }) // Never empty.
  })

function errorsOfSteps(fields: Fields, areValid: AreValid): readonly FoundError[] {
  const { incrementSteps: steps, incrementPercent, minimumBidIncrement, currency } = fields
  if (steps == null || !areValid('incrementSteps')) return []
  const errors: FoundError[] = []
  if (incrementPercent != null)
    errors.push({ path: ['incrementPercent'], message: 'must not be sent together with incrementSteps' })
  for (const [index, step] of steps.entries()) {
    const before = steps[index - 1]
    const report = (field: keyof Step, message: string) =>
      errors.push({ path: ['incrementSteps', index, field], message })
    for (const field of ['fromPrice', 'increment'] as const)
      if (areValid('currency') && toMinor(step[field], currency) === undefined)
        report(field, notInCurrency(step[field], currency))
    if (before !== undefined && step.fromPrice <= before.fromPrice)
      report('fromPrice', 'must be above the fromPrice of the step before')
    // If it fell, a bid that was accepted at a lower price could be too low for a higher price.
    if (before !== undefined && step.increment < before.increment)
      report('increment', 'must be at least the increment of the step before')
    if (before === undefined && areValid('minimumBidIncrement') && step.increment < minimumBidIncrement)
      report('increment', 'must be at least minimumBidIncrement')
  }
  return errors
}

function errorsOfGuard(fields: Fields, areValid: AreValid): readonly FoundError[] {
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

/** The path of an issue, which contains each value on the way. */
function issuePath(fields: Fields, path: FoundError['path']): readonly v.IssuePathItem[] {
  let input: unknown = fields
  return path.map((key) => {
    const type = Array.isArray(input) ? 'array' : 'object'
    const value: unknown = Object(input)[key]
    const item = { type, origin: 'value', input, key, value } as v.IssuePathItem
    input = value
    return item
  })
}
