import type { CurrentView } from '@auction/domain'
import type { ListedAuction } from '@auction/domain/auction'
import { AuctionId } from '@auction/domain/ids'
import { MomentText } from '@auction/domain/moment'
import { described, integerFrom } from '@auction/host/responses'
import * as v from 'valibot'
import type { Viewer } from '../callers/caller.ts'
import { AuctionListItem, AuctionViewResource, auctionViewResource } from './resources.ts'

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
    'Why the server ends the stream. The client reconnects, unless it is `over`, which only streams of several auctions send: all of them are over.',
  ),
})

export const MissingResource = v.object({
  ids: described(v.array(AuctionId), 'The ids of auctions that do not exist.'),
})

/** The state of an auction in a stream of several. */
export const StateEventResource = v.object({ now, ...StateResource.entries })

export const stateResource = (
  view: CurrentView<ListedAuction>,
  publicViewer: Viewer,
): v.InferInput<typeof StateResource> => ({
  sequence: view.sequence,
  auction: auctionViewResource(view, publicViewer),
})
