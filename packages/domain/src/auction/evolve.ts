import type { BidId } from '../ids.ts'
import type { AuctionEvent } from './events.ts'
import type { AuctionState } from './state.ts'

/** An event as it is recorded: under which id, and when. */
export type RecordedEvent = { readonly id: BidId; readonly atMs: number; readonly event: AuctionEvent }

/** What an event leads to. */
export function evolve(state: AuctionState, { id, atMs, event }: RecordedEvent): AuctionState {
  switch (event.type) {
    case 'bid-placed':
      return {
        phase: 'open',
        bidCount: state.bidCount + 1,
        leader: { bidId: id, bidderId: event.bidderId, amountMinor: event.amountMinor },
        atMs,
      }
    case 'closed':
      return { phase: 'closed', bidCount: state.bidCount, leader: state.leader, atMs, result: event.result }
    default:
      return event satisfies never
  }
}
