import type { Auction, ListedAuction } from '@auction/domain/auction/auction'
import { type Bid, NewBidFields } from '@auction/domain/auction/bid'
import { CancellationReason } from '@auction/domain/auction/cancellation-fields'
import { isAmountField, NewAuctionFields } from '@auction/domain/auction/new-auction'
import type { AuctionResult } from '@auction/domain/auction/state'
import { type AuctionStatus, auctionStatuses } from '@auction/domain/auction/status'
import type { AuctionView, ListedView } from '@auction/domain/auction-view'
import { AuctionId, BidId, UserId } from '@auction/domain/ids'
import { isoOf, MomentText } from '@auction/domain/moment'
import { type AmountMinor, type Currency, toDecimal } from '@auction/domain/money'
import * as v from 'valibot'
import { maySeeMaximum, maySeeReserve, type Viewer } from './viewer.ts'

// What an answer says of an auction or a bid depends on who reads it, so whoever makes a resource has to say for whom.

export const Price = v.pipe(v.number(), v.metadata({ minimum: 0, exclusiveMaximum: 1e15 }))

type Offered = typeof NewAuctionFields.entries
type Read<Entry> = Entry extends v.NullishSchema<infer Given, undefined> ? v.OptionalSchema<Given, undefined> : Entry

/** The fields of a request for an auction, as they are read: what was not given is left out. */
const offeredFields = Object.fromEntries(
  Object.entries(NewAuctionFields.entries).map(([name, entry]) => [
    name,
    entry.type === 'nullish' ? v.optional(v.unwrap(entry)) : entry,
  ]),
) as { readonly [Name in keyof Offered]: Read<Offered[Name]> }
const offeredNames = Object.keys(offeredFields)

/** How late bids move the end. */
export const SoftCloseResource = v.object({ ...v.unwrap(offeredFields.softClose).entries })

/** The Auction of the specification's section 2.2, in its order, with what makes it more than a plain one. */
export const AuctionResource = v.object({
  id: v.pipe(AuctionId, v.description('Assigned by the service.')),
  ...offeredFields,
  softClose: v.optional(SoftCloseResource),
  reservePrice: v.optional(
    v.pipe(
      v.unwrap(offeredFields.reservePrice),
      v.description('Only for the owner, and for whoever may read reserves.'),
    ),
  ),
  status: v.pipe(
    v.picklist(auctionStatuses),
    v.description(
      '`Pending` before the start, `Active` until the end, then `Ended`; `Cancelled` from its cancellation on.',
    ),
  ),
})
export type AuctionResource = v.InferInput<typeof AuctionResource>

/** A member that was not given, or is not for the viewer, is undefined, and so not sent. */
export function auctionResource(auction: ListedAuction, status: AuctionStatus, viewer: Viewer): AuctionResource {
  const stored: Readonly<Record<string, unknown>> = auction
  const resource: Record<string, unknown> = { id: auction.id }
  for (const name of offeredNames) {
    const isHidden = name === 'reservePrice' && !maySeeReserve(viewer, auction)
    if (isHidden) resource[name] = undefined
    else if (isAmountField(name)) resource[name] = decimalOf(auction[`${name}Minor`], auction.currency)
    else resource[name] = asSent(stored[name])
  }
  resource['status'] = status
  return resource as AuctionResource // Its fields are those of the schema.
}

const decimalOf = (amountMinor: AmountMinor | undefined, currency: Currency): number | undefined =>
  amountMinor === undefined ? undefined : toDecimal(amountMinor, currency)

/** Moments and currencies as the texts that they were sent as. */
function asSent(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('iso' in value) return value.iso
  if ('code' in value) return value.code
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asSent(member)]))
}

export const SoldResource = v.object({
  outcome: v.literal('sold'),
  bidId: v.pipe(BidId, v.description('The bid that has won.')),
  winnerId: v.pipe(UserId, v.description('Its bidder.')),
  price: v.pipe(Price, v.description('Its amount.')),
})
export const UnsoldResource = v.object({
  outcome: v.literal('unsold'),
  reason: v.pipe(
    v.picklist(['no-bids', 'reserve-not-met']),
    v.description('Nobody has bid, or the highest bid is below the reserve.'),
  ),
})
export const BoughtResource = v.object({
  outcome: v.literal('bought'),
  buyerId: v.pipe(UserId, v.description('Who has bought it at once.')),
  price: v.pipe(Price, v.description('The buy-now price.')),
})
export const CancelledResource = v.object({
  outcome: v.literal('cancelled'),
  reason: v.optional(v.pipe(CancellationReason, v.description('As it was given, if it was.'))),
})

/** How an auction has ended. */
export const ResultResource = v.variant('outcome', [SoldResource, UnsoldResource, BoughtResource, CancelledResource])

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
  bidCount: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.description('How many bids it has, those that the service made for their bidders too.'),
  ),
  effectiveEndTime: v.optional(
    v.pipe(
      MomentText,
      v.description('With a soft close: when its time is over, as far as bids have moved that by now.'),
    ),
  ),
  reserveMet: v.optional(
    v.pipe(v.boolean(), v.description('With a reserve: whether the highest bid is one that buys.')),
  ),
  buyNowOffered: v.optional(
    v.pipe(v.boolean(), v.description('With a buy-now price: whether the auction can be bought for it now.')),
  ),
  result: v.pipe(
    v.nullable(ResultResource),
    v.description(
      'Null until it is final: some seconds after the end, or as soon as it is bought or cancelled. It never changes then.',
    ),
  ),
}

/** An auction as it is read: with what the clock and its ledger say of it. */
export const AuctionViewResource = v.object({ ...AuctionResource.entries, ...standing })
export type AuctionViewResource = v.InferInput<typeof AuctionViewResource>

export const auctionViewResource = (view: AuctionView, viewer: Viewer): AuctionViewResource => ({
  ...auctionResource(view.auction, view.status, viewer),
  currentPrice: toDecimal(view.currentPriceMinor, view.auction.currency),
  minimumNextBid: minimumNextBid(view.minimumNextBidMinor, view.auction.currency),
  bidCount: view.bidCount,
  effectiveEndTime: view.auction.softClose && view.effectiveEndTime.iso,
  reserveMet: view.isReserveMet,
  buyNowOffered: view.isBuyNowOffered,
  result: resultResource(view.result, view.auction.currency),
})

/** An item of a list. Descriptions can be long, so a page of them would be; the single read has it. */
export const AuctionListItem = v.omit(AuctionViewResource, ['description'])

export const auctionListItem = (view: ListedView, viewer: Viewer): v.InferInput<typeof AuctionListItem> =>
  auctionViewResource(view, viewer)

function resultResource(result: AuctionResult | undefined, currency: Currency): AuctionViewResource['result'] {
  if (result === undefined) return null
  switch (result.outcome) {
    case 'unsold':
    case 'cancelled':
      return result
    case 'sold': {
      const { outcome, bidId, winnerId, priceMinor } = result
      return { outcome, bidId, winnerId, price: toDecimal(priceMinor, currency) }
    }
    case 'bought': {
      const { outcome, buyerId, priceMinor } = result
      return { outcome, buyerId, price: toDecimal(priceMinor, currency) }
    }
    default:
      return result satisfies never
  }
}

/** The Bid of the specification's section 2.3, with what proxy bidding adds. */
export const BidResource = v.object({
  id: v.pipe(BidId, v.description('Assigned by the service.')),
  auctionId: NewBidFields.entries.auctionId,
  bidderId: NewBidFields.entries.bidderId,
  amount: v.pipe(
    NewBidFields.entries.amount,
    v.description("In the auction's currency. With `raisesMaximum`, what the bidder leads with."),
  ),
  timestamp: v.pipe(MomentText, v.description('When the bid was recorded, in UTC.')),
  maximumAmount: v.optional(
    v.pipe(
      v.unwrap(NewBidFields.entries.maximumAmount),
      v.description('Up to which the service bids for the bidder, as this bid said. Only for the bidder.'),
    ),
  ),
  automatic: v.optional(
    v.pipe(v.literal(true), v.description('On a bid that the service made, for a bidder with a maximum.')),
  ),
  raisesMaximum: v.optional(
    v.pipe(
      v.literal(true),
      v.description(
        'On what is no bid: the leader has raised its own maximum, and `amount` is what it leads with. No list has it.',
      ),
    ),
  ),
})

export const bidResource = (bid: Bid, viewer: Viewer): v.InferInput<typeof BidResource> => ({
  id: bid.id,
  auctionId: bid.auctionId,
  bidderId: bid.bidderId,
  amount: toDecimal(bid.amountMinor, bid.currency),
  timestamp: isoOf(bid.timestampMs),
  maximumAmount:
    bid.maximumMinor !== undefined && maySeeMaximum(viewer, bid)
      ? toDecimal(bid.maximumMinor, bid.currency)
      : undefined,
  automatic: bid.automatic,
  raisesMaximum: bid.raisesMaximum,
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
