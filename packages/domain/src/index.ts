// `@auction/domain` itself: what most programs call, and the types they pass on. All that is public has a name of its own beside
// it, such as `@auction/domain/auction/decide`; a bundler takes from here only what is used.

export { toPositiveDecimal } from './amount.ts'
export type { Auction, NewAuction } from './auction/auction.ts'
export { type Bid, type NewBid, parseNewBid } from './auction/bid.ts'
export { parseCancellation } from './auction/cancellation-fields.ts'
export { parseNewAuction } from './auction/new-auction.ts'
export { parsePurchase } from './auction/purchase-fields.ts'
export type { AuctionView } from './auction-view.ts'
export type { Clock } from './clock.ts'
export { toCurrency } from './currency.ts'
export {
  type AuctionId,
  type BidId,
  type ProductId,
  toAuctionId,
  toBidId,
  toProductId,
  toUserId,
  type UserId,
} from './ids.ts'
export { isInvalidValue } from './invalid-value.ts'
export type { Limits } from './limits.ts'
export { type Moment, toMoment } from './moment.ts'
export { type AmountMinor, type Currency, exactMinor, toAmountMinor, toDecimal, toMinor } from './money.ts'
export type { Backlog, Observer } from './observer.ts'
export { type Result, unwrap } from './result.ts'
export { type AuctionService, type AuctionServiceParts, createAuctionService } from './service.ts'
export type { Store } from './store.ts'
export { isStoreUnavailable, StoreUnavailableError } from './store-unavailable.ts'
