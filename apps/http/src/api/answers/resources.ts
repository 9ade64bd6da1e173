import type { BidderBid, PlacedBid } from '@auction/domain'
import {
  type Auction,
  type AuctionResult,
  type AuctionStatus,
  type AuctionView,
  auctionStatuses,
  type Bid,
  type ListedAuction,
  type ListedView,
  standings,
} from '@auction/domain/auction'
import { AuctionId, BidId } from '@auction/domain/ids'
import { isoOf, MomentText } from '@auction/domain/moment'
import { type AmountMinor, type Currency, toDecimal } from '@auction/domain/money'
import { CancellationReason, isAmountField, NewAuctionFields, NewBidFields } from '@auction/domain/parsing'
import * as v from 'valibot'
import { maySeeMaximum, maySeeReserve, type ShownBidderId, showBidder, type Viewer } from '../callers/viewer.ts'

// Resources have secret fields, such as the reserve price, so each function takes the viewer.

/**
 * A bidder, as the viewer may see it. The cast: only `showBidder` creates values of this type, and JSON Schema gets the range of both
 * ids and pseudonyms.
 */
const Bidder = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(-Number.MAX_SAFE_INTEGER),
  v.maxValue(Number.MAX_SAFE_INTEGER),
) as unknown as v.GenericSchema<ShownBidderId>

export const pseudonymNote =
  'A negative number is a pseudonym for this auction, if the service hides the ids of other bidders.'

const bidder = <const Description extends string>(who: Description) =>
  v.pipe(Bidder, v.description(`${who} ${pseudonymNote}`))

export const Price = v.pipe(v.number(), v.metadata({ minimum: 0, exclusiveMaximum: 1e15 }))

type Offered = typeof NewAuctionFields.entries
type Read<Entry> = Entry extends v.NullishSchema<infer Given, undefined> ? v.OptionalSchema<Given, undefined> : Entry

/** The fields of a new auction as responses have them: omitted if not set. */
const offeredFields = Object.fromEntries(
  Object.entries(NewAuctionFields.entries).map(([name, entry]) => [
    name,
    entry.type === 'nullish' ? v.optional(v.unwrap(entry)) : entry,
  ]),
) as { readonly [Name in keyof Offered]: Read<Offered[Name]> }
const offeredNames = Object.keys(offeredFields)

/** How late bids extend the auction. */
export const SoftCloseResource = v.object({ ...v.unwrap(offeredFields.softClose).entries })

/** The Auction of section 2.2 of the specification, in its order, with the optional fields. */
export const AuctionResource = v.object({
  id: v.pipe(AuctionId, v.description('Assigned by the service.')),
  ...offeredFields,
  softClose: v.optional(SoftCloseResource),
  status: v.pipe(
    v.picklist(auctionStatuses),
    v.description(
      '`Pending` before the start, `Active` until the end, then `Ended`. `Cancelled` once it is cancelled.',
    ),
  ),
})
export type AuctionResource = v.InferInput<typeof AuctionResource>

/** A member that is not set, or that the viewer may not see, is undefined and not sent. */
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

/** Returns moments and currencies as the strings that the client sent. */
function asSent(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('iso' in value) return value.iso
  if ('code' in value) return value.code
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asSent(member)]))
}

export const SoldResource = v.object({
  outcome: v.literal('sold'),
  bidId: v.pipe(BidId, v.description('The winning bid.')),
  winnerId: bidder('The bidder of the winning bid.'),
  price: v.pipe(Price, v.description('The amount of the winning bid.')),
})
export const UnsoldResource = v.object({
  outcome: v.literal('unsold'),
  reason: v.pipe(
    v.picklist(['no-bids', 'reserve-not-met']),
    v.description('The auction has no bids, or the highest bid is below the reserve.'),
  ),
})
export const BoughtResource = v.object({
  outcome: v.literal('bought'),
  buyerId: bidder('The user who bought it.'),
  price: v.pipe(Price, v.description('The buy-now price.')),
})
export const CancelledResource = v.object({
  outcome: v.literal('cancelled'),
  reason: v.optional(v.pipe(CancellationReason, v.description('The reason given, if any.'))),
})

/** How an auction ended. */
export const ResultResource = v.variant('outcome', [SoldResource, UnsoldResource, BoughtResource, CancelledResource])

/** Null if no higher bid is possible. */
export const MinimumNextBid = v.pipe(
  v.nullable(Price),
  v.description(
    'The lowest amount that the next bid may offer, while the auction accepts bids; null if no higher bid is possible.',
  ),
)

export const minimumNextBid = (amountMinor: AmountMinor | undefined, currency: Currency): number | null =>
  amountMinor === undefined ? null : toDecimal(amountMinor, currency)

/** Who leads, and the position of the viewer. */
const leaderFields = {
  leaderId: v.nullable(bidder('The bidder of the highest bid; null if the auction has no bids.')),
  youLead: v.optional(
    v.pipe(v.boolean(), v.description('Whether the caller is the leader. Only if callers are bound to users.')),
  ),
  yourMaximum: v.optional(
    v.pipe(Price, v.description('The maximum of the caller, if the caller leads and the price is below it.')),
  ),
}

const leaderResource = (
  { leaderId, leaderMaximumMinor }: Pick<AuctionView, 'leaderId' | 'leaderMaximumMinor'>,
  auctionId: AuctionId,
  currency: Currency,
  viewer: Viewer,
) => ({
  leaderId: leaderId === undefined ? null : showBidder(viewer, auctionId, leaderId),
  youLead: viewer.userId === undefined ? undefined : viewer.userId === leaderId,
  yourMaximum:
    viewer.userId !== undefined && viewer.userId === leaderId ? decimalOf(leaderMaximumMinor, currency) : undefined,
})

const standing = {
  currentPrice: v.pipe(Price, v.description('The highest bid, or the starting price if the auction has no bids.')),
  minimumNextBid: MinimumNextBid,
  bidCount: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.description('The number of bids, including automatic bids.'),
  ),
  ...leaderFields,
  effectiveEndTime: v.optional(
    v.pipe(MomentText, v.description('With a soft close: the end, including extensions so far.')),
  ),
  reserveMet: v.optional(v.pipe(v.boolean(), v.description('With a reserve: whether the highest bid meets it.'))),
  buyNowOffered: v.optional(v.pipe(v.boolean(), v.description('With a buy-now price: whether the offer is open.'))),
  result: v.pipe(
    v.nullable(ResultResource),
    v.description(
      'Null until the result is final: a few seconds after the end, or at once if the auction is bought or cancelled. A result never changes.',
    ),
  ),
  createdAt: v.pipe(MomentText, v.description('When the auction was created, in UTC.')),
  endedAt: v.pipe(v.nullable(MomentText), v.description('When the `result` became final, in UTC; null until then.')),
  correctedAt: v.pipe(
    v.nullable(MomentText),
    v.description('When the title or the description was last corrected, in UTC; null if they are as created.'),
  ),
}

/** An auction with its current status, prices and result. */
export const AuctionViewResource = v.object({ ...AuctionResource.entries, ...standing })
export type AuctionViewResource = v.InferInput<typeof AuctionViewResource>

export const auctionViewResource = (view: AuctionView, viewer: Viewer): AuctionViewResource => ({
  ...auctionResource(view.auction, view.status, viewer),
  currentPrice: toDecimal(view.currentPriceMinor, view.auction.currency),
  minimumNextBid: minimumNextBid(view.minimumNextBidMinor, view.auction.currency),
  bidCount: view.bidCount,
  ...leaderResource(view, view.auction.id, view.auction.currency, viewer),
  effectiveEndTime: view.auction.softClose && view.effectiveEndTime.iso,
  reserveMet: view.isReserveMet,
  buyNowOffered: view.isBuyNowOffered,
  result: view.result === undefined ? null : resultResource(view.result, view.auction, viewer),
  createdAt: isoOf(view.auction.createdAtMs),
  endedAt: view.endedAtMs === undefined ? null : isoOf(view.endedAtMs),
  correctedAt: view.correctedAtMs === undefined ? null : isoOf(view.correctedAtMs),
})

/** An item of a list. It omits the description, which can be long. */
export const AuctionListItem = v.omit(AuctionViewResource, ['description'])

export const auctionListItem = (view: ListedView, viewer: Viewer): v.InferInput<typeof AuctionListItem> =>
  auctionViewResource(view, viewer)

/** What a list of bids shows of an auction. */
const summaryNames = [
  ...(['id', 'title', 'currency', 'endTime', 'status', 'currentPrice', 'minimumNextBid'] as const),
  ...(['yourMaximum', 'effectiveEndTime', 'result', 'endedAt'] as const),
] as const

export const AuctionSummary = v.pick(AuctionListItem, summaryNames)

function auctionSummary(view: ListedView, viewer: Viewer): v.InferInput<typeof AuctionSummary> {
  const item = auctionListItem(view, viewer)
  return Object.fromEntries(summaryNames.map((name) => [name, item[name]])) as typeof item // The names of the schema.
}

export function resultResource(
  result: AuctionResult,
  { id, currency }: Pick<Auction, 'id' | 'currency'>,
  viewer: Viewer,
): v.InferInput<typeof ResultResource> {
  switch (result.outcome) {
    case 'unsold':
    case 'cancelled':
      return result
    case 'sold': {
      const { outcome, bidId, winnerId, priceMinor } = result
      return { outcome, bidId, winnerId: showBidder(viewer, id, winnerId), price: toDecimal(priceMinor, currency) }
    }
    case 'bought': {
      const { outcome, buyerId, priceMinor } = result
      return { outcome, buyerId: showBidder(viewer, id, buyerId), price: toDecimal(priceMinor, currency) }
    }
    default:
      return result satisfies never
  }
}

/** The Bid of section 2.3 of the specification, with the fields of proxy bidding. */
export const BidResource = v.object({
  id: v.pipe(BidId, v.description('Assigned by the service.')),
  auctionId: NewBidFields.entries.auctionId,
  bidderId: bidder('The user who placed the bid.'),
  amount: v.pipe(
    NewBidFields.entries.amount,
    v.description('In the currency of the auction. With `raisesMaximum`, the current bid of the leader.'),
  ),
  timestamp: v.pipe(MomentText, v.description('When the bid was recorded, in UTC.')),
  maximumAmount: v.optional(
    v.pipe(
      v.unwrap(NewBidFields.entries.maximumAmount),
      v.description('The maximum that this bid set. Visible only to the bidder.'),
    ),
  ),
  automatic: v.optional(
    v.pipe(v.literal(true), v.description('Present if the service placed the bid for a bidder with a maximum.')),
  ),
  raisesMaximum: v.optional(
    v.pipe(
      v.literal(true),
      v.description('Present if this is not a bid but a higher maximum of the leader. Lists omit it.'),
    ),
  ),
})

export const bidResource = (bid: Bid, viewer: Viewer): v.InferInput<typeof BidResource> => ({
  id: bid.id,
  auctionId: bid.auctionId,
  bidderId: showBidder(viewer, bid.auctionId, bid.bidderId),
  amount: toDecimal(bid.amountMinor, bid.currency),
  timestamp: isoOf(bid.timestampMs),
  maximumAmount:
    bid.maximumMinor !== undefined && maySeeMaximum(viewer, bid)
      ? toDecimal(bid.maximumMinor, bid.currency)
      : undefined,
  automatic: bid.automatic,
  raisesMaximum: bid.raisesMaximum,
})

/** A new bid, with the leader after it. */
export const PlacedBidResource = v.object({ ...BidResource.entries, ...leaderFields })

export const placedBidResource = (bid: PlacedBid, viewer: Viewer): v.InferInput<typeof PlacedBidResource> => ({
  ...bidResource(bid, viewer),
  ...leaderResource(bid, bid.auctionId, bid.currency, viewer),
})

const { automatic: _automatic, raisesMaximum: _raisesMaximum, ...placedBidFields } = BidResource.entries

/** A bid in the list of a bidder, which has neither automatic bids nor raised maximums. */
export const BidderBidResource = v.object({
  ...placedBidFields,
  standing: v.pipe(
    v.picklist(standings),
    v.description(
      'The standing of the bidder, not of this bid, in the auction: `leading` or `outbid` until `result` is known, then `won` (sold to or bought by the bidder), `lost` (sold to or bought by another, or unsold) or `cancelled`.',
    ),
  ),
  auction: AuctionSummary,
})

export const bidderBidResource = (
  { bid, view, standing }: BidderBid,
  viewer: Viewer,
): v.InferInput<typeof BidderBidResource> => ({
  ...bidResource(bid, viewer),
  standing,
  auction: auctionSummary(view, viewer),
})

/** A page of a list. */
export const pageSchema = <Item extends v.GenericSchema>(item: Item) =>
  v.object({
    items: v.array(item),
    nextCursor: v.pipe(
      v.nullable(v.string()),
      v.description('The `cursor` of the next page; null on the last page. A page before the last may be short.'),
    ),
  })

// The specification defines these URLs.
export const auctionLocation = (auction: Auction): string => `/api/Auctions/${auction.id}`
export const bidLocation = (bid: Bid): string => `/api/Bids/${bid.id}`
