import * as v from 'valibot'
import { NonNegativeDecimal, PositiveDecimal } from '../../../values/amount.ts'
import {
  type Currency,
  type Decimal,
  exactMinor,
  notInCurrency,
  toDecimal,
  toMinor,
  toMinorAt,
} from '../../../values/money.ts'
import { missingField } from '../../../values/parsing.ts'
import type { AreValid, RuleError } from '../../rules.ts'
import { betweenSteps, largestRise, type Row, toBidSteps } from './bid-steps.ts'
import { incrementAt, toBasisPoints } from './prices.ts'

const maxSteps = 20
const stepsRule = `must be an array of 1 to ${maxSteps} steps`

const StepFields = v.object(
  {
    fromPrice: v.pipe(
      NonNegativeDecimal,
      v.description('The price from which the increment counts, such as 0; above that of the step before.'),
    ),
    increment: v.pipe(
      PositiveDecimal,
      v.description('The increment; at least `minimumBidIncrement` and that of the step before.'),
    ),
  },
  missingField,
)

const rowsRule = `must be an array of 1 to ${maxSteps} rows`
const amountsRule = `must be an array of 1 to ${maxSteps} amounts`

const RowFields = v.object(
  {
    fromPrice: v.pipe(NonNegativeDecimal, v.description('The first step of the row; above that of the row before.')),
    amounts: v.pipe(
      v.array(PositiveDecimal, amountsRule),
      v.minLength(1, amountsRule),
      v.maxLength(maxSteps, amountsRule),
      v.description('What is added to `fromPrice` for the next steps, ascending.'),
    ),
  },
  missingField,
)

/** The optional fields of a new auction that make it one with a ladder of steps. They cannot be corrected. */
export const ladderEntries = {
  bidSteps: v.nullish(
    v.pipe(
      v.array(RowFields, rowsRule),
      v.minLength(1, rowsRule),
      v.maxLength(maxSteps, rowsRule),
      v.description(
        'The ladder of amounts, as auction houses have it: each `fromPrice` is a step, and so is `fromPrice` plus each of the `amounts`, again and again in periods of the last amount, up to the next row. The minimum next bid is the lowest step above the price. Below the first row, `minimumBidIncrement` counts. Not together with `incrementSteps` or `incrementPercent`, and not correctable.',
      ),
    ),
  ),
  onlySteps: v.nullish(
    v.pipe(
      v.boolean('must be true or false'),
      v.description(
        'Whether amounts between the steps of `bidSteps` are refused. A `maximumAmount` then counts as the step below it.',
      ),
    ),
  ),
}

const percentRule = 'must be a number from 0.01 to 100, with at most two decimal places'

/** The optional fields of a new auction that are about increments. */
export const incrementEntries = {
  incrementSteps: v.nullish(
    v.pipe(
      v.array(StepFields, stepsRule),
      v.minLength(1, stepsRule),
      v.maxLength(maxSteps, stepsRule),
      v.description(
        'Increments that grow with the price: by ascending `fromPrice`, and none lower than the one before. Below the first step, `minimumBidIncrement` counts; with a step from 0, it never does.',
      ),
    ),
  ),
  incrementPercent: v.nullish(
    v.pipe(
      v.number(percentRule),
      v.metadata({ minimum: 0.01, maximum: 100 }),
      v.check((percent) => percent > 0 && percent <= 100 && toMinorAt(percent, 2) !== undefined, percentRule),
      v.description(
        'The increment as a percentage of the price, rounded up to a minor unit, and at least `minimumBidIncrement`. At most two decimal places. Not together with `incrementSteps`.',
      ),
    ),
  ),
  maximumBidIncrement: v.nullish(
    v.pipe(
      PositiveDecimal,
      v.description(
        'How far the `amount` of a bid may exceed the current price; at least the largest increment. With `incrementPercent`: at least the increment at `startingPrice`, and a higher increment replaces it. A `maximumAmount` may be higher.',
      ),
    ),
  ),
}

type Step = { readonly fromPrice: Decimal; readonly increment: Decimal }

type Fields = {
  readonly startingPrice: Decimal
  readonly minimumBidIncrement: Decimal
  readonly currency: Currency
  readonly incrementSteps?: readonly Step[] | null | undefined
  readonly incrementPercent?: number | null | undefined
  readonly maximumBidIncrement?: Decimal | null | undefined
  readonly bidSteps?: readonly Row[] | null | undefined
  readonly onlySteps?: boolean | null | undefined
}

/** The errors of the rules of increments that concern several fields. */
export function errorsOfIncrements(fields: Fields, areValid: AreValid): readonly RuleError[] {
  const ofLadder = errorsOfLadder(fields, areValid)
  // The guard converts the amounts of the ladder, which must be exact.
  const ofGuard = ofLadder.length === 0 ? errorsOfGuard(fields, areValid) : []
  return [...errorsOfSteps(fields, areValid), ...ofLadder, ...ofGuard]
}

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

function errorsOfLadder(fields: Fields, areValid: AreValid): readonly RuleError[] {
  const { bidSteps: rows, onlySteps, incrementSteps, incrementPercent } = fields
  if (rows == null || !areValid('bidSteps'))
    return rows == null && onlySteps === true
      ? [{ path: ['onlySteps'], message: 'must be sent together with bidSteps' }]
      : []
  const others = Object.entries({ incrementSteps, incrementPercent }).filter(([, value]) => value != null)
  const errors = [
    ...others.map(([field]) => ({ path: [field], message: 'must not be sent together with bidSteps' })),
    ...rows.flatMap((row, index) =>
      errorsOfRow(row, rows[index - 1], fields, areValid).map(({ path, message }) => ({
        path: ['bidSteps', index, ...path],
        message,
      })),
    ),
  ]
  return errors.length === 0 && onlySteps === true ? errorsOfStart(fields, rows, areValid) : errors
}

function errorsOfRow(
  { fromPrice, amounts }: Row,
  before: Row | undefined,
  { currency }: Fields,
  areValid: AreValid,
): readonly RuleError[] {
  const messageOf = (amount: Decimal, least: Decimal | undefined, order: string) => {
    if (areValid('currency') && toMinor(amount, currency) === undefined) return notInCurrency(amount, currency)
    return least !== undefined && amount <= least ? order : undefined
  }
  const ofPrice = messageOf(fromPrice, before?.fromPrice, 'must be above the fromPrice of the row before')
  const ofAmounts = amounts.map((amount, index) => ({
    path: ['amounts', index],
    message: messageOf(amount, amounts[index - 1], 'must be above the amount before'),
  }))
  return [{ path: ['fromPrice'], message: ofPrice }, ...ofAmounts].flatMap(({ path, message }) =>
    message === undefined ? [] : { path, message },
  )
}

/** The error of a starting price that is between steps, so that no bid could be at it. */
function errorsOfStart(fields: Fields, rows: readonly Row[], areValid: AreValid): readonly RuleError[] {
  const { startingPrice, minimumBidIncrement, currency } = fields
  if (!areValid('startingPrice', 'minimumBidIncrement', 'currency') || startingPrice === 0) return []
  const ladder = {
    minimumBidIncrementMinor: exactMinor(minimumBidIncrement, currency),
    bidSteps: toBidSteps(rows, currency),
    onlySteps: true,
  } as const
  const around = betweenSteps(ladder, exactMinor(startingPrice, currency))
  if (around === undefined) return []
  const steps = [around.lowerAmountMinor, around.higherAmountMinor].flatMap((step) =>
    step === undefined ? [] : toDecimal(step, currency),
  )
  return [{ path: ['startingPrice'], message: `must be on a step of bidSteps, such as ${steps.join(' or ')}` }]
}

function errorsOfGuard(fields: Fields, areValid: AreValid): readonly RuleError[] {
  const { maximumBidIncrement, incrementPercent, currency } = fields
  const names = [
    'maximumBidIncrement',
    'minimumBidIncrement',
    'incrementSteps',
    'incrementPercent',
    'bidSteps',
  ] as const
  if (maximumBidIncrement == null || !areValid('currency', 'startingPrice', ...names)) return []
  const report = (message: string) => [{ path: ['maximumBidIncrement'], message }]
  if (toMinor(maximumBidIncrement, currency) === undefined) return report(notInCurrency(maximumBidIncrement, currency))
  const isPercent = incrementPercent != null
  const leastDecimal = isPercent ? incrementAtStart({ ...fields, incrementPercent }) : largestIncrement(fields)
  if (maximumBidIncrement >= leastDecimal) return []
  return report(
    `must be at least ${leastDecimal}, the ${isPercent ? 'increment at startingPrice' : 'largest increment'}`,
  )
}

function largestIncrement({ minimumBidIncrement, incrementSteps, bidSteps, currency }: Fields): number {
  if (bidSteps == null) return incrementSteps?.at(-1)?.increment ?? minimumBidIncrement
  return Math.max(minimumBidIncrement, toDecimal(largestRise(toBidSteps(bidSteps, currency)), currency))
}

function incrementAtStart(fields: Fields & { readonly incrementPercent: number }): number {
  const { startingPrice, minimumBidIncrement, incrementPercent, currency } = fields
  const increments = {
    minimumBidIncrementMinor: exactMinor(minimumBidIncrement, currency),
    incrementBasisPoints: toBasisPoints(incrementPercent),
  }
  return toDecimal(incrementAt(increments, exactMinor(startingPrice, currency)), currency)
}
