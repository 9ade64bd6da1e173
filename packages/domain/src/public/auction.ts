// `@auction/domain/auction`: the rules as pure functions, and their types.

export {
  type Auction,
  type CorrectableTerms,
  type ListedAuction,
  type NewAuction,
  type SoftClose,
  type Terms,
  termsOf,
} from '../auction/auction.ts'
export type { Bid, NewBid } from '../auction/bid.ts'
export type { Cancellation, Command, Purchase } from '../auction/commands.ts'
export type { Correction } from '../auction/correction.ts'
export { decide } from '../auction/decide.ts'
export type {
  AuctionEvent,
  BidPlaced,
  Bought,
  Cancelled,
  Closed,
  Corrected,
  EndedEarly,
  Extended,
  MaximumRaised,
  Repair,
  ReserveLowered,
  Withdrawn,
} from '../auction/events.ts'
export { incrementAt, toPercent } from '../auction/increments.ts'
export type { Metadata } from '../auction/metadata.ts'
export {
  type BuyNowNotOffered,
  type Refusal,
  type RefusalCode,
  type RefusalKind,
  refusals,
} from '../auction/refusals.ts'
export type { EarlyEnd, Extension, ReserveReduction, Withdrawal } from '../auction/repair.ts'
export {
  type AuctionEnd,
  type AuctionResult,
  type AuctionState,
  evolve,
  initialState,
  type Leader,
} from '../auction/state.ts'
export { type AuctionStatus, auctionStatuses, endOf } from '../auction/status.ts'
export { maxSearchWords, searchWordsOf, wordsOf } from '../auction/title-words.ts'
export { type AuctionView, type ListedView, type Standing, standings, viewOf } from '../auction/view.ts'
