// `@auction/domain/parsing`: parses JSON to a command, or returns every error.

export { assignedToBids, NewBidFields, parseNewBid } from '../auction/bid.ts'
export { CorrectionFields, parseCorrection } from '../auction/correction-fields.ts'
export {
  CancellationFields,
  CancellationReason,
  PurchaseFields,
  parseCancellation,
  parsePurchase,
} from '../auction/ending-fields.ts'
export {
  assignedToAuctions,
  isAmountField,
  NewAuctionFields,
  type NewAuctionJson,
  parseNewAuction,
} from '../auction/new-auction.ts'
export {
  allErrorsOf,
  checkedValue,
  type FieldError,
  isPlainObject,
  missingField,
  type ObjectSchema,
  objectSchemaOf,
  type Parsed,
  pointerTo,
  shortened,
  type ValidationFailed,
  validationFailed,
  withUnknownNames,
} from '../values/validation.ts'
