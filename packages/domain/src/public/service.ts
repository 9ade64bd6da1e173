// `@auction/domain`: the service, its dependencies, and the types of its use cases.

export type { AuctionNotFound, CommandRefusal } from '../auction/auction-ledger.ts'
export { type CorrectedField, correctedFields } from '../auction/correction.ts'
export type { PublicBid } from '../auction/formats/english/public-events.ts'
export type { CurrentView } from '../auction/view.ts'
export type { Clock } from '../clock.ts'
export type { Extend, Extended, Hooks, Stored } from '../hooks.ts'
export type { Overloaded } from '../ledger/pending-command.ts'
export type { Limits } from '../limits.ts'
export type {
  AppendEnd,
  AppendStart,
  Backlog,
  Closing,
  Conflict,
  Observer,
  StoreOperation,
  UnknownOutcome,
} from '../observer.ts'
export type { Bidder, Claim, Claims } from '../register/bidder-list.ts'
export type { BidderStatus, Register } from '../register/events.ts'
export type { BidderChange, BidderChanges, NewRegister } from '../register/fields.ts'
export { type RegisterNotFound, type RegisterRefusal, registerRefusals } from '../register/register-ledger.ts'
export type { Sale } from '../sale/events.ts'
export type { LotsCancellation, NewLots, NewSale, SaleExtension } from '../sale/fields.ts'
export { type SaleNotFound, saleRefusals } from '../sale/sale-ledger.ts'
export type { Sealer } from '../sealer.ts'
export { type AuctionService, type AuctionServiceParts, createAuctionService } from '../service.ts'
export { storeOperations } from '../store/guarded-store.ts'
export type { AddLotsRequest, LotAdded, LotsAdded } from '../use-cases/add-lots.ts'
export type { BuyNowRefusal, BuyNowRequest } from '../use-cases/buy-now.ts'
export type { CancelAuctionRefusal, CancelAuctionRequest } from '../use-cases/cancel-auction.ts'
export type { CancelLotsRequest, LotCancelled, LotsCancelled } from '../use-cases/cancel-lots.ts'
export type { CloseDue, ClosingReport } from '../use-cases/close-due.ts'
export type { CorrectAuctionRefusal, CorrectAuctionRequest } from '../use-cases/correct-auction.ts'
export type { CreateAuctionResult } from '../use-cases/create-auction.ts'
export type { CreateRegisterRequest } from '../use-cases/create-register.ts'
export type { CreateSaleRequest } from '../use-cases/create-sale.ts'
export type { EndAuctionRefusal, EndAuctionRequest } from '../use-cases/end-auction.ts'
export type { ExtendAuctionRefusal, ExtendAuctionRequest } from '../use-cases/extend-auction.ts'
export { type LotExtended, lotExtensionOutcomes } from '../use-cases/extend-lots.ts'
export type { ExtendSaleRequest, SaleExtended } from '../use-cases/extend-sale.ts'
export { type FollowedEvents, followAuction } from '../use-cases/follow-auction.ts'
export { endedOutcomes, type ListAuctionsQuery } from '../use-cases/list-auctions.ts'
export type { ListBidsQuery } from '../use-cases/list-bids.ts'
export type { BidderBid } from '../use-cases/list-bids-of-bidder.ts'
export type { EventPage, ListEvents, ListEventsQuery } from '../use-cases/list-events.ts'
export type { ListedRepair } from '../use-cases/list-repairs.ts'
export type { ListingQuery } from '../use-cases/listed.ts'
export type { LowerReserveRefusal, LowerReserveRequest } from '../use-cases/lower-reserve.ts'
export type { MakeOffer, MakeOfferRefusal, MakeOfferRequest } from '../use-cases/make-offer.ts'
export type { PlaceBidRefusal, PlacedBid } from '../use-cases/place-bid.ts'
export type {
  BidsEvent,
  CorrectedEvent,
  EndedEvent,
  PublicEvent,
  RepairEvent,
} from '../use-cases/public-event.ts'
export type { BidNotFound } from '../use-cases/read-bid.ts'
export type {
  BidderView,
  ListBiddersQuery,
  RegisterView,
} from '../use-cases/read-registers.ts'
export { type ListLotsQuery, type LotIds, type LotPage, type SaleView, saleStatuses } from '../use-cases/read-sales.ts'
export type { RelistAuction, RelistAuctionRefusal, RelistAuctionRequest } from '../use-cases/relist-auction.ts'
export type { BiddersChanged, SetBiddersRequest } from '../use-cases/set-bidders.ts'
export type { WithdrawBidderRefusal, WithdrawBidderRequest } from '../use-cases/withdraw-bidder.ts'
export type { WithdrawnEverywhere, WithdrawnIn } from '../use-cases/withdraw-everywhere.ts'
export type { WithdrawOwnBidRefusal, WithdrawOwnBidRequest } from '../use-cases/withdraw-own-bid.ts'
export { defaultPageSize, maxPageSize } from '../values/page.ts'
export type { KeyReused } from '../values/request-key.ts'
