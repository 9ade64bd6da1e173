import * as v from 'valibot'
import { UserId } from '../ids.ts'
import { missingField, type Parsed, parseObject } from '../validation.ts'

/** The JSON of a purchase for the buy-now price. */
export const PurchaseFields = v.object(
  { buyerId: v.pipe(UserId, v.description('The user who buys, who must not be the owner.')) },
  missingField,
)

/** A parsed purchase. */
export type NewPurchase = { readonly buyerId: UserId }

/** Parses the JSON of a purchase strictly, and reports every error. */
export const parsePurchase = (input: unknown): Parsed<NewPurchase> => parseObject(PurchaseFields, input)
