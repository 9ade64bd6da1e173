import * as v from 'valibot'
import { NonNegativeDecimal, PositiveDecimal } from '../amount.ts'
import { CurrencyCode } from '../currency.ts'
import { ProductId, UserId } from '../ids.ts'
import { MomentText } from '../moment.ts'
import { type Currency, type Decimal, exactMinor, notInCurrency, toMinor } from '../money.ts'
import { accepted } from '../result.ts'
import { type Fault, missingField, type Parsed, parseObject } from '../validation.ts'
import type { NewAuction } from './auction.ts'
import { endsInThePast } from './end-time.ts'

const wellFormed = (field: string) =>
  v.check<string, string>(
    (text) => text.isWellFormed(),
    `${field} must be well-formed Unicode, without lone surrogates`,
  )

const text = (maxCharacters: number) => {
  const rule = `must be a text of 1 to ${maxCharacters} characters`
  return v.pipe(v.string(rule), v.minLength(1, rule), v.maxCodePoints(maxCharacters, rule), wellFormed('the text'))
}

export const Title = text(200)
export const Description = v.pipe(
  v.string('must be a text of up to 10000 characters'),
  v.maxCodePoints(10_000, 'must be a text of up to 10000 characters'),
  wellFormed('the text'),
)

const fields = v.object(
  {
    productId: ProductId,
    ownerId: UserId,
    title: v.nullish(Title),
    description: v.nullish(Description),
    startingPrice: NonNegativeDecimal,
    minimumBidIncrement: PositiveDecimal,
    currency: CurrencyCode,
    startTime: MomentText,
    endTime: MomentText,
  },
  missingField,
)
type Fields = v.InferOutput<typeof fields>

const isExact = (decimal: Decimal, currency: Currency) => toMinor(decimal, currency) !== undefined

/** What a caller says of a new auction, as JSON. */
export const NewAuctionFields = v.pipe(
  fields,
  v.forward(
    v.partialCheck(
      [['startingPrice'], ['currency']],
      ({ startingPrice, currency }) => isExact(startingPrice, currency),
      ({ input }) => notInCurrency(input.startingPrice, input.currency),
    ),
    ['startingPrice'],
  ),
  v.forward(
    v.partialCheck(
      [['minimumBidIncrement'], ['currency']],
      ({ minimumBidIncrement, currency }) => isExact(minimumBidIncrement, currency),
      ({ input }) => notInCurrency(input.minimumBidIncrement, input.currency),
    ),
    ['minimumBidIncrement'],
  ),
  v.forward(
    v.partialCheck(
      [['startTime'], ['endTime']],
      ({ startTime, endTime }) => endTime.epochMs > startTime.epochMs,
      'must be after startTime, by a millisecond at least',
    ),
    ['endTime'],
  ),
)

// What reading an auction returns beside the fields above: dropped when sent, so that a resource can be sent back.
const assigned = new Set(['id', 'status', 'timestamp', 'currentPrice', 'minimumNextBid', 'bidCount', 'result'])

/**
 * Parses the JSON of a new auction, strictly and with every fault. An end in the past is said beside other faults; alone it
 * is the use case's to refuse, since a retry of a request that has made its auction stays right after that auction's end.
 */
export function parseNewAuction(input: unknown, nowMs: number): Parsed<NewAuction> {
  const parsed = parseObject(NewAuctionFields, input, assigned, (faults) => lateEnd(faults, input, nowMs))
  return parsed.ok ? accepted(newAuction(parsed.value)) : parsed
}

function lateEnd(faults: readonly Fault[], input: unknown, nowMs: number): readonly Fault[] {
  if (faults.some(({ pointer }) => pointer === '/endTime')) return []
  const { endTime } = input as { readonly endTime: unknown } // An object, or it would have one fault, as a whole.
  const late = endsInThePast(v.parse(MomentText, endTime), nowMs) // It has no fault of its own.
  return late === undefined ? [] : [late]
}

function newAuction(checked: Fields): NewAuction {
  const { title, description, startingPrice, minimumBidIncrement, ...same } = checked
  return {
    ...same,
    ...(title == null ? {} : { title }),
    ...(description == null ? {} : { description }),
    startingPriceMinor: exactMinor(startingPrice, checked.currency),
    minimumBidIncrementMinor: exactMinor(minimumBidIncrement, checked.currency),
  }
}
