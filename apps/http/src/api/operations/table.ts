import { addLots } from './add-lots.ts'
import { buyNow } from './buy-now.ts'
import { cancelAuction } from './cancel-auction.ts'
import { cancelLots } from './cancel-lots.ts'
import { correctAuction } from './correct-auction.ts'
import { createAuction } from './create-auction.ts'
import { createRegister } from './create-register.ts'
import { createSale } from './create-sale.ts'
import { endAuction } from './end-auction.ts'
import { extendAuction } from './extend-auction.ts'
import { extendSale } from './extend-sale.ts'
import { followAuctions } from './follow-auctions.ts'
import { followSale } from './follow-sale.ts'
import { readLiveness, readReadiness } from './health.ts'
import { listAuctions } from './list-auctions.ts'
import { listBidders } from './list-bidders.ts'
import { listBids } from './list-bids.ts'
import { listBidsOfBidder } from './list-bids-of-bidder.ts'
import { listEvents } from './list-events.ts'
import { listLots } from './list-lots.ts'
import { listRegisters } from './list-registers.ts'
import { listRepairs } from './list-repairs.ts'
import { listSales } from './list-sales.ts'
import { lowerReserve } from './lower-reserve.ts'
import { makeOffer } from './make-offer.ts'
import type { Operation } from './operation.ts'
import { placeBid } from './place-bid.ts'
import { placeBidOnAuction } from './place-bid-on-auction.ts'
import { readAuction } from './read-auction.ts'
import { readBid } from './read-bid.ts'
import { readBidder } from './read-bidder.ts'
import { readRegister } from './read-register.ts'
import { readSale } from './read-sale.ts'
import { relistAuction } from './relist-auction.ts'
import { setBidder } from './set-bidder.ts'
import { setBidders } from './set-bidders.ts'
import { withdrawBidder } from './withdraw-bidder.ts'

/** Every operation of the API, in the order of the documents and of the example requests. */
export const operations: readonly Operation[] = [
  createAuction,
  placeBid,
  readAuction,
  listAuctions,
  readBid,
  listBids,
  placeBidOnAuction,
  listBidsOfBidder,
  listEvents,
  followAuctions,
  extendAuction,
  withdrawBidder,
  lowerReserve,
  endAuction,
  listRepairs,
  buyNow,
  correctAuction,
  cancelAuction,
  createRegister,
  setBidder,
  setBidders,
  readRegister,
  listRegisters,
  readBidder,
  listBidders,
  relistAuction,
  makeOffer,
  createSale,
  addLots,
  readSale,
  listSales,
  listLots,
  followSale,
  extendSale,
  cancelLots,
  readLiveness,
  readReadiness,
]
