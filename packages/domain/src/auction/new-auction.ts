import * as v from 'valibot'
import { NonNegativeDecimal, PositiveDecimal } from '../values/amount.ts'
import { type Checked, createMark } from '../values/checked.ts'
import { CurrencyCode } from '../values/currency.ts'
import { defined } from '../values/defined.ts'
import { ProductId, UserId } from '../values/ids.ts'
import { isoOf, type Moment, MomentText } from '../values/moment.ts'
import {
  type AmountMinor,
  type Decimal,
  exactMinor,
  isInexactIn,
  notInCurrency,
  toDecimal,
  toMinor,
} from '../values/money.ts'
import { errorsIn, isPlainObject, missingField, parseObject } from '../values/parsing.ts'
import { anyTextUpTo, textUpTo } from '../values/primitives.ts'
import { accepted } from '../values/result.ts'
import type { FieldError, Parsed } from '../values/validation.ts'
import type { NewAuction, Terms } from './auction.ts'
import { toBasisPoints, toPercent } from './increments.ts'
import { MetadataFields } from './metadata.ts'
import { incrementEntries, incrementRules } from './new-increments.ts'

const Title = textUpTo(200)
const Description = anyTextUpTo(10_000)

/** The maximum extension after `endTime`: one week. */
const maxOvertimeMs = 7 * 24 * 60 * 60 * 1000
const maxSeconds = maxOvertimeMs / 1000

const secondsRule = `must be an integer from 1 to ${maxSeconds}, in seconds`

const Seconds = v.pipe(
  v.number(secondsRule),
  v.integer(secondsRule),
  v.minValue(1, secondsRule),
  v.maxValue(maxSeconds, secondsRule),
)

const SoftCloseFields = v.object(
  {
    windowSeconds: v.pipe(Seconds, v.description('The time before the end in which a bid extends the auction.')),
    extensionSeconds: v.pipe(Seconds, v.description('The minimum time between a late bid and the end.')),
    latestEndTime: v.pipe(MomentText, v.description('The latest possible end. After `endTime`, by at most one week.')),
  },
  missingField,
)

function isLatestEndOf(endTime: Moment, latestEndTime: Moment): boolean {
  const overtimeMs = latestEndTime.epochMs - endTime.epochMs
  return overtimeMs > 0 && overtimeMs <= maxOvertimeMs
}

const latestEndRule = (endTime: Moment): string =>
  `must be after endTime and no later than ${isoOf(endTime.epochMs + maxOvertimeMs)}, one week after it`

const fields = v.object(
  {
    productId: v.pipe(ProductId, v.description('The product for sale.')),
    ownerId: v.pipe(UserId, v.description('The user who sells, who cannot bid.')),
    title: v.nullish(v.pipe(Title, v.description('Well-formed Unicode, counted in code points.'))),
    description: v.nullish(v.pipe(Description, v.description('Well-formed Unicode, counted in code points.'))),
    startingPrice: v.pipe(NonNegativeDecimal, v.description('The minimum first bid.')),
    minimumBidIncrement: v.pipe(
      PositiveDecimal,
      v.description(
        'The minimum increase over the previous bid, except for automatic bids; the lowest of the increments.',
      ),
    ),
    currency: v.pipe(CurrencyCode, v.description('An active ISO 4217 code that has minor units.')),
    startTime: v.pipe(MomentText, v.description('The start. It may be in the past.')),
    endTime: v.pipe(
      MomentText,
      v.description('The end, in UTC, unless late bids extend it. After the start and in the future.'),
    ),
    softClose: v.nullish(v.pipe(SoftCloseFields, v.description('Extends the auction on late bids.'))),
    reservePrice: v.nullish(
      v.pipe(
        NonNegativeDecimal,
        v.description(
          'The lowest price at which the product is sold; at least `startingPrice`. Visible to the owner and to callers with `Auctions.Reserve.Read`.',
        ),
      ),
    ),
    buyNowPrice: v.nullish(
      v.pipe(
        PositiveDecimal,
        v.description('The price of an immediate purchase; above `startingPrice` and `reservePrice`.'),
      ),
    ),
    cancellableUntilEnd: v.nullish(
      v.pipe(v.boolean('must be true or false'), v.description('Whether the auction can be cancelled after bids.')),
    ),
    ...incrementEntries,
    metadata: v.nullish(
      v.pipe(
        MetadataFields,
        v.description(
          'Custom data about the auction, visible to all of its readers; the service does not interpret it. Up to 20 strings of up to 500 code points by names from `A-Z a-z 0-9 _ . -`, and 4 KiB in all.',
        ),
      ),
    ),
  },
  missingField,
)
export type Fields = v.InferOutput<typeof fields>
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
const rules = [
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

export const NewAuctionFields = v.pipe(fields, ...rules)

const ParsedFields = v.pipe(v.custom<Fields>(isPlainObject), ...rules)

/** The errors of fields that are valid one by one. */
export const errorsOfFields = (parsed: Fields): readonly FieldError[] => errorsIn(ParsedFields, parsed)

/** The JSON before validation. */
export type NewAuctionJson = v.InferInput<typeof NewAuctionFields>

/** Fields that the service assigns. The parser ignores them, so that clients can send a resource back. */
export const assignedToAuctions = new Set([
  'id',
  'status',
  'timestamp',
  'currentPrice',
  'minimumNextBid',
  'maximumNextBid',
  'bidCount',
  'result',
  'effectiveEndTime',
  'reserveMet',
  'buyNowOffered',
  'leaderId',
  'youLead',
  'yourMaximum',
  'createdAt',
  'endedAt',
  'correctedAt',
])

/**
 * Parses the JSON of a new auction strictly, and reports every error. An end in the past is reported only with other
 * errors. If it is the only error, the use case refuses it, because a retry with a key must return the created auction
 * even after its end.
 */
export function parseNewAuction(input: unknown, nowMs: number): Parsed<Checked<NewAuction>> {
  const parsed = parseObject(NewAuctionFields, input, assignedToAuctions, (errors) => lateEnd(errors, input, nowMs))
  return parsed.ok ? accepted(newAuction(parsed.value)) : parsed
}

/** The error of an end that is not after `nowMs`. */
export function pastEndError(endTime: Moment, nowMs: number): FieldError | undefined {
  if (endTime.epochMs > nowMs) return undefined
  return { pointer: '/endTime', message: `must be in the future; the current time is ${isoOf(nowMs)}` }
}

function lateEnd(errors: readonly FieldError[], input: unknown, nowMs: number): readonly FieldError[] {
  if (errors.some(({ pointer }) => pointer === '/endTime')) return []
  // The cast: the input is an object, or the only error would be that of the whole body.
  const { endTime } = input as { readonly endTime: unknown }
  const late = pastEndError(v.parse(MomentText, endTime), nowMs) // Valid, by the check above.
  return late === undefined ? [] : [late]
}

const checked = createMark<NewAuction>('parseNewAuction')

const newAuction = (fields: Fields): Checked<NewAuction> => checked(storedFieldsOf(fields))

/** Converts the fields to those of an auction: amounts in minor units, without missing ones. */
export function storedFieldsOf({ incrementSteps, incrementPercent, ...fields }: Fields): NewAuction {
  const present = Object.entries(fields).filter(([, value]) => value != null)
  const converted = present.map(([name, value]) => {
    if (!isAmountField(name)) return [name, value]
    return [`${name}Minor`, exactMinor(value as Decimal, fields.currency)] // An amount, by its name.
  })
  const increments = defined({
    incrementSteps: incrementSteps?.map(({ fromPrice, increment }) => ({
      fromPriceMinor: exactMinor(fromPrice, fields.currency),
      incrementMinor: exactMinor(increment, fields.currency),
    })),
    incrementBasisPoints: incrementPercent == null ? undefined : toBasisPoints(incrementPercent),
  })
  return { ...Object.fromEntries(converted), ...increments } as NewAuction // These fields are those of an auction.
}

/** The fields from which `storedFieldsOf` makes terms. */
export function fieldsOf({
  incrementSteps,
  incrementBasisPoints,
  ...terms
}: Omit<Terms, 'id' | 'ownerId'>): Partial<Fields> {
  const { currency } = terms
  const converted = Object.entries(terms).map(([name, value]) => {
    const field = name.replace(/Minor$/, '')
    return isAmountField(field) ? [field, toDecimal(value as AmountMinor, currency)] : [name, value] // An amount, by its name.
  })
  const increments = defined({
    incrementSteps: incrementSteps?.map(({ fromPriceMinor, incrementMinor }) => ({
      fromPrice: toDecimal(fromPriceMinor, currency),
      increment: toDecimal(incrementMinor, currency),
    })),
    incrementPercent: incrementBasisPoints === undefined ? undefined : toPercent(incrementBasisPoints),
  })
  return { ...Object.fromEntries(converted), ...increments }
}
