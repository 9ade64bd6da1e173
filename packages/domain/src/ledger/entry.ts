import type { Bid } from '../auction/bid.ts'
import type { AuctionEvent, AutomaticBid, BidPlaced, MaximumRaised } from '../auction/events.ts'
import type { AuctionState } from '../auction/state.ts'
import { type AuctionId, automaticBidId, type BidId, type UserId } from '../ids.ts'
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

/** An entry that somebody made who placed a bid. */
export type BidEntry = Entry<BidPlaced | MaximumRaised>

export const isBidEntry = (entry: Entry): entry is BidEntry =>
  entry.event.type === 'bid-placed' || entry.event.type === 'maximum-raised'

/**
 * The bid that was placed, as whoever placed it is told. Raising a maximum moves no price, so there the amount is what the bidder
 * leads with anyhow.
 */
export function bidOf({ id, auctionId, currency, atMs, event, state }: BidEntry): Bid {
  const { bidderId, maximumMinor, automatic } = event
  const amountMinor = event.type === 'bid-placed' ? event.amountMinor : (state.leader?.amountMinor ?? event.amountMinor)
  const bid = { id, auctionId, bidderId, amountMinor, currency, timestampMs: atMs }
  if (maximumMinor === undefined && automatic === undefined) return bid
  return {
    ...bid,
    ...(event.type === 'maximum-raised' && { raisesMaximum: true }),
    ...(maximumMinor !== undefined && { maximumMinor }),
    ...(automatic && replyOf(bidderId, automatic)),
  }
}

const replyOf = (bidderId: UserId, { bidderId: leaderId, amountMinor }: AutomaticBid) =>
  leaderId === bidderId ? { raisedToMinor: amountMinor } : { outbidAtMinor: amountMinor }

/** The bid that the service made within an entry, if it made one. */
export function automaticBidOf({ id, auctionId, currency, atMs, event }: BidEntry): Bid | undefined {
  const { automatic } = event
  if (automatic === undefined) return undefined
  return { id: automaticBidId(id), auctionId, ...automatic, currency, timestampMs: atMs, automatic: true }
}
