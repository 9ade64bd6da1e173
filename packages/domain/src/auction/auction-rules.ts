import * as v from 'valibot'
import { isoOf, type Moment } from '../values/moment.ts'
import { type Decimal, isInexactIn, notInCurrency, toMinor } from '../values/money.ts'
import { type FieldError, pointerTo } from '../values/validation.ts'
import { maxOvertimeMs } from './auction.ts'
import { errorsOfIncrements, type RuleError } from './increment-rules.ts'
import type { Fields } from './new-auction-fields.ts'

// The rules of the fields of an auction that concern several fields. Corrections need them, and not the schemas.

type Rule = {
  /** The fields that the rule needs, by their paths. It is checked if they are valid. Its error is that of the first. */
  readonly needs: readonly [path: string, ...paths: readonly string[]]
  readonly errorIn: (fields: Fields) => string | undefined
}

/** Fields with an amount in the currency of the auction. The stored fields have the suffix `Minor`. */
const amountFields = [
  ...(['startingPrice', 'minimumBidIncrement', 'reservePrice', 'buyNowPrice'] as const),
  'maximumBidIncrement',
] as const
type AmountField = (typeof amountFields)[number]

export const isAmountField = (name: string): name is AmountField => amountFields.some((field) => field === name)

/** Checks that an optional amount is exact in the currency. */
const isExact = (field: AmountField, message = notInCurrency): Rule => ({
  needs: [field, 'currency'],
  errorIn: ({ [field]: amount, currency }) =>
    amount == null || toMinor(amount, currency) !== undefined ? undefined : message(amount, currency),
})

/** Checks the order of two optional amounts. */
const isOrdered = (
  field: AmountField,
  other: AmountField,
  isRight: (amount: Decimal, other: Decimal) => boolean,
  message: string,
): Rule => ({
  needs: [field, other],
  errorIn: ({ [field]: amount, [other]: second }) =>
    amount == null || second == null || isRight(amount, second) ? undefined : message,
})

function isLatestEndOf(endTime: Moment, latestEndTime: Moment): boolean {
  const overtimeMs = latestEndTime.epochMs - endTime.epochMs
  return overtimeMs > 0 && overtimeMs <= maxOvertimeMs
}

const latestEndRule = (endTime: Moment): string =>
  `must be after endTime and no later than ${isoOf(endTime.epochMs + maxOvertimeMs)}, one week after it`

const buyNowRule = 'must be above startingPrice and reservePrice'

const endsAfterStart: Rule = {
  needs: ['endTime', 'startTime'],
  errorIn: ({ startTime, endTime }) =>
    endTime.epochMs > startTime.epochMs ? undefined : 'must be at least 1 millisecond after startTime',
}

const hasLatestEnd: Rule = {
  needs: ['softClose.latestEndTime', 'endTime'],
  // An invalid soft close has no latest end.
  errorIn: ({ softClose, endTime }) =>
    softClose?.latestEndTime === undefined || isLatestEndOf(endTime, softClose.latestEndTime)
      ? undefined
      : latestEndRule(endTime),
}

const rules: readonly Rule[] = [
  isExact('startingPrice'),
  isExact('minimumBidIncrement'),
  endsAfterStart,
  isExact('reservePrice', (_secret, currency) => isInexactIn(currency)),
  isOrdered('reservePrice', 'startingPrice', (reserve, least) => reserve >= least, 'must be at least startingPrice'),
  isExact('buyNowPrice'),
  isOrdered('buyNowPrice', 'startingPrice', (price, least) => price > least, buyNowRule),
  isOrdered('buyNowPrice', 'reservePrice', (price, reserve) => price > reserve, buyNowRule),
  hasLatestEnd,
]

/** The errors of the rules whose fields are valid, once per field. `invalid` has the paths of those that are not. */
function ruleErrors(fields: Fields, invalid: Set<string>): readonly RuleError[] {
  const areValid = (...paths: readonly string[]) => !paths.some((path) => invalid.has(path))
  const errors: RuleError[] = []
  for (const { needs, errorIn } of rules) {
    const message = areValid(...needs) ? errorIn(fields) : undefined
    if (message === undefined) continue
    invalid.add(needs[0])
    errors.push({ path: needs[0].split('.'), message })
  }
  return [...errors, ...errorsOfIncrements(fields, areValid)]
}

/** The rules that concern several fields. They walk the issues of the schemas once, because an input may have many. */
export const rulesOfFields = v.rawCheck<Fields>(({ dataset, addIssue }) => {
  const invalid = new Set<string>()
  for (const { path: [first, second] = [] } of dataset.issues ?? []) {
    invalid.add(String(first?.key))
    invalid.add(`${first?.key}.${second?.key}`)
  }
  const fields = dataset.value as Fields // Each rule reads fields that are valid.
  for (const { path, message } of ruleErrors(fields, invalid))
    addIssue({ message, path: issuePath(fields, path) as [v.IssuePathItem, ...v.IssuePathItem[]] }) // Never empty.
})

/** The path of an issue, which contains each value on the way. */
function issuePath(fields: Fields, path: RuleError['path']): readonly v.IssuePathItem[] {
  let input: unknown = fields
  return path.map((key) => {
    const value: unknown = Object(input)[key]
    const item = { type: 'unknown', origin: 'value', input, key, value } as const
    input = value
    return item
  })
}

/** The errors of fields that are valid one by one. */
export const errorsOfFields = (parsed: Fields): readonly FieldError[] =>
  ruleErrors(parsed, new Set()).map(({ path, message }) => ({ pointer: pointerTo(path.map(String)), message }))

/** The error of an end that is not after `nowMs`. */
export function pastEndError(endTime: Moment, nowMs: number): FieldError | undefined {
  if (endTime.epochMs > nowMs) return undefined
  return { pointer: '/endTime', message: `must be in the future; the current time is ${isoOf(nowMs)}` }
}
