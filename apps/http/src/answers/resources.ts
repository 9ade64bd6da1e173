import type { Auction } from '@auction/domain/auction/auction'
import type { Bid } from '@auction/domain/auction/bid'
import type { AuctionResult } from '@auction/domain/auction/state'
import type { AuctionStatus } from '@auction/domain/auction/status'
import type { AuctionView } from '@auction/domain/auction-view'
import { isoOf } from '@auction/domain/moment'
import { type AmountMinor, type Currency, toDecimal } from '@auction/domain/money'

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

/** An auction as it is read: with what the clock and its ledger say of it. */
export const auctionViewResource = (view: AuctionView) => ({
  ...auctionResource(view.auction, view.status),
  currentPrice: toDecimal(view.currentPriceMinor, view.auction.currency),
  minimumNextBid: minimumNextBid(view.minimumNextBidMinor, view.auction.currency),
  bidCount: view.bidCount,
  result: resultResource(view.result, view.auction.currency),
})

/** An item of a list. Descriptions can be long, so a page of them would be; the single read has it. */
export const auctionListItem = (view: AuctionView) => ({ ...auctionViewResource(view), description: undefined })

/** Null as long as the result is not final. */
function resultResource(result: AuctionResult | undefined, currency: Currency): object | null {
  if (result === undefined) return null
  if (result.outcome === 'unsold') return result
  const { outcome, bidId, winnerId, priceMinor } = result
  return { outcome, bidId, winnerId, price: toDecimal(priceMinor, currency) }
}

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
