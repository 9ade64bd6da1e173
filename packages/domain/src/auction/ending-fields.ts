import * as v from 'valibot'
import { UserId } from '../values/ids.ts'
import { accepted } from '../values/result.ts'
import { textUpTo } from '../values/text.ts'
import { missingField, type Parsed, parseObject } from '../values/validation.ts'

/** The reason of a cancellation: a string of 1 to 500 code points. */
export const CancellationReason = textUpTo(500)

/** The JSON of a cancellation. */
export const CancellationFields = v.object(
  {
    reason: v.nullish(
      v.pipe(
        CancellationReason,
        v.description(
          'The reason, visible to all readers of the auction. Well-formed Unicode, counted in code points.',
        ),
      ),
    ),
  },
  missingField,
)

/** A parsed cancellation. */
export type NewCancellation = { readonly reason?: string }

/** Parses the JSON of a cancellation strictly, and reports every error. */
export function parseCancellation(input: unknown): Parsed<NewCancellation> {
  const parsed = parseObject(CancellationFields, input)
  if (!parsed.ok) return parsed
  const { reason } = parsed.value
  return accepted(reason == null ? {} : { reason })
}

/** The JSON of a purchase for the buy-now price. */
export const PurchaseFields = v.object(
  { buyerId: v.pipe(UserId, v.description('The user who buys, who must not be the owner.')) },
  missingField,
)

/** A parsed purchase. */
export type NewPurchase = { readonly buyerId: UserId }

/** Parses the JSON of a purchase strictly, and reports every error. */
export const parsePurchase = (input: unknown): Parsed<NewPurchase> => parseObject(PurchaseFields, input)
