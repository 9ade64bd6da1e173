import * as v from 'valibot'
import { accepted } from '../result.ts'
import { missingField, type Parsed, parseObject } from '../validation.ts'
import { textUpTo } from '../well-formed-text.ts'

/** Why an auction is cancelled: a text of 1 to 500 code points. */
export const CancellationReason = textUpTo(500)

/** What a caller says of a cancellation, as JSON. */
export const CancellationFields = v.object(
  {
    reason: v.nullish(
      v.pipe(
        CancellationReason,
        v.description('Why, for everybody who reads the auction. Well-formed Unicode, counted in code points.'),
      ),
    ),
  },
  missingField,
)

/** Why an auction is cancelled, parsed. */
export type NewCancellation = { readonly reason?: string }

/** Parses the JSON of a cancellation, strictly and with every fault. */
export function parseCancellation(input: unknown): Parsed<NewCancellation> {
  const parsed = parseObject(CancellationFields, input)
  if (!parsed.ok) return parsed
  const { reason } = parsed.value
  return accepted(reason == null ? {} : { reason })
}
