import type { BidderBid, PlacedBid } from '@auction/domain'
import {
  type Auction,
  type AuctionResult,
  type AuctionStatus,
  auctionStatuses,
  type Bid,
  type ListedAuction,
  type ListedView,
  standings,
} from '@auction/domain/auction'
import { AuctionId, BidId } from '@auction/domain/ids'
import { auctionJson, auctionViewJson, bidJson, placedBidJson, resultJson } from '@auction/domain/json'
import { MomentText } from '@auction/domain/moment'
import { NewAuctionFields, NewBidFields, Reason } from '@auction/domain/parsing'
import { described, integerFrom } from '@auction/host/answers'
import * as v from 'valibot'
import { readerOf, type ShownAmount, type ShownBidderId, type Viewer } from '../callers/viewer.ts'

// Resources are made for a viewer. The type of a secret field has values only for viewers who may see it.

/** The cast: only `callers/viewer.ts` creates values of this type. */
const shownBidder = (maximum: number) =>
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(-Number.MAX_SAFE_INTEGER),
    v.maxValue(maximum),
  ) as unknown as v.GenericSchema<ShownBidderId>

/** JSON Schema gets the range of both ids and pseudonyms. */
const Bidder = shownBidder(Number.MAX_SAFE_INTEGER)
const Pseudonym = shownBidder(-1)

export const pseudonymNote =
  'A negative number is a pseudonym for this auction, if the service hides the ids of other bidders.'

export const bidder = (who: string) => described(Bidder, `${who} ${pseudonymNote}`)

export const Price = v.pipe(v.number(), v.metadata({ minimum: 0, exclusiveMaximum: 1e15 }))

/** The cast: only `callers/viewer.ts` creates values of this type. */
const secret = (amount: v.GenericSchema<number, unknown>) => amount as unknown as v.GenericSchema<ShownAmount>

/**
 * A resource with every field of its schema. One that is not set, or that the viewer may not see, is undefined and not
 * sent.
 */
type Resource<Schema extends v.GenericSchema<object>> = {
  readonly [Name in keyof Required<v.InferInput<Schema>>]: v.InferInput<Schema>[Name]
}

type Offered = typeof NewAuctionFields.entries
type Read<Entry> = Entry extends v.NullishSchema<infer Given, undefined> ? v.OptionalSchema<Given, undefined> : Entry

/**
 * The fields of a new auction as responses have them: omitted if not set. The cast: this is what `Read` does to a type.
 */
const offeredFields = Object.fromEntries(
  Object.entries(NewAuctionFields.entries).map(([name, entry]) => [
    name,
    entry.type === 'nullish' ? v.optional(v.unwrap(entry)) : entry,
  ]),
) as { readonly [Name in keyof Offered]: Read<Offered[Name]> }

export const SoftCloseResource = v.object({ ...v.unwrap(offeredFields.softClose).entries })

export const IncrementStepResource = v.unwrap(offeredFields.incrementSteps).item

/** The Auction of section 2.2 of the specification, in its order, with the optional fields. */
export const AuctionResource = v.object({
  id: described(AuctionId, 'Assigned by the service.'),
  ...offeredFields,
  softClose: v.optional(SoftCloseResource),
  reservePrice: v.optional(secret(v.unwrap(offeredFields.reservePrice))),
  status: described(
    v.picklist(auctionStatuses),
    '`Pending` before the start, `Active` until the end, then `Ended`. `Cancelled` once it is cancelled.',
  ),
})

export const auctionResource = (
  auction: ListedAuction & Pick<Auction, 'description'>,
  status: AuctionStatus,
  viewer: Viewer,
): Resource<typeof AuctionResource> => auctionJson(auction, status, readerOf(viewer))

const endedEarly = v.optional(described(v.literal(true), 'Present if staff ended the auction before its end.'))

export const SoldResource = v.object({
  outcome: v.literal('sold'),
  bidId: described(BidId, 'The winning bid.'),
  winnerId: bidder('The bidder of the winning bid.'),
  price: described(
    Price,
    'What the winner pays: the amount of the winning bid, unless a withdrawal has changed the price.',
  ),
  endedEarly,
})
export const UnsoldResource = v.object({
  outcome: v.literal('unsold'),
  reason: described(
    v.picklist(['no-bids', 'reserve-not-met']),
    'The auction has no bids, or the highest bid is below the reserve.',
  ),
  endedEarly,
})
export const BoughtResource = v.object({
  outcome: v.literal('bought'),
  buyerId: bidder('The user who bought it.'),
  price: described(Price, 'The buy-now price.'),
})
export const CancelledResource = v.object({
  outcome: v.literal('cancelled'),
  reason: v.optional(described(Reason, 'The reason given, if any.')),
})

export const ResultResource = v.variant('outcome', [SoldResource, UnsoldResource, BoughtResource, CancelledResource])

export const MinimumNextBid = described(
  v.nullable(Price),
  'The lowest amount that the next bid may offer, while the auction accepts bids; null if no higher bid is possible, as once the `result` is known.',
)

export const MaximumNextBid = described(
  Price,
  'The highest `amount` that the next bid may offer, until the `result` is known. It does not limit a `maximumAmount`.',
)

export const EffectiveEndTime = described(
  MomentText,
  'The end that counts: the `endTime`, or the end to which bids or staff have moved it so far.',
)

/** Who leads, and the position of the viewer. */
const leaderFields = {
  leaderId: v.nullable(bidder('The bidder of the highest bid; null if the auction has no bids.')),
  youLead: v.optional(
    described(v.boolean(), 'Whether the caller is the leader. Present only if callers are bound to users.'),
  ),
  yourMaximum: v.optional(
    secret(described(Price, 'The maximum of the caller, if the caller leads and the price is below it.')),
  ),
  yourPseudonym: v.optional(
    described(
      Pseudonym,
      'The negative number that others see instead of the id of the caller: that of the caller in streams, events and repairs; lists of bids show callers their own id. Present only if the service hides the ids of bidders, and callers are bound to users.',
    ),
  ),
}

const viewFields = {
  currentPrice: described(Price, 'The highest bid, or the starting price if the auction has no bids.'),
  minimumNextBid: MinimumNextBid,
  maximumNextBid: v.optional(MaximumNextBid),
  bidCount: integerFrom(0, 'The number of bids, including automatic bids.'),
  ...leaderFields,
  effectiveEndTime: EffectiveEndTime,
  reserveMet: v.optional(described(v.boolean(), 'With a reserve: whether the highest bid meets it.')),
  buyNowOffered: v.optional(described(v.boolean(), 'With a buy-now price: whether the offer is open.')),
  result: described(
    v.nullable(ResultResource),
    'Null until the result is final: a few seconds after the end, or at once if the auction is bought or cancelled. A result never changes.',
  ),
  createdAt: described(MomentText, 'When the auction was created, in UTC.'),
  endedAt: described(v.nullable(MomentText), 'When the `result` became final, in UTC; null until then.'),
  correctedAt: described(
    v.nullable(MomentText),
    'When any field was last corrected, in UTC; null if the auction was never corrected. Repairs do not change it.',
  ),
  repairCount: integerFrom(0, 'The number of repairs by staff and the owner; corrections are not counted.'),
}

export const AuctionViewResource = v.object({ ...AuctionResource.entries, ...viewFields })
export type AuctionViewResource = v.InferInput<typeof AuctionViewResource>

export const auctionViewResource = (view: ListedView, viewer: Viewer): Resource<typeof AuctionViewResource> =>
  auctionViewJson(view, readerOf(viewer))

/** An item of a list. It omits the description, which can be long. */
export const AuctionListItem = v.omit(AuctionViewResource, ['description'])

export const AuctionSummary = v.pick(AuctionListItem, [
  ...(['id', 'title', 'currency', 'endTime', 'metadata', 'status', 'currentPrice', 'minimumNextBid'] as const),
  ...(['maximumNextBid', 'yourMaximum', 'yourPseudonym', 'effectiveEndTime', 'result', 'endedAt'] as const),
])

function auctionSummary(view: ListedView, viewer: Viewer): Resource<typeof AuctionSummary> {
  const { id, title, currency, endTime, metadata, status, currentPrice, ...others } = auctionViewResource(view, viewer)
  const { minimumNextBid, maximumNextBid, yourMaximum, yourPseudonym, effectiveEndTime, result, endedAt } = others
  const limits = { minimumNextBid, maximumNextBid, yourMaximum, yourPseudonym }
  const ofView = { currentPrice, ...limits, effectiveEndTime, result, endedAt }
  return { id, title, currency, endTime, metadata, status, ...ofView }
}

export const resultResource = (
  result: AuctionResult,
  auction: Pick<Auction, 'id' | 'currency'>,
  viewer: Viewer,
): v.InferInput<typeof ResultResource> => resultJson(result, auction, readerOf(viewer))

/** The Bid of section 2.3 of the specification, with the fields of proxy bidding. */
export const BidResource = v.object({
  id: described(BidId, 'Assigned by the service.'),
  auctionId: NewBidFields.entries.auctionId,
  bidderId: bidder('The user who placed the bid.'),
  amount: described(
    NewBidFields.entries.amount,
    'In the currency of the auction. With `raisesMaximum`, the current bid of the leader.',
  ),
  timestamp: described(MomentText, 'The recorded time of the bid, in UTC: that of its arrival.'),
  maximumAmount: v.optional(
    secret(
      described(
        v.unwrap(NewBidFields.entries.maximumAmount),
        'The maximum that this bid set. Visible only to the bidder.',
      ),
    ),
  ),
  automatic: v.optional(
    described(v.literal(true), 'Present if the service placed the bid for a bidder with a maximum.'),
  ),
  raisesMaximum: v.optional(
    described(v.literal(true), 'Present if this is not a bid but a higher maximum of the leader. Lists omit it.'),
  ),
  withdrawn: v.optional(
    described(
      v.literal(true),
      'Present if the bid does not count, because staff withdrew the bids of its bidder, or of the bidder whom an automatic bid outbid at once. The amount of an automatic bid that still counts may be above the price then.',
    ),
  ),
  purchase: v.optional(
    described(
      v.literal(true),
      'Present if this is not a bid but the purchase of the auction for its buy-now price, the `amount`. Lists of the bids on an auction omit it.',
    ),
  ),
})

export const bidResource = (bid: Bid, viewer: Viewer): Resource<typeof BidResource> => bidJson(bid, readerOf(viewer))

export const PlacedBidResource = v.object({ ...BidResource.entries, ...leaderFields })

export const placedBidResource = (bid: PlacedBid, viewer: Viewer): Resource<typeof PlacedBidResource> =>
  placedBidJson(bid, readerOf(viewer))

/** A bid or a purchase in the list of a bidder, which has neither automatic bids nor raised maximums. */
export const BidderBidResource = v.object({
  ...v.omit(BidResource, ['automatic', 'raisesMaximum']).entries,
  standing: described(
    v.picklist(standings),
    'The standing of the bidder, not of this bid, in the auction: `leading` or `outbid` until `result` is known, then `won` (sold to or bought by the bidder), `lost` (sold to or bought by another, or unsold) or `cancelled`. Instead of `outbid` and `lost`, a bid that was withdrawn has `withdrawn`.',
  ),
  auction: AuctionSummary,
})

export const bidderBidResource = (
  { bid, view, standing }: BidderBid,
  viewer: Viewer,
): Resource<typeof BidderBidResource> => ({
  ...bidResource(bid, viewer),
  standing,
  auction: auctionSummary(view, viewer),
})

export const pageSchema = <Item extends v.GenericSchema>(item: Item) =>
  v.object({
    items: v.array(item),
    nextCursor: described(
      v.nullable(v.string()),
      'The `cursor` of the next page; null on the last page. A page before the last may be short.',
    ),
  })

// The specification defines these URLs.
export const auctionLocation = (auction: Auction): string => `/api/Auctions/${auction.id}`
export const bidLocation = (bid: Bid): string => `/api/Bids/${bid.id}`
