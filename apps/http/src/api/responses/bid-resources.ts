import type { BidderBid, PlacedBid } from '@auction/domain'
import { type Bid, type ListedView, standings } from '@auction/domain/auction'
import { BidId } from '@auction/domain/ids'
import { bidJson, placedBidJson } from '@auction/domain/json'
import { MomentText } from '@auction/domain/moment'
import { NewBidFields } from '@auction/domain/parsing'
import { described } from '@auction/host/responses'
import * as v from 'valibot'
import { readerOf, type Viewer } from '../callers/caller.ts'
import {
  AuctionListItem,
  type AuctionViewResource,
  auctionViewResource,
  bidder,
  leaderFields,
  paddle,
  type Resource,
  secret,
} from './resources.ts'

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
  paddle,
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
      'Present if the bid does not count, because staff withdrew the bids of its bidder, or of the bidder whom an automatic bid outbid at once, or because its bidder withdrew a sealed bid. The amount of an automatic bid that still counts may be above the price then.',
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

/** A bid with who leads after it, unless that is secret. */
export const PlacedBidResource = v.object({
  ...BidResource.entries,
  ...leaderFields,
  leaderId: v.optional(leaderFields.leaderId),
})

export const placedBidResource = (
  bid: PlacedBid,
  viewer: Viewer,
): Resource<typeof BidResource> & v.InferInput<typeof PlacedBidResource> => placedBidJson(bid, readerOf(viewer))

export const AuctionSummary = v.pick(AuctionListItem, [
  ...([
    'id',
    'format',
    'title',
    'currency',
    'endTime',
    'metadata',
    'status',
    'currentPrice',
    'minimumNextBid',
  ] as const),
  ...(['maximumNextBid', 'yourMaximum', 'yourPseudonym', 'effectiveEndTime', 'result', 'endedAt'] as const),
])

function auctionSummary(view: ListedView, viewer: Viewer): Resource<typeof AuctionSummary> {
  const shown: AuctionViewResource = auctionViewResource(view, viewer)
  const { id, format, title, currency, endTime, metadata, status, currentPrice, ...others } = shown
  const { minimumNextBid, maximumNextBid, yourMaximum, yourPseudonym, effectiveEndTime, result, endedAt } = others
  const limits = { minimumNextBid, maximumNextBid, yourMaximum, yourPseudonym }
  const ofView = { currentPrice, ...limits, effectiveEndTime, result, endedAt }
  return { id, format, title, currency, endTime, metadata, status, ...ofView }
}

/** A bid or a purchase in the list of a bidder, which has neither automatic bids nor raised maximums. */
export const BidderBidResource = v.object({
  ...v.omit(BidResource, ['automatic', 'raisesMaximum']).entries,
  standing: described(
    v.picklist(standings),
    'The standing of the bidder, not of this bid, in the auction: `leading` or `outbid`, with sealed bids `sealed`, until `result` is known, then `won` (sold to or bought by the bidder), `lost` (sold to or bought by another, or unsold) or `cancelled`. Instead of `outbid` and `lost`, a bid that was withdrawn has `withdrawn`.',
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

/** The specification defines this URL. */
export const bidLocation = (bid: Bid): string => `/api/Bids/${bid.id}`
