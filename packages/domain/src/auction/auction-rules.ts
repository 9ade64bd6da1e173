import * as v from 'valibot'
import { isoOf, type Moment } from '../values/moment.ts'
import { type Decimal, isInexactIn, notInCurrency, toMinor } from '../values/money.ts'
import { errorsIn, isPlainObject } from '../values/parsing.ts'
import type { FieldError } from '../values/validation.ts'
import { maxOvertimeMs } from './auction.ts'
import { incrementRules } from './increment-rules.ts'
import type { Fields } from './new-auction-fields.ts'

// The rules of the fields of an auction that concern several fields. Corrections need them, and not the schemas.

type FieldsCheck = v.BaseValidation<Fields, Fields, v.BaseIssue<unknown>>

/** Fields with an amount in the currency of the auction. The stored fields have the suffix `Minor`. */
const amountFields = [
  ...(['startingPrice', 'minimumBidIncrement', 'reservePrice', 'buyNowPrice'] as const),
  'maximumBidIncrement',
] as const
type AmountField = (typeof amountFields)[number]

export const isAmountField = (name: string): name is AmountField => amountFields.some((field) => field === name)

/** Checks that an optional amount is exact in the currency. */
const isExact = (field: AmountField, message = notInCurrency): FieldsCheck =>
  v.forward(
    v.partialCheck(
      [[field], ['currency']],
      ({ [field]: amount, currency }) => amount == null || toMinor(amount, currency) !== undefined,
      ({ input }) => message(input[field] as Decimal, input.currency), // A missing amount passes the check.
    ),
    [field],
  )

/** Checks the order of two optional amounts. */
const isOrdered = (
  field: AmountField,
  other: AmountField,
  isRight: (amount: Decimal, other: Decimal) => boolean,
  message: string,
): FieldsCheck =>
  v.forward(
    v.partialCheck(
      [[field], [other]],
      ({ [field]: amount, [other]: second }) => amount == null || second == null || isRight(amount, second),
      message,
    ),
    [field],
  )

function isLatestEndOf(endTime: Moment, latestEndTime: Moment): boolean {
  const overtimeMs = latestEndTime.epochMs - endTime.epochMs
  return overtimeMs > 0 && overtimeMs <= maxOvertimeMs
}

const latestEndRule = (endTime: Moment): string =>
  `must be after endTime and no later than ${isoOf(endTime.epochMs + maxOvertimeMs)}, one week after it`

const buyNowRule = 'must be above startingPrice and reservePrice'

const endsAfterStart = (): FieldsCheck =>
  v.forward(
    v.partialCheck(
      [['startTime'], ['endTime']],
      ({ startTime, endTime }) => endTime.epochMs > startTime.epochMs,
      'must be at least 1 millisecond after startTime',
    ),
    ['endTime'],
  )

const hasLatestEnd = (): FieldsCheck =>
  v.forward(
    v.partialCheck(
      [['softClose', 'latestEndTime'], ['endTime']],
      ({ softClose, endTime }) => softClose == null || isLatestEndOf(endTime, softClose.latestEndTime),
      ({ input: { endTime } }) => latestEndRule(endTime),
    ),
    ['softClose', 'latestEndTime'],
  )

/** The rules that concern several fields. */
export const rules = [
  isExact('startingPrice'),
  isExact('minimumBidIncrement'),
  endsAfterStart(),
  isExact('reservePrice', (_secret, currency) => isInexactIn(currency)),
  isOrdered('reservePrice', 'startingPrice', (reserve, least) => reserve >= least, 'must be at least startingPrice'),
  isExact('buyNowPrice'),
  isOrdered('buyNowPrice', 'startingPrice', (price, least) => price > least, buyNowRule),
  isOrdered('buyNowPrice', 'reservePrice', (price, reserve) => price > reserve, buyNowRule),
  hasLatestEnd(),
  incrementRules<Fields>(),
] as const

const ParsedFields = v.pipe(v.custom<Fields>(isPlainObject), ...rules)

/** The errors of fields that are valid one by one. */
export const errorsOfFields = (parsed: Fields): readonly FieldError[] => errorsIn(ParsedFields, parsed)

/** The error of an end that is not after `nowMs`. */
export function pastEndError(endTime: Moment, nowMs: number): FieldError | undefined {
  if (endTime.epochMs > nowMs) return undefined
  return { pointer: '/endTime', message: `must be in the future; the current time is ${isoOf(nowMs)}` }
}
