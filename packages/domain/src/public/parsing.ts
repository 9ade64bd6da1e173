// `@auction/domain/parsing`: parses JSON to a command, or returns every error.

export { isAmountField } from '../auction/auction-rules.ts'
export { assignedToBids, NewBidFields, parseNewBid } from '../auction/bid.ts'
export {
  CancellationFields,
  PurchaseFields,
  parseCancellation,
  parsePurchase,
} from '../auction/commands.ts'
export { CorrectionFields, type CorrectionJson, parseCorrection } from '../auction/correction.ts'
export {
  assignedToAuctions,
  NewAuctionFields,
  type NewAuctionJson,
  parseNewAuction,
} from '../auction/new-auction.ts'
export {
  EarlyEndFields,
  ExtensionFields,
  parseEarlyEnd,
  parseExtension,
  parseReserveReduction,
  parseWithdrawal,
  Reason,
  ReserveReductionFields,
  WithdrawalFields,
} from '../auction/repair.ts'
export type { Checked } from '../values/checked.ts'
export { defined } from '../values/defined.ts'
export { checkedValue, isPlainObject, missingField, type ObjectSchema, objectSchemaOf } from '../values/parsing.ts'
export { numberInUrl, parseAuctionId, parseBidId, parseProductId, parseUserId } from '../values/url-ids.ts'
export {
  allErrorsOf,
  type FieldError,
  type Parsed,
  pointerTo,
  shortened,
  type ValidationFailed,
  validationFailed,
  withUnknownNames,
} from '../values/validation.ts'
