import * as v from 'valibot'
import { UserId } from '../ids.ts'
import { missingField, type Parsed, parseObject } from '../validation.ts'

/** What a caller says of a purchase for the buy-now price, as JSON. */
export const PurchaseFields = v.object(
  { buyerId: v.pipe(UserId, v.description('The user who buys, anybody but the owner.')) },
  missingField,
)

/** Who buys, parsed. */
export type NewPurchase = { readonly buyerId: UserId }

/** Parses the JSON of a purchase, strictly and with every fault. */
export const parsePurchase = (input: unknown): Parsed<NewPurchase> => parseObject(PurchaseFields, input)
