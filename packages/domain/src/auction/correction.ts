import * as v from 'valibot'
import { type Checked, createMark } from '../values/checked.ts'
import { parseObject } from '../values/parsing.ts'
import { accepted } from '../values/result.ts'
import type { Parsed } from '../values/validation.ts'
import { NewAuctionFields } from './new-auction.ts'
import { MetadataPatchFields } from './new-metadata.ts'

const { productId: _, ownerId: __, currency: ___, metadata, ...correctable } = NewAuctionFields.entries

type Patched<Entry> =
  Entry extends v.NullishSchema<infer Given, undefined>
    ? v.ExactOptionalSchema<v.NullableSchema<Given, undefined>, undefined>
    : Entry extends v.GenericSchema
      ? v.ExactOptionalSchema<Entry, undefined>
      : never

/** Each field may be absent, and null removes one that a new auction need not have. The cast: `Patched` does that to a type. */
const patchEntries = Object.fromEntries(
  Object.entries(correctable).map(([name, entry]) => [
    name,
    v.exactOptional(entry.type === 'nullish' ? v.nullable(v.unwrap(entry)) : entry),
  ]),
) as { readonly [Name in keyof typeof correctable]: Patched<(typeof correctable)[Name]> }

/** The JSON of a correction: a merge patch (RFC 7396), in which null removes a member. A soft close is replaced. */
export const CorrectionFields = v.pipe(
  v.object({
    ...patchEntries,
    metadata: v.exactOptional(
      v.nullable(v.pipe(MetadataPatchFields, v.description(v.getDescription(v.unwrap(metadata)) ?? ''))),
    ),
  }),
  v.minEntries(1, 'must contain at least one field of an auction'),
)

/** The JSON before validation. */
export type CorrectionJson = v.InferInput<typeof CorrectionFields>

/** A correction of some fields. Null removes a field; an absent one is kept. */
export type Correction = Readonly<v.InferOutput<typeof CorrectionFields>>

export type CorrectedField = keyof Correction

/** The fields that can be corrected, in their order. The cast: they are the keys. */
export const correctedFields = Object.keys(CorrectionFields.entries) as readonly CorrectedField[]

const checkedCorrection = createMark<Correction>('parseCorrection')

/** Parses the JSON of a correction strictly, and reports every error that does not depend on the auction. */
export function parseCorrection(input: unknown): Parsed<Checked<Correction>> {
  const parsed = parseObject(CorrectionFields, input)
  return parsed.ok ? accepted(checkedCorrection(parsed.value)) : parsed
}
