import type { Auction } from '@auction/domain/auction/auction'
import { type Bid, NewBidFields } from '@auction/domain/auction/bid'
import { NewAuctionFields } from '@auction/domain/auction/new-auction'
import type { AuctionResult } from '@auction/domain/auction/state'
import { type AuctionStatus, auctionStatuses } from '@auction/domain/auction/status'
import type { AuctionView } from '@auction/domain/auction-view'
import { AuctionId, BidId, UserId } from '@auction/domain/ids'
import { isoOf, MomentText } from '@auction/domain/moment'
import { type AmountMinor, type Currency, toDecimal } from '@auction/domain/money'
import * as v from 'valibot'

const { title, description, ...auctionFields } = NewAuctionFields.entries
export const Price = v.pipe(v.number(), v.metadata({ minimum: 0, exclusiveMaximum: 1e15 }))

/** The Auction of the specification's section 2.2, in its order. */
export const AuctionResource = v.object({
  id: v.pipe(AuctionId, v.description('Assigned by the service.')),
  productId: auctionFields.productId,
  ownerId: auctionFields.ownerId,
  title: v.optional(v.unwrap(title)),
  description: v.optional(v.unwrap(description)),
  startingPrice: auctionFields.startingPrice,
  minimumBidIncrement: auctionFields.minimumBidIncrement,
  currency: auctionFields.currency,
  startTime: auctionFields.startTime,
  endTime: auctionFields.endTime,
  status: v.pipe(
    v.picklist(auctionStatuses),
    v.description('`Pending` before the start, `Active` until the end, then `Ended`.'),
  ),
})
export type AuctionResource = v.InferInput<typeof AuctionResource>

/** A member that was not given is undefined, and so not sent. */
export const auctionResource = (auction: Auction, status: AuctionStatus): AuctionResource => ({
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

export const SoldResource = v.object({
  outcome: v.literal('sold'),
  bidId: v.pipe(BidId, v.description('The bid that has won.')),
  winnerId: v.pipe(UserId, v.description('Its bidder.')),
  price: v.pipe(Price, v.description('Its amount.')),
})
export const UnsoldResource = v.object({ outcome: v.literal('unsold'), reason: v.picklist(['no-bids']) })

/** How an auction has ended. */
export const ResultResource = v.variant('outcome', [SoldResource, UnsoldResource])

/** Null says that no higher bid is possible. */
export const MinimumNextBid = v.pipe(
  v.nullable(Price),
  v.description('The least that the next bid must offer; null where no higher bid is possible.'),
)

export const minimumNextBid = (amountMinor: AmountMinor | undefined, currency: Currency): number | null =>
  amountMinor === undefined ? null : toDecimal(amountMinor, currency)

const standing = {
  currentPrice: v.pipe(Price, v.description('The highest bid, or the starting price while there is none.')),
  minimumNextBid: MinimumNextBid,
  bidCount: v.pipe(v.number(), v.integer(), v.minValue(0), v.description('How many bids it has.')),
  result: v.pipe(
    v.nullable(ResultResource),
    v.description('Null until it is final, some seconds after the end; it never changes then.'),
  ),
}

/** An auction as it is read: with what the clock and its ledger say of it. */
export const AuctionViewResource = v.object({ ...AuctionResource.entries, ...standing })
export type AuctionViewResource = v.InferInput<typeof AuctionViewResource>

export const auctionViewResource = (view: AuctionView): AuctionViewResource => ({
  ...auctionResource(view.auction, view.status),
  currentPrice: toDecimal(view.currentPriceMinor, view.auction.currency),
  minimumNextBid: minimumNextBid(view.minimumNextBidMinor, view.auction.currency),
  bidCount: view.bidCount,
  result: resultResource(view.result, view.auction.currency),
})

/** An item of a list. Descriptions can be long, so a page of them would be; the single read has it. */
export const AuctionListItem = v.omit(AuctionViewResource, ['description'])

export const auctionListItem = (view: AuctionView): v.InferInput<typeof AuctionListItem> => {
  const { description: _, ...item } = auctionViewResource(view)
  return item
}

function resultResource(result: AuctionResult | undefined, currency: Currency): AuctionViewResource['result'] {
  if (result === undefined) return null
  if (result.outcome === 'unsold') return result
  const { outcome, bidId, winnerId, priceMinor } = result
  return { outcome, bidId, winnerId, price: toDecimal(priceMinor, currency) }
}

/** The Bid of the specification's section 2.3. */
export const BidResource = v.object({
  id: v.pipe(BidId, v.description('Assigned by the service.')),
  auctionId: NewBidFields.entries.auctionId,
  bidderId: NewBidFields.entries.bidderId,
  amount: NewBidFields.entries.amount,
  timestamp: v.pipe(MomentText, v.description('When the bid was recorded, in UTC.')),
})

export const bidResource = (bid: Bid): v.InferInput<typeof BidResource> => ({
  id: bid.id,
  auctionId: bid.auctionId,
  bidderId: bid.bidderId,
  amount: toDecimal(bid.amountMinor, bid.currency),
  timestamp: isoOf(bid.timestampMs),
})

/** A page of a list. */
export const pageSchema = <Item extends v.GenericSchema>(item: Item) =>
  v.object({
    items: v.array(item),
    nextCursor: v.pipe(
      v.nullable(v.string()),
      v.description('The `cursor` of the next page. Only null says that this page is the last: a page may be short.'),
    ),
  })

/** Addresses are those of the specification, to the letter. */
export const auctionLocation = (auction: Auction): string => `/api/Auctions/${auction.id}`
export const bidLocation = (bid: Bid): string => `/api/Bids/${bid.id}`
