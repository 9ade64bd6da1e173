import { automaticBidId, type BidId } from '../values/ids.ts'
import type { AmountMinor } from '../values/money.ts'
import { correctionsAfter } from './correcting.ts'
import type { AuctionEvent, BidPlaced, MaximumRaised } from './events.ts'
import type { AuctionResult, AuctionState, Leader } from './state.ts'

/** A recorded event, with the id and time of its entry. */
export type RecordedEvent = { readonly id: BidId; readonly atMs: number; readonly event: AuctionEvent }

/** The state after an event. */
export function evolve(state: AuctionState, recorded: RecordedEvent): AuctionState {
  const { event, atMs } = recorded
  switch (event.type) {
    case 'bid-placed':
    case 'maximum-raised':
      return afterBid(state, recorded, event)
    case 'corrected':
      return { ...state, atMs, corrections: correctionsAfter(state, recorded, event) }
    case 'bought':
      return closed(state, atMs, { outcome: 'bought', buyerId: event.buyerId, priceMinor: event.priceMinor })
    case 'cancelled':
      if (state.phase === 'closed') return state // Records only the key of a request.
      return closed(
        state,
        atMs,
        event.reason === undefined ? { outcome: 'cancelled' } : { outcome: 'cancelled', reason: event.reason },
      )
    case 'closed':
      return closed(state, atMs, event.result)
    default:
      return event satisfies never
  }
}

function afterBid(state: AuctionState, { id, atMs }: RecordedEvent, event: BidPlaced | MaximumRaised): AuctionState {
  const { automatic } = event
  const bids = (event.type === 'bid-placed' ? 1 : 0) + (automatic === undefined ? 0 : 1)
  const extendedEndMs = event.extendedEndMs ?? state.extendedEndMs
  const next = {
    phase: 'open',
    bidCount: state.bidCount + bids,
    leader: leaderAfter(state.leader, id, event),
    atMs,
  } as const
  return withRest(next, extendedEndMs, state)
}

/** Most auctions have neither member. */
function withRest<State extends AuctionState>(
  next: State,
  extendedEndMs: number | undefined,
  { corrections }: AuctionState,
): State {
  if (extendedEndMs === undefined && corrections === undefined) return next
  return { ...next, ...(extendedEndMs !== undefined && { extendedEndMs }), ...(corrections && { corrections }) }
}

function leaderAfter(before: Leader | null, id: BidId, event: BidPlaced | MaximumRaised): Leader | null {
  const { automatic, bidderId, maximumMinor } = event
  if (automatic !== undefined) {
    const ceilingMinor = automatic.bidderId === bidderId ? maximumMinor : before?.maximumMinor
    return leaderWith(automaticBidId(id), automatic.bidderId, automatic.amountMinor, ceilingMinor)
  }
  if (event.type === 'maximum-raised') return before && { ...before, maximumMinor: event.maximumMinor }
  // A leader who raises their bid keeps their maximum.
  const own = maximumMinor ?? (before?.bidderId === bidderId ? before.maximumMinor : undefined)
  return leaderWith(id, bidderId, event.amountMinor, own)
}

/** Omits a maximum that does not exceed the amount. */
const leaderWith = (
  bidId: BidId,
  bidderId: Leader['bidderId'],
  amountMinor: AmountMinor,
  maximumMinor: AmountMinor | undefined,
): Leader =>
  maximumMinor !== undefined && maximumMinor > amountMinor
    ? { bidId, bidderId, amountMinor, maximumMinor }
    : { bidId, bidderId, amountMinor }

function closed(state: AuctionState, atMs: number, result: AuctionResult): AuctionState {
  const { bidCount, leader, extendedEndMs } = state
  return withRest({ phase: 'closed', bidCount, leader, atMs, result }, extendedEndMs, state)
}
