import * as v from 'valibot'
import { MetadataFields } from '../auction/metadata.ts'
import { FormatField, newAuctionFields, parseNewAuction } from '../auction/new-auction.ts'
import { Reason } from '../auction/offers.ts'
import { patchEntriesOf } from '../auction/patch.ts'
import { canonicalJson } from '../values/canonical-json.ts'
import { type Checked, createMark } from '../values/checked.ts'
import { CurrencyCode } from '../values/currency.ts'
import { defined } from '../values/defined.ts'
import { digestOf } from '../values/digest.ts'
import { RegisterId } from '../values/ids.ts'
import { Lot } from '../values/lot.ts'
import { MomentText } from '../values/moment.ts'
import type { Currency } from '../values/money.ts'
import { isPlainObject, missingField, parseObject } from '../values/parsing.ts'
import { textUpTo } from '../values/primitives.ts'
import { accepted, refused } from '../values/result.ts'
import { type FieldError, type Parsed, validationFailed } from '../values/validation.ts'
import type { SaleFields } from './events.ts'

// What clients send of sales. `events.ts` has the schemas of what is stored.

/** The JSON of an object. */
export type Json = Readonly<Record<string, unknown>>

const integerUpTo = (most: number, what: string) => {
  const rule = `must be an integer from 1 to ${most}${what}`
  return v.pipe(v.number(rule), v.integer(rule), v.minValue(1, rule), v.maxValue(most, rule))
}

const ofFormats = Object.values(newAuctionFields).map(({ entries }) => entries)

const defaultable = patchEntriesOf(
  ofFormats.map(({ title: _, description: __, startTime: ___, endTime: ____, ...others }) => others),
)
const ofLots = patchEntriesOf(ofFormats.map(({ startTime: _, ...others }) => others))

export const NewSaleFields = v.object(
  {
    title: v.pipe(textUpTo(200), v.description('Well-formed Unicode, counted in code points.')),
    currency: v.pipe(CurrencyCode, v.description('The currency of all lots.')),
    startTime: v.pipe(MomentText, v.description('The start of all lots. It may be in the past.')),
    firstEndTime: v.pipe(MomentText, v.description('The end of lot 1, in UTC. After the start and in the future.')),
    intervalSeconds: v.pipe(
      integerUpTo(86_400, ', in seconds'),
      v.description('The time between the ends of two groups of `lotsPerInterval` lots.'),
    ),
    lotsPerInterval: v.nullish(
      v.pipe(integerUpTo(3_000, ''), v.description('How many lots end at the same time. If omitted, 1.')),
    ),
    registerId: v.nullish(
      v.pipe(RegisterId, v.description('The register of all lots. It must exist, with the same currency.')),
    ),
    lotDefaults: v.nullish(
      v.pipe(
        v.object({ format: FormatField, ...defaultable }, missingField),
        v.description(
          'Fields of auctions that lots have unless they have their own; a lot of another format takes those of its format. The `latestEndTime` of a soft close is that of lot 1, and moves with the end of each lot. Up to 16 KiB as JSON.',
        ),
      ),
    ),
    metadata: v.nullish(
      v.pipe(
        MetadataFields,
        v.description(
          'Custom data about the sale. Up to 20 strings of up to 500 code points by names from `A-Z a-z 0-9 _ . -`, and 4 KiB in all.',
        ),
      ),
    ),
  },
  missingField,
)

/** A sale as it is created. `parseNewSale` checks it. */
export type NewSale = Omit<SaleFields, 'registerAdmits'>

const checkedSale = createMark<NewSale>('parseNewSale')

const maxDefaults = 16 * 1024

/** Parses the JSON of a new sale strictly, and reports every error that does not depend on the register or the time. */
export function parseNewSale(input: unknown): Parsed<Checked<NewSale>> {
  const parsed = parseObject(NewSaleFields, input)
  if (!parsed.ok) return parsed
  const { lotDefaults: _, lotsPerInterval, registerId, metadata, ...fields } = parsed.value
  const sent = withoutNulls(Object(input)['lotDefaults'])
  const lotDefaults = Object.keys(sent).length === 0 ? undefined : canonicalJson(sent)
  const errors: FieldError[] = []
  if (fields.firstEndTime.epochMs <= fields.startTime.epochMs)
    errors.push({ pointer: '/firstEndTime', message: 'must be at least 1 millisecond after startTime' })
  if (registerId != null && sent['registerId'] !== undefined)
    errors.push({ pointer: '/lotDefaults/registerId', message: 'must be omitted: the sale has a registerId' })
  if (errors.length === 0) errors.push(...errorsOfDefaults(sent, parsed.value))
  if (sent['currency'] !== undefined && sent['currency'] !== fields.currency.code)
    errors.push({ pointer: '/lotDefaults/currency', message: `must be ${fields.currency.code}, that of the sale` })
  if ((lotDefaults?.length ?? 0) > maxDefaults)
    errors.push({ pointer: '/lotDefaults', message: `must have at most ${maxDefaults} characters as JSON` })
  if (errors.length > 0) return refused(validationFailed(...errors))
  const optional = { registerId: registerId ?? undefined, lotDefaults, metadata: metadata ?? undefined }
  return accepted(checkedSale(defined({ ...fields, lotsPerInterval: lotsPerInterval ?? 1, ...optional })))
}

/** What a lot may have that the defaults lack: values that no rule about several fields refuses. */
const fillers = ({ code, exponent }: Currency, format: unknown): Json => ({
  ...{ productId: 1, ownerId: 1, currency: code, minimumBidIncrement: 10 ** -exponent },
  startingPrice: format === 'falling' ? 1e9 : 0,
})

/** The errors that every lot with these defaults would have. */
function errorsOfDefaults(
  sent: Json,
  {
    currency,
    startTime,
    firstEndTime,
    registerId,
  }: Pick<NewSale, 'currency' | 'startTime' | 'firstEndTime'> & {
    readonly registerId?: unknown
  },
): readonly FieldError[] {
  const times = { startTime: startTime.iso, endTime: firstEndTime.iso, ...(registerId != null && { registerId }) }
  const lot = { ...fillers(currency, sent['format']), ...sent, ...times }
  const parsed = parseNewAuction(lot, Number.NEGATIVE_INFINITY)
  if (parsed.ok) return []
  const ofDefaults = parsed.refusal.errors.filter(({ pointer }) => Object.hasOwn(sent, pointer.split('/')[1] ?? ''))
  return ofDefaults.map(({ pointer, message }) => ({ pointer: `/lotDefaults${pointer}`, message }))
}

/** A null is the same as an absent member. */
const withoutNulls = (json: unknown): Json =>
  Object.fromEntries(Object.entries(isPlainObject(json) ? json : {}).filter(([, value]) => value !== null))

const LotFields = v.object(
  { lot: v.pipe(Lot, v.description('The number in the sale, such as `12` or `12A`.')), format: FormatField, ...ofLots },
  missingField,
)

export const maxLotsOfCall = 100
const listRule = `must be an array of 1 to ${maxLotsOfCall} lots`

/** The JSON of several lots: fields of auctions, of which the sale may have defaults. */
export const NewLotsFields = v.object(
  { lots: v.pipe(v.array(LotFields, listRule), v.minLength(1, listRule), v.maxLength(maxLotsOfCall, listRule)) },
  missingField,
)

/** A lot as it was sent. */
export type NewLot = {
  readonly lot: string
  /** The fields of its auction, as JSON. Null for a default that it does not have. */
  readonly fields: Json
  /** The digest of the fields: two requests with the same one are the same. */
  readonly digest: string
  readonly hasReserve?: true
}

/** 1 to 100 different lots. Their auctions are checked with the sale. */
export type NewLots = { readonly lots: readonly NewLot[] }

const checkedLots = createMark<NewLots>('parseNewLots')

/** Parses the JSON of several lots strictly, and reports every error that does not depend on the sale. */
export function parseNewLots(input: unknown): Parsed<Checked<NewLots>> {
  const parsed = parseObject(NewLotsFields, input)
  if (!parsed.ok) return parsed
  const labels = parsed.value.lots.map(({ lot }) => lot)
  const errors = repeatedIn(labels).map(([index, first]) => ({
    pointer: `/lots/${index}/lot`,
    message: `is that of /lots/${first}`,
  }))
  if (errors.length > 0) return refused(validationFailed(...errors))
  const sent: readonly Json[] = Object(input).lots // An array of objects, by the schema.
  const lots = sent.map(({ lot: _, ...fields }, index) => ({
    lot: labels[index] ?? '',
    fields,
    digest: digestOf(canonicalJson(fields)),
    ...(fields['reservePrice'] != null && { hasReserve: true as const }),
  }))
  return accepted(checkedLots({ lots }))
}

/** The indexes of repeated texts, each with that of the first one. */
function repeatedIn(texts: readonly string[]): readonly (readonly [index: number, first: number])[] {
  const firstOf = new Map<string, number>()
  return texts.flatMap((text, index) => {
    const first = firstOf.get(text)
    if (first === undefined) firstOf.set(text, index)
    return first === undefined ? [] : [[index, first] as const]
  })
}

const maxExtensionSeconds = 30 * 24 * 60 * 60

const reason = v.pipe(
  Reason,
  v.description('The reason, visible to all readers of the lots. Well-formed Unicode, counted in code points.'),
)

export const SaleExtensionFields = v.object(
  {
    seconds: v.pipe(
      integerUpTo(maxExtensionSeconds, ', in seconds: 30 days'),
      v.description('By how much the end of every lot without a result moves, and of the lots that are added later.'),
    ),
    reason,
  },
  missingField,
)

export type SaleExtension = { readonly seconds: number; readonly reason: string }

const checkedExtension = createMark<SaleExtension>('parseSaleExtension')

/** Parses the JSON of an extension of a sale strictly, and reports every error. */
export function parseSaleExtension(input: unknown): Parsed<Checked<SaleExtension>> {
  const parsed = parseObject(SaleExtensionFields, input)
  return parsed.ok ? accepted(checkedExtension(parsed.value)) : parsed
}

const labelsRule = `must be an array of 1 to ${maxLotsOfCall} different lots`

export const LotsCancellationFields = v.object(
  {
    lots: v.pipe(
      v.array(Lot, labelsRule),
      v.minLength(1, labelsRule),
      v.maxLength(maxLotsOfCall, labelsRule),
      v.check((lots) => new Set(lots).size === lots.length, labelsRule),
      v.metadata({ uniqueItems: true }),
      v.description('The numbers of the lots, such as `12` or `12A`.'),
    ),
    reason,
  },
  missingField,
)

/** A cancellation of 1 to 100 lots. */
export type LotsCancellation = { readonly lots: readonly string[]; readonly reason: string }

const checkedCancellation = createMark<LotsCancellation>('parseLotsCancellation')

/** Parses the JSON of a cancellation of lots strictly, and reports every error. */
export function parseLotsCancellation(input: unknown): Parsed<Checked<LotsCancellation>> {
  const parsed = parseObject(LotsCancellationFields, input)
  return parsed.ok ? accepted(checkedCancellation(parsed.value)) : parsed
}
