import * as v from 'valibot'
import { MetadataFields } from '../auction/metadata.ts'
import { Reason } from '../auction/offers.ts'
import { NonNegativeDecimal } from '../values/amount.ts'
import { type Checked, createMark } from '../values/checked.ts'
import { CurrencyCode } from '../values/currency.ts'
import { defined } from '../values/defined.ts'
import { UserId } from '../values/ids.ts'
import type { Decimal } from '../values/money.ts'
import { missingField, parseObject } from '../values/parsing.ts'
import { textUpTo } from '../values/primitives.ts'
import { accepted, refused } from '../values/result.ts'
import { type Parsed, validationFailed } from '../values/validation.ts'
import { admits, type RegisterFields, statuses } from './events.ts'

// What clients send of registers. `events.ts` has the schemas of what is stored.

export const NewRegisterFields = v.object(
  {
    title: v.nullish(v.pipe(textUpTo(200), v.description('Well-formed Unicode, counted in code points.'))),
    currency: v.pipe(CurrencyCode, v.description('The currency of all limits, and of the auctions of the register.')),
    admits: v.pipe(
      v.picklist(admits, 'must be listed or everyone'),
      v.description(
        'Who may bid: with `listed`, the bidders with the status `admitted`; with `everyone`, every user but those with the status `pending` or `refused`.',
      ),
    ),
    claims: v.nullish(
      v.pipe(
        v.boolean('must be true or false'),
        v.description(
          'Whether a claim of a token admits its user, too (`JWT_ADMISSION_CLAIM`), unless the register refuses them.',
        ),
      ),
    ),
    metadata: v.nullish(
      v.pipe(
        MetadataFields,
        v.description(
          'Custom data. The page shows `admissionText` to users who are not admitted. Up to 20 strings of up to 500 code points by names from `A-Z a-z 0-9 _ . -`, and 4 KiB in all.',
        ),
      ),
    ),
  },
  missingField,
)

/** A register as it is created. `parseNewRegister` checks it. */
export type NewRegister = RegisterFields

const checkedRegister = createMark<NewRegister>('parseNewRegister')

/** Parses the JSON of a new register strictly, and reports every error. */
export function parseNewRegister(input: unknown): Parsed<Checked<NewRegister>> {
  const parsed = parseObject(NewRegisterFields, input)
  if (!parsed.ok) return parsed
  const { title, currency, admits, claims, metadata } = parsed.value
  const optional = { title: title ?? undefined, claims: claims || undefined, metadata: metadata ?? undefined }
  return accepted(checkedRegister(defined({ currency, admits, ...optional })))
}

const paddleRule =
  'must be 1 to 10 characters from A-Z, a-z, 0-9, space, ., _, / and -, and begin and end with a letter or a digit'

const status = v.pipe(
  v.picklist(statuses, 'must be admitted, pending or refused'),
  v.description('Only `admitted` bidders may bid. A refusal stops every later bid, and beats a claim.'),
)
const limit = v.nullish(
  v.pipe(
    NonNegativeDecimal,
    v.description(
      'The most that the bidder may risk in one auction: a `maximumAmount`, else an `amount`, or the price of a purchase. If omitted, the bidder has none.',
    ),
  ),
)
const paddle = v.nullish(
  v.pipe(
    v.string(paddleRule),
    v.regex(/^[A-Za-z0-9](?:[A-Za-z0-9 ._/-]{0,8}[A-Za-z0-9])?$/, paddleRule),
    v.description('The number of the bidder in the room, unique in the register and kept forever.'),
  ),
)
const bidder = { status, limit, paddle }

/** The JSON of the whole entry of one bidder. */
export const BidderFields = v.object(
  {
    ...bidder,
    withdrawBids: v.nullish(
      v.pipe(
        v.boolean('must be true or false'),
        v.description(
          'With `refused`: whether the bids of the bidder in open auctions of the register are withdrawn, and the bidder blocked there.',
        ),
      ),
    ),
    reason: v.nullish(
      v.pipe(
        Reason,
        v.description('Why the bids are withdrawn: all readers of the auctions see it. With `withdrawBids`.'),
      ),
    ),
  },
  missingField,
)

const ListedFields = v.object({ bidderId: v.pipe(UserId, v.description('The user.')), ...bidder }, missingField)

const maxBidders = 100
const listRule = `must be an array of 1 to ${maxBidders} bidders`

/** The JSON of the entries of several bidders. */
export const BiddersFields = v.object(
  { bidders: v.pipe(v.array(ListedFields, listRule), v.minLength(1, listRule), v.maxLength(maxBidders, listRule)) },
  missingField,
)

/** The whole entry of a bidder: what is absent is removed. */
export type BidderChange = {
  readonly bidderId: UserId
  readonly status: (typeof statuses)[number]
  readonly limit?: Decimal
  readonly paddle?: string
}

/** The entries of 1 to 100 different bidders. */
export type BidderChanges = {
  readonly bidders: readonly BidderChange[]
  /** Set if bids are withdrawn. */
  readonly withdrawal?: { readonly reason: string }
}

const checkedChanges = createMark<BidderChanges>('parseBidders')

const changeOf = ({ bidderId, status, limit, paddle }: v.InferOutput<typeof ListedFields>): BidderChange =>
  defined({ bidderId, status, limit: limit ?? undefined, paddle: paddle ?? undefined })

/** Parses the JSON of the entry of a bidder strictly, and reports every error that does not depend on the register. */
export function parseBidder(input: unknown, bidderId: UserId): Parsed<Checked<BidderChanges>> {
  const parsed = parseObject(BidderFields, input)
  if (!parsed.ok) return parsed
  const { withdrawBids, reason, ...fields } = parsed.value
  const bidders = [changeOf({ bidderId, ...fields })]
  if (withdrawBids !== true) {
    if (reason == null) return accepted(checkedChanges({ bidders }))
    return refused(validationFailed({ pointer: '/reason', message: 'must be omitted without withdrawBids' }))
  }
  if (fields.status !== 'refused')
    return refused(validationFailed({ pointer: '/withdrawBids', message: 'needs the status refused' }))
  if (reason == null) return refused(validationFailed({ pointer: '/reason', message: 'is required with withdrawBids' }))
  return accepted(checkedChanges({ bidders, withdrawal: { reason } }))
}

/** Parses the JSON of the entries of several bidders strictly. Each bidder and each paddle may occur once. */
export function parseBidders(input: unknown): Parsed<Checked<BidderChanges>> {
  const parsed = parseObject(BiddersFields, input)
  if (!parsed.ok) return parsed
  const { bidders } = parsed.value
  const errors = (['bidderId', 'paddle'] as const).flatMap((name) => {
    const firstOf = new Map<unknown, number>()
    return bidders.flatMap(({ [name]: value }, index) => {
      if (value == null) return []
      const first = firstOf.get(value)
      if (first === undefined) firstOf.set(value, index)
      return first === undefined
        ? []
        : { pointer: `/bidders/${index}/${name}`, message: `is that of /bidders/${first}` }
    })
  })
  if (errors.length > 0) return refused(validationFailed(...errors))
  return accepted(checkedChanges({ bidders: bidders.map(changeOf) }))
}
