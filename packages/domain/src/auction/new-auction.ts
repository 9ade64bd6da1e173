import * as v from 'valibot'
import { NonNegativeDecimal, PositiveDecimal } from '../amount.ts'
import { CurrencyCode } from '../currency.ts'
import { ProductId, UserId } from '../ids.ts'
import { MomentText } from '../moment.ts'
import { type Decimal, exactMinor, isInexactIn, notInCurrency, toMinor } from '../money.ts'
import { accepted } from '../result.ts'
import { type Fault, missingField, type Parsed, parseObject } from '../validation.ts'
import { textUpTo, wellFormed } from '../well-formed-text.ts'
import type { NewAuction } from './auction.ts'
import { faultOfPastEnd } from './past-end.ts'
import { isLatestEndOf, latestEndRule, SoftCloseFields } from './soft-close-fields.ts'

export const Title = textUpTo(200)
const descriptionRule = 'must be a text of up to 10000 characters'
export const Description = v.pipe(
  v.string(descriptionRule),
  v.maxCodePoints(10_000, descriptionRule),
  v.metadata({ maxLength: 10_000 }),
  wellFormed,
)

const fields = v.object(
  {
    productId: v.pipe(ProductId, v.description('The product that is auctioned.')),
    ownerId: v.pipe(UserId, v.description('The user who sells; nobody bids on an auction of their own.')),
    title: v.nullish(v.pipe(Title, v.description('Well-formed Unicode, counted in code points.'))),
    description: v.nullish(v.pipe(Description, v.description('Well-formed Unicode, counted in code points.'))),
    startingPrice: v.pipe(
      NonNegativeDecimal,
      v.description('The least that the first bid must offer; no more decimals than the currency has.'),
    ),
    minimumBidIncrement: v.pipe(
      PositiveDecimal,
      v.description(
        'By how much a bid must beat the one before, if it is not automatic; no more decimals than the currency has.',
      ),
    ),
    currency: v.pipe(CurrencyCode, v.description('An active ISO 4217 code that has minor units.')),
    startTime: v.pipe(MomentText, v.description('From when on bids are taken, in UTC; it may be past.')),
    endTime: v.pipe(
      MomentText,
      v.description(
        'Until when bids are taken, in UTC, unless late bids move the end: after the start, and not past when the auction is created.',
      ),
    ),
    softClose: v.nullish(
      v.pipe(SoftCloseFields, v.description('Lets late bids move the end. Without it, nothing moves it.')),
    ),
    reservePrice: v.nullish(
      v.pipe(
        NonNegativeDecimal,
        v.description(
          'Below it nothing is sold: at least the starting price. Only the owner reads it, and who may read reserves.',
        ),
      ),
    ),
    buyNowPrice: v.nullish(
      v.pipe(
        PositiveDecimal,
        v.description(
          'For which the product can be bought at once, until the first bid or, where there is a reserve, until that is met: above the starting price and the reserve.',
        ),
      ),
    ),
    cancellableUntilEnd: v.nullish(
      v.pipe(
        v.boolean('must be true or false'),
        v.description('Whether the auction can be cancelled when it has bids, too.'),
      ),
    ),
  },
  missingField,
)
type Fields = v.InferOutput<typeof fields>
type FieldsCheck = v.BaseValidation<Fields, Fields, v.BaseIssue<unknown>>

/** Fields with an amount in the auction's currency. In minor units they are called the same, with `Minor` behind it. */
export const amountFields = ['startingPrice', 'minimumBidIncrement', 'reservePrice', 'buyNowPrice'] as const
type AmountField = (typeof amountFields)[number]

export const isAmountField = (name: string): name is AmountField => amountFields.some((each) => each === name)

/** An amount is exact in the currency, where there is one. */
const isExact = (field: AmountField, message = notInCurrency): FieldsCheck =>
  v.forward(
    v.partialCheck(
      [[field], ['currency']],
      ({ [field]: amount, currency }) => amount == null || toMinor(amount, currency) !== undefined,
      ({ input }) => message(input[field] as Decimal, input.currency), // Where there is none, the check holds.
    ),
    [field],
  )

/** Two amounts are in the right order, where there are both. */
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

const buyNowRule = 'must be above the startingPrice and the reservePrice'

/** What a caller says of a new auction, as JSON. */
export const NewAuctionFields = v.pipe(
  fields,
  isExact('startingPrice'),
  isExact('minimumBidIncrement'),
  v.forward(
    v.partialCheck(
      [['startTime'], ['endTime']],
      ({ startTime, endTime }) => endTime.epochMs > startTime.epochMs,
      'must be after startTime, by a millisecond at least',
    ),
    ['endTime'],
  ),
  isExact('reservePrice', (_secret, currency) => isInexactIn(currency)),
  isOrdered(
    'reservePrice',
    'startingPrice',
    (reserve, least) => reserve >= least,
    'must be at least the startingPrice',
  ),
  isExact('buyNowPrice'),
  isOrdered('buyNowPrice', 'startingPrice', (price, least) => price > least, buyNowRule),
  isOrdered('buyNowPrice', 'reservePrice', (price, reserve) => price > reserve, buyNowRule),
  v.forward(
    v.partialCheck(
      [['softClose', 'latestEndTime'], ['endTime']],
      ({ softClose, endTime }) => softClose == null || isLatestEndOf(endTime, softClose.latestEndTime),
      ({ input: { endTime } }) => latestEndRule(endTime),
    ),
    ['softClose', 'latestEndTime'],
  ),
)

// What reading an auction returns beside the fields above: dropped when sent, so that a resource can be sent back.
export const assignedToAuctions = new Set([
  'id',
  'status',
  'timestamp',
  'currentPrice',
  'minimumNextBid',
  'bidCount',
  'result',
  'effectiveEndTime',
  'reserveMet',
  'buyNowOffered',
])

/**
 * Parses the JSON of a new auction, strictly and with every fault. An end in the past is said beside other faults; alone it
 * is the use case's to refuse, since a retry of a request that has made its auction stays right after that auction's end.
 */
export function parseNewAuction(input: unknown, nowMs: number): Parsed<NewAuction> {
  const parsed = parseObject(NewAuctionFields, input, assignedToAuctions, (faults) => lateEnd(faults, input, nowMs))
  return parsed.ok ? accepted(newAuction(parsed.value)) : parsed
}

function lateEnd(faults: readonly Fault[], input: unknown, nowMs: number): readonly Fault[] {
  if (faults.some(({ pointer }) => pointer === '/endTime')) return []
  const { endTime } = input as { readonly endTime: unknown } // An object, or it would have one fault, as a whole.
  const late = faultOfPastEnd(v.parse(MomentText, endTime), nowMs) // It has no fault of its own.
  return late === undefined ? [] : [late]
}

/** The same fields as they are stored: amounts in minor units, and those that were not given left out. */
function newAuction(checked: Fields): NewAuction {
  const given = Object.entries(checked).filter(([, value]) => value != null)
  const fields = given.map(([name, value]) => {
    if (!isAmountField(name)) return [name, value]
    return [`${name}Minor`, exactMinor(value as Decimal, checked.currency)] // Of its type, by its name.
  })
  return Object.fromEntries(fields) as NewAuction // The use case checks it against what can be stored.
}
