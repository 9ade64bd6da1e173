import type { CreatedEvent } from '@auction/delivery'
import {
  type BidsEvent,
  type CorrectedEvent,
  correctedFields,
  type PublicEvent,
  type RepairEvent,
} from '@auction/domain'
import type { CurrentPrice } from '@auction/domain/auction'
import { AuctionId } from '@auction/domain/ids'
import { amountJson, minimumNextBidJson, priceJson } from '@auction/domain/json'
import { isoOf, MomentText } from '@auction/domain/moment'
import { toDecimal } from '@auction/domain/money'
import { Reason } from '@auction/domain/parsing'
import { described, integerFrom } from '@auction/host/responses'
import * as v from 'valibot'
import { showBidder, type Viewer } from '../callers/caller.ts'
import { ofEach } from '../of-each.ts'
import { BidResource, bidResource } from './bid-resources.ts'
import {
  AuctionResource,
  AuctionViewResource,
  auctionResource,
  bidder,
  bidFields,
  EffectiveEndTime,
  priceFields,
  ResultResource,
  resultResource,
  saleFields,
} from './resources.ts'

// Events are the same for all readers, so they are made for the public: without reserves and maximums, and with
// pseudonyms if bidders have some. An endpoint of webhooks may see ids of bidders instead.

const recordedAt = {
  auctionId: AuctionId,
  sequence: integerFrom(1, 'The position of the event. Not every sequence has an event.'),
  timestamp: described(MomentText, 'When it was recorded, in UTC.'),
}
const recorded = { ...recordedAt, ...saleFields }

const PublicBid = v.omit(BidResource, ['maximumAmount', 'raisesMaximum', 'purchase'])

/** An English auction after an event. */
const { currentPrice, minimumNextBid, maximumNextBid, bidCount, leaderId, leaderPaddle, reserveMet, buyNowOffered } =
  bidFields
const shownBids = {
  ...{ currentPrice, minimumNextBid, maximumNextBid, bidCount, leaderId, leaderPaddle },
  effectiveEndTime: EffectiveEndTime,
  ...{ reserveMet, buyNowOffered },
}

/** An auction of any format after an event. */
const shown = ofEach(
  shownBids,
  { effectiveEndTime: EffectiveEndTime },
  { ...priceFields, effectiveEndTime: EffectiveEndTime },
)

/** The bids of one command, with the auction after them. */
export const BidEventResource = v.object({
  type: v.literal('bid'),
  ...recorded,
  bids: described(
    v.pipe(v.array(PublicBid), v.minLength(1), v.maxLength(2)),
    'The bid, and the automatic bid that it caused, if any.',
  ),
  ...shownBids,
  previousLeaderId: v.optional(
    bidder('The bidder who led before and was outbid. Absent if the auction had no bids, or the leader still leads.'),
  ),
})

const by = v.optional(
  described(v.picklist(['owner', 'staff']), 'Who did it; absent if it was recorded before the service kept that.'),
)

export const CorrectedEventResource = v.object({
  type: v.literal('corrected'),
  ...recorded,
  by,
  fields: described(
    v.pipe(v.array(v.picklist(correctedFields)), v.minLength(1)),
    'What was corrected. Read the auction for the texts: a later correction may remove them.',
  ),
})

const byStaff = described(v.literal('staff'), 'Only staff do this.')
const reason = described(Reason, 'Why.')
const previousEndTime = described(MomentText, 'The end before it.')

const movedEnd = { ...recorded, by: byStaff, reason, previousEndTime, ...shown }

export const ExtendedEventResource = v.object({ type: v.literal('extended'), ...movedEnd })

/** The auction was ended by staff. `ended`, with the result, follows. */
export const EndedEarlyEventResource = v.object({ type: v.literal('ended-early'), ...movedEnd })

export const WithdrawnEventResource = v.object({
  type: v.literal('withdrawn'),
  ...recorded,
  by: byStaff,
  reason,
  bidderId: bidder('The user whose bids so far, if any, do not count.'),
  blocked: v.optional(
    described(
      v.boolean(),
      'True if the user may not bid on the auction from now on; false if the user was blocked, and may bid again. If absent, only bids were withdrawn.',
    ),
  ),
  ...shown,
})

export const ReserveLoweredEventResource = v.object({
  type: v.literal('reserve-lowered'),
  ...recorded,
  by,
  reason: v.optional(reason),
  bids: described(
    v.pipe(v.array(PublicBid), v.maxLength(1)),
    'The bid at the reserve that the service placed for the leader, if their maximum covers it.',
  ),
  ...shown,
})

/** A repair: the price may be lower after it, and the end earlier or later. */
const RepairResource = v.variant('type', [
  ExtendedEventResource,
  WithdrawnEventResource,
  EndedEarlyEventResource,
  ReserveLoweredEventResource,
])

const editor = v.optional(
  described(
    v.string(),
    'Who repaired or corrected it: a user id, or a hash of the subject of a token. Only with `Auctions.Manage`.',
  ),
)

// Repairs and corrections with their editors, in the list of all.
export const CorrectedRepairResource = v.object({ ...CorrectedEventResource.entries, editor })
export const ExtendedRepairResource = v.object({ ...ExtendedEventResource.entries, editor })
export const WithdrawnRepairResource = v.object({ ...WithdrawnEventResource.entries, editor })
export const EndedEarlyRepairResource = v.object({ ...EndedEarlyEventResource.entries, editor })
export const ReserveLoweredRepairResource = v.object({ ...ReserveLoweredEventResource.entries, editor })
export const ListedRepairResource = v.variant('type', [
  ExtendedRepairResource,
  WithdrawnRepairResource,
  EndedEarlyRepairResource,
  ReserveLoweredRepairResource,
  CorrectedRepairResource,
])

/** The last event of an auction. */
export const EndedEventResource = v.object({
  type: v.literal('ended'),
  ...recorded,
  status: AuctionViewResource.entries.status,
  result: ResultResource,
  metadata: AuctionResource.entries.metadata,
})

/** The auction with the corrections until now: an earlier title or other metadata may have been removed. */
export const CreatedAuction = v.omit(AuctionResource, ['description', 'reservePrice'])

/** The first event of an auction, which only webhooks have. */
export const CreatedEventResource = v.object({
  type: v.literal('created'),
  ...recordedAt,
  sequence: v.literal(0),
  auction: CreatedAuction,
})

/** All events but the first, by their types. */
export const EventResource = v.variant('type', [
  BidEventResource,
  CorrectedEventResource,
  ...RepairResource.options,
  EndedEventResource,
])
export type EventResource = v.InferInput<typeof EventResource>

export function createdEventResource(
  { auctionId, sequence, atMs, auction }: CreatedEvent,
  viewer: Viewer,
): v.InferInput<typeof CreatedEventResource> {
  const resource: v.InferInput<typeof AuctionResource> = auctionResource(auction, 'Pending', viewer)
  const { description: _, reservePrice: __, ...shown } = resource
  return { type: 'created', auctionId, sequence, timestamp: isoOf(atMs), auction: shown }
}

const recordedIn = ({ auctionId, sequence, atMs, saleId, lot }: PublicEvent) => ({
  ...{ auctionId, sequence, timestamp: isoOf(atMs) },
  ...(saleId !== undefined && { saleId, lot }),
})

/** What the format of the auction shows. The cast: an event has the figures of its format. */
function shownAfter(event: RepairEvent, viewer: Viewer) {
  const effectiveEndTime = event.effectiveEndTime.iso
  if (event.format === 'sealed') return { effectiveEndTime }
  if (event.format === 'falling') return { ...priceJson(event as CurrentPrice, event), effectiveEndTime }
  return bidsAfter(event as EnglishEvent, viewer)
}

/** An event with the figures of an English auction. */
type EnglishEvent = Extract<BidsEvent | RepairEvent, { readonly bidCount: number }>

const bidsAfter = (event: EnglishEvent, viewer: Viewer) => ({
  currentPrice: toDecimal(event.currentPriceMinor, event.currency),
  minimumNextBid: minimumNextBidJson(event.minimumNextBidMinor, event.currency),
  maximumNextBid: amountJson(event.maximumNextBidMinor, event.currency),
  bidCount: event.bidCount,
  leaderId: event.leaderId === undefined ? null : showBidder(viewer, event.auctionId, event.leaderId),
  leaderPaddle: event.leaderPaddle,
  effectiveEndTime: event.effectiveEndTime.iso,
  reserveMet: event.isReserveMet,
  buyNowOffered: event.isBuyNowOffered,
})

export function repairResource(event: RepairEvent, viewer: Viewer): v.InferInput<typeof RepairResource> {
  const { auctionId } = event
  const common = { ...recordedIn(event), ...shownAfter(event, viewer) }
  switch (event.type) {
    case 'extended':
    case 'ended-early': {
      const { type, by, reason, previousEndTime } = event
      return { type, ...common, by, reason, previousEndTime: previousEndTime.iso }
    }
    case 'withdrawn': {
      const bidderId = showBidder(viewer, auctionId, event.bidderId)
      const { type, by, reason, isBlocked: blocked } = event
      return { type, ...common, by, reason, bidderId, blocked }
    }
    case 'reserve-lowered': {
      const bids = event.bids.map((bid) => bidResource(bid, viewer))
      return { type: event.type, ...common, by: event.by, reason: event.reason, bids }
    }
    default:
      return event satisfies never
  }
}

export function correctedResource(event: CorrectedEvent): v.InferInput<typeof CorrectedEventResource> {
  const { by, fields } = event
  return { type: 'corrected', ...recordedIn(event), by, fields: [...fields] }
}

export function eventResource(event: PublicEvent, viewer: Viewer): EventResource {
  const { auctionId } = event
  const recorded = recordedIn(event)
  switch (event.type) {
    case 'bids':
      return {
        type: 'bid',
        ...recorded,
        bids: event.bids.map((bid) => bidResource(bid, viewer)),
        // The cast: the event of bids is that of an English auction.
        ...bidsAfter(event as EnglishEvent, viewer),
        ...(event.previousLeaderId !== undefined && {
          previousLeaderId: showBidder(viewer, auctionId, event.previousLeaderId),
        }),
      }
    case 'extended':
    case 'ended-early':
    case 'withdrawn':
    case 'reserve-lowered':
      return repairResource(event, viewer)
    case 'corrected':
      return correctedResource(event)
    case 'ended': {
      const { status, currency, metadata } = event
      const result = resultResource(event.result, { id: auctionId, currency }, viewer)
      return { type: 'ended', ...recorded, status, result, metadata }
    }
    default:
      return event satisfies never
  }
}
