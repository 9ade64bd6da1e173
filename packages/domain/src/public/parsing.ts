// `@auction/domain/parsing`: parses JSON to a command, or returns every error.

export { assignedToBids, NewBidFields, parseNewBid } from '../auction/bid.ts'
export {
  CancellationFields,
  parseCancellation,
} from '../auction/commands.ts'
export { CorrectionFields, type CorrectionJson, parseCorrection } from '../auction/correction.ts'
export {
  assignedToAuctions,
  NewAuctionFields,
  type NewAuctionJson,
  newAuctionFields,
  parseNewAuction,
} from '../auction/new-auction.ts'
export {
  OwnWithdrawalFields,
  PurchaseFields,
  parseOwnWithdrawal,
  parsePurchase,
  parseReserveReduction,
  Reason,
  ReserveReductionFields,
} from '../auction/offers.ts'
export { parseRelisting, RelistingFields } from '../auction/relisting.ts'
export {
  EarlyEndFields,
  ExtensionFields,
  parseEarlyEnd,
  parseExtension,
  parseWithdrawal,
  WithdrawalFields,
} from '../auction/repair.ts'
export { NewOfferFields, parseNewOffer } from '../auction/second-chance.ts'
export {
  BidderFields,
  BiddersFields,
  NewRegisterFields,
  parseBidder,
  parseBidders,
  parseNewRegister,
} from '../register/fields.ts'
export {
  LotsCancellationFields,
  maxLotsOfCall,
  NewLotsFields,
  NewSaleFields,
  parseLotsCancellation,
  parseNewLots,
  parseNewSale,
  parseSaleExtension,
  SaleExtensionFields,
} from '../sale/fields.ts'
export type { Checked } from '../values/checked.ts'
export { defined } from '../values/defined.ts'
export { checkedValue, isPlainObject, missingField, type ObjectSchema, objectSchemaOf } from '../values/parsing.ts'
export {
  numberInUrl,
  parseAuctionId,
  parseBidId,
  parseProductId,
  parseRegisterId,
  parseSaleId,
  parseUserId,
} from '../values/url-ids.ts'
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
