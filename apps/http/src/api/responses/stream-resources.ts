import type { CurrentView } from '@auction/domain'
import type { ListedAuction } from '@auction/domain/auction'
import { AuctionId, SaleId } from '@auction/domain/ids'
import { MomentText } from '@auction/domain/moment'
import { described, integerFrom } from '@auction/host/responses'
import * as v from 'valibot'
import type { Viewer } from '../callers/caller.ts'
import { AuctionListItem, AuctionViewResource, auctionViewResource, EffectiveEndTime, Price } from './resources.ts'
import { SaleViewResource } from './sale-resources.ts'

/** The state of an auction, for readers of many. */
export const StateResource = v.object({
  sequence: integerFrom(0, 'The sequence of the newest entry that the state includes; 0 without one.'),
  auction: AuctionListItem,
})

export const now = described(
  MomentText,
  'The time of the server when it began to read, in UTC. The entity tag does not cover it.',
)

// The data of the events of streams that are not of the ledger.

/** The first event of the stream of an auction. */
export const SnapshotResource = v.object({
  now,
  sequence: integerFrom(0, 'The position of the snapshot: events continue after it.'),
  auction: AuctionViewResource,
})

export const ResetResource = v.object({
  reason: described(v.literal('position-ahead'), 'The auction has no event at the position of the client.'),
  from: integerFrom(0, 'The position of the client.'),
  to: integerFrom(0, 'The position of the snapshot that follows.'),
})

export const ByeResource = v.object({
  reason: described(
    v.picklist(['age', 'token-expired', 'draining', 'over']),
    'Why the server ends the stream. The client reconnects, unless it is `over`, which only streams of several auctions and of sales send: all auctions are over.',
  ),
})

export const MissingResource = v.object({
  ids: described(v.array(AuctionId), 'The ids of auctions that do not exist.'),
})

const sentAt = described(MomentText, 'A time of the server after what the event includes, in UTC.')

const { title, status } = AuctionListItem.entries

/** A lot in the stream of its sale. */
export const LotLineResource = v.object({
  id: described(AuctionId, 'Its auction.'),
  lot: described(v.string(), 'Its number in the sale.'),
  title,
  status,
  currentPrice: v.optional(described(Price, 'As in reads of the auction. Absent with sealed bids.')),
  bidCount: v.optional(integerFrom(0, 'The number of bids, if everyone may know it.')),
  effectiveEndTime: EffectiveEndTime,
  outcome: v.optional(
    described(v.picklist(['sold', 'unsold', 'bought', 'cancelled']), 'That of the result; absent until it is final.'),
  ),
  price: v.optional(described(Price, 'What the buyer pays, if the lot is sold or bought.')),
})
export type LotLine = v.InferInput<typeof LotLineResource>

export function lotLine(view: CurrentView<ListedAuction>, publicViewer: Viewer): LotLine {
  const { id, title, status, effectiveEndTime, result, ...figures } = auctionViewResource(view, publicViewer)
  return {
    id,
    // Every auction of a sale has one.
    lot: view.auction.lot ?? '',
    title,
    status,
    currentPrice: 'currentPrice' in figures ? figures.currentPrice : undefined,
    bidCount: 'bidCount' in figures ? figures.bidCount : undefined,
    effectiveEndTime,
    outcome: result?.outcome,
    price: result !== null && 'price' in result ? result.price : undefined,
  }
}

const { extendedSeconds, extensions } = SaleViewResource.entries

/** The sale in its stream. */
export const SaleEventResource = v.object({
  now: sentAt,
  id: described(SaleId, 'The sale.'),
  extendedSeconds,
  extensions,
  lotCount: integerFrom(0, 'The number of lots.'),
})

export const LotsEventResource = v.object({ now: sentAt, lots: v.array(LotLineResource) })

export const ReadyResource = v.object({ now: sentAt })

/** The state of an auction in a stream of several. */
export const StateEventResource = v.object({ now, ...StateResource.entries })

export const stateResource = (
  view: CurrentView<ListedAuction>,
  publicViewer: Viewer,
): v.InferInput<typeof StateResource> => ({
  sequence: view.sequence,
  auction: auctionViewResource(view, publicViewer),
})
