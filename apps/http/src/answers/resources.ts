import type { Auction, AuctionStatus } from '@auction/domain/auction'
import type { Bid } from '@auction/domain/bid'
import { isoOf } from '@auction/domain/moment'
import { type AmountMinor, type Currency, toDecimal } from '@auction/domain/money'
import type { PricedAuction } from '@auction/domain/use-cases/read-auction'

/** The Auction of the specification's section 2.2, in its order. A member that was not given is undefined, and so not sent. */
export const auctionResource = (auction: Auction, status: AuctionStatus) => ({
  id: auction.id,
  productId: auction.productId,
  ownerId: auction.ownerId,
  title: auction.title,
  description: auction.description,
  startingPrice: toDecimal(auction.startingPriceMinor, auction.currency),
  minimumBidIncrement: toDecimal(auction.minimumBidIncrementMinor, auction.currency),
  currency: auction.currency.code,
  startTime: auction.startTime.iso,
  endTime: auction.endTime.iso,
  status,
})

/** Null says that no higher bid is possible. */
export const minimumNextBid = (amountMinor: AmountMinor | undefined, currency: Currency): number | null =>
  amountMinor === undefined ? null : toDecimal(amountMinor, currency)

/** An item of a list. Descriptions can be long, so a page of them would be; the single read has it. */
export const auctionListItem = (auction: Auction, status: AuctionStatus) => ({
  ...auctionResource(auction, status),
  description: undefined,
})

export const pricedAuctionResource = (priced: PricedAuction) => ({
  ...auctionResource(priced.auction, priced.status),
  currentPrice: toDecimal(priced.currentPriceMinor, priced.auction.currency),
  minimumNextBid: minimumNextBid(priced.minimumNextBidMinor, priced.auction.currency),
  bidCount: priced.bidCount,
})

/** The Bid of the specification's section 2.3. */
export const bidResource = (bid: Bid) => ({
  id: bid.id,
  auctionId: bid.auctionId,
  bidderId: bid.bidderId,
  amount: toDecimal(bid.amountMinor, bid.currency),
  timestamp: isoOf(bid.timestampMs),
})

/** Addresses are those of the specification, to the letter. */
export const auctionLocation = (auction: Auction): string => `/api/Auctions/${auction.id}`
export const bidLocation = (bid: Bid): string => `/api/Bids/${bid.id}`
