import * as v from 'valibot'
import { type Checked, createMark } from '../values/checked.ts'
import type { Moment } from '../values/moment.ts'
import { missingField, parseObject } from '../values/parsing.ts'
import { accepted, refused } from '../values/result.ts'
import { type Parsed, validationFailed } from '../values/validation.ts'
import type { Auction, NewAuction, Terms } from './auction.ts'
import { times } from './common-fields.ts'
import { type AnyFields, formatOf, formats } from './formats/formats.ts'
import { errorsOfPatch, patchEntriesOf } from './patch.ts'
import { errorsOfFields } from './rules.ts'

/** The fields that a repetition may have other than its auction has them. */
const changeable = Object.values(formats).map(({ fields }) => {
  const { ownerId: _, currency: __, registerId: ___, startTime: ____, endTime: _____, ...others } = fields.entries
  return others
})

/** The JSON of a relisting: the new times, and the fields that change. Null removes one. */
export const RelistingFields = v.object({ ...times, ...patchEntriesOf(changeable) }, missingField)

export type Relisting = { readonly startTime: Moment; readonly endTime: Moment }

const checkedRelisting = createMark<Relisting>('parseRelisting')

/** Parses the JSON of a relisting strictly, and reports every error that does not depend on the auction. */
export function parseRelisting(input: unknown): Parsed<Checked<Relisting>> {
  const parsed = parseObject(RelistingFields, input)
  return parsed.ok ? accepted(checkedRelisting(parsed.value)) : parsed
}

/**
 * The repetition of an auction as it is now, with the fields that change. It must be valid as a whole, like a new auction.
 * The repetition of a lot is not part of the sale.
 * @param terms of the auction, without repairs, which move the latest end but not the end
 * @param mayReadSecrets false if no error may depend on what the caller may not read
 */
export function repetitionOf(
  auction: Auction,
  terms: Terms,
  relisting: Relisting,
  mayReadSecrets: boolean,
): Parsed<NewAuction> {
  const format = formatOf(auction)
  const ofFormat = errorsOfPatch(format.fields.entries, relisting)
  const hidden = mayReadSecrets ? undefined : format.secretError?.(auction, relisting)
  const early = hidden === undefined ? ofFormat : [...ofFormat, hidden]
  if (early.length > 0) return refused(validationFailed(...early))
  const { id: relistOf, createdAtMs: _, saleId: __, lot: ___, saleSequence: ____, ...kept } = auction
  // The cast: these are the fields of the format, and members that stay.
  const moved = format.movedWithEnd?.(terms, relisting.endTime)
  const fields = { ...format.toFields(kept), ...moved, ...relisting } as AnyFields
  const errors = errorsOfFields(format.rules(), fields)
  if (errors.length > 0) return refused(validationFailed(...errors))
  return accepted({ ...format.toStored(fields), relistOf } as NewAuction) // By the fields of its format.
}
