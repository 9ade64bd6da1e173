import * as v from 'valibot'
import { type Checked, createMark } from '../values/checked.ts'
import { MomentText } from '../values/moment.ts'
import { parseObject } from '../values/parsing.ts'
import { accepted } from '../values/result.ts'
import type { FieldError, Parsed } from '../values/validation.ts'
import type { NewAuction } from './auction.ts'
import { pastEndError, rulesOfFields } from './auction-rules.ts'
import { type Fields, fields } from './new-auction-fields.ts'
import { storedFieldsOf } from './stored-fields.ts'

export const NewAuctionFields = v.pipe(fields, rulesOfFields)

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
  'yourPseudonym',
  'createdAt',
  'endedAt',
  'correctedAt',
  'repairCount',
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

function lateEnd(errors: readonly FieldError[], input: unknown, nowMs: number): readonly FieldError[] {
  if (errors.some(({ pointer }) => pointer === '/endTime')) return []
  // The cast: the input is an object, or the only error would be that of the whole body.
  const { endTime } = input as { readonly endTime: unknown }
  const late = pastEndError(v.parse(MomentText, endTime), nowMs) // Valid, by the check above.
  return late === undefined ? [] : [late]
}

const checked = createMark<NewAuction>('parseNewAuction')

const newAuction = (fields: Fields): Checked<NewAuction> => checked(storedFieldsOf(fields))
