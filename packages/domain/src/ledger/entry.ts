import type { Bid } from '../auction/bid.ts'
import type { AuctionEvent, BidPlaced } from '../auction/events.ts'
import type { AuctionState } from '../auction/state.ts'
import type { AuctionId, BidId } from '../ids.ts'
import type { Currency } from '../money.ts'
import type { RequestKey } from '../request-key.ts'

/**
 * One entry of an auction's ledger: an event, and the state that it led to. Inserting it is all there is to committing it.
 * An entry that is read alone tells everything: who leads, at which price, and whether the auction is over.
 */
export type Entry<Event extends AuctionEvent = AuctionEvent> = {
  /** Of all entries of all auctions; for a bid it is the bid's id. */
  readonly id: BidId
  readonly auctionId: AuctionId
  /** 1 for the first entry of the auction, then one more each, without gaps. */
  readonly sequence: number
  readonly atMs: number
  /** The key of the request that made it, if it had one. */
  readonly requestKey?: RequestKey
  /** The auction's. All amounts of the entry are in it. */
  readonly currency: Currency
  readonly event: Event
  readonly state: AuctionState
}

export const isBidPlaced = (entry: Entry): entry is Entry<BidPlaced> => entry.event.type === 'bid-placed'

/** The bid that an entry records. */
export const bidOf = ({ id, auctionId, currency, atMs, event }: Entry<BidPlaced>): Bid => ({
  id,
  auctionId,
  bidderId: event.bidderId,
  amountMinor: event.amountMinor,
  currency,
  timestampMs: atMs,
})
