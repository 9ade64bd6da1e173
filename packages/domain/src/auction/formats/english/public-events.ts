import { defined } from '../../../values/defined.ts'
import type { UserId } from '../../../values/ids.ts'
import type { Role } from '../../life-events.ts'
import type { EntryOf } from '../format.ts'
import { bidsIn, type EnglishBid } from './bids.ts'
import type { OwnEvent } from './events.ts'
import type { EnglishState } from './state.ts'

/** A bid without what only its bidder may see. */
export type PublicBid = Pick<
  EnglishBid,
  'id' | 'auctionId' | 'bidderId' | 'amountMinor' | 'currency' | 'timestampMs' | 'paddle' | 'automatic'
>

/** One bid, or two: the second is the automatic bid that it caused. */
type Bids = {
  readonly type: 'bids'
  readonly bids: readonly PublicBid[]
  /** The leader whom the bids outbid; absent if the auction had no bids, or its leader still leads. */
  readonly previousLeaderId?: UserId
}

type ReserveReduction = {
  readonly type: 'reserve-lowered'
  readonly reason?: string
  /** Who did it. Undefined if an earlier version recorded it, which did not keep that. */
  readonly by?: Role
  /** The bid at the reserve that the service placed for the leader, if any: at most one. */
  readonly bids: readonly PublicBid[]
}

/** What anyone sees of an event that other formats do not have: never a reserve or a maximum. */
export type EnglishPublicEvent = Bids | ReserveReduction

export function publicEvent(
  entry: EntryOf<OwnEvent, EnglishState>,
  before: EnglishState,
): EnglishPublicEvent | undefined {
  const { event, state } = entry
  const bids = bidsIn(entry).map(publicBid)
  if (event.type === 'reserve-lowered') return defined({ type: event.type, by: event.by, reason: event.reason, bids })
  if (bids.length === 0) return undefined
  const previousLeaderId = before.leader?.bidderId
  const isOutbid = previousLeaderId !== undefined && previousLeaderId !== state.leader?.bidderId
  return { type: 'bids', bids, ...(isOutbid && { previousLeaderId }) }
}

const publicBid = ({ id, auctionId, bidderId, amountMinor, currency, timestampMs, ...bid }: EnglishBid): PublicBid =>
  defined({ id, auctionId, bidderId, amountMinor, currency, timestampMs, paddle: bid.paddle, automatic: bid.automatic })
