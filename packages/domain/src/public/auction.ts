// `@auction/domain/auction`: the rules as pure functions, and their types.

export type { AboveLimit, Admission, NotAdmitted } from '../auction/admission.ts'
export {
  type Auction,
  type ListedAuction,
  type NewAuction,
  type PublicAuction,
  publicAuctionOf,
  type Terms,
  termsOf,
} from '../auction/auction.ts'
export type { Bid } from '../auction/bid.ts'
export type { Cancellation, Command } from '../auction/commands.ts'
export type { Correction } from '../auction/correction.ts'
export { decide } from '../auction/decide.ts'
export type { AuctionEvent, CorrectableTerms, Corrected, Repair, Withdrawn } from '../auction/events.ts'
export type { BidPlaced, Bought, MaximumRaised, ReserveLowered } from '../auction/formats/english/events.ts'
export { incrementAt, nextAmountMinor, toPercent } from '../auction/formats/english/prices.ts'
export type { BuyNowNotOffered } from '../auction/formats/english/refusals.ts'
export type { Leader } from '../auction/formats/english/state.ts'
export type { SoftClose } from '../auction/formats/english/terms.ts'
export { type CurrentPrice, priceAt } from '../auction/formats/falling/price.ts'
export type { PriceIsHigher } from '../auction/formats/falling/refusals.ts'
export type { OfFormat } from '../auction/formats/formats.ts'
export type { AuctionEnd } from '../auction/life.ts'
export type { AuctionResult, Cancelled, Closed, EndedEarly, Extended } from '../auction/life-events.ts'
export type { RefusalKind } from '../auction/life-refusals.ts'
export type { Metadata } from '../auction/metadata.ts'
export type { NewBid, OwnWithdrawal, Purchase, ReserveReduction } from '../auction/offers.ts'
export { isHiddenFrom, type Viewer } from '../auction/privacy.ts'
export { type Refusal, type RefusalCode, refusals } from '../auction/refusals.ts'
export type { Relisting } from '../auction/relisting.ts'
export type { EarlyEnd, Extension, Withdrawal } from '../auction/repair.ts'
export type { NewOffer } from '../auction/second-chance.ts'
export { type AuctionState, evolve, initialStateOf } from '../auction/state.ts'
export { type AuctionStatus, auctionStatuses, endOf } from '../auction/status.ts'
export { maxSearchWords, wordsOf } from '../auction/title-words.ts'
export { type AuctionView, type ListedView, type Standing, standings, viewOf } from '../auction/view.ts'
