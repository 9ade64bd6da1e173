import * as v from 'valibot'
import { StoredCurrency } from '../values/currency.ts'
import { defined } from '../values/defined.ts'
import { automaticBidId, StoredAuctionId, StoredBidId, type UserId } from '../values/ids.ts'
import { StoredInteger } from '../values/primitives.ts'
import { StoredRequestKey } from '../values/request-key.ts'
import type { Bid } from './bid.ts'
import {
  type AuctionEvent,
  type AutomaticBid,
  type BidPlaced,
  type Bought,
  EventFields,
  type MaximumRaised,
} from './events.ts'
import { type AuctionState, StateFields } from './state.ts'

export const EntryFields = v.object({
  /** Unique across all auctions. For a bid it is the bid's id. */
  id: StoredBidId,
  auctionId: StoredAuctionId,
  /** Counts the entries of the auction from 1, without gaps. */
  sequence: v.pipe(StoredInteger, v.minValue(1)),
  atMs: StoredInteger,
  /** The key of the request, if any. */
  requestKey: v.exactOptional(StoredRequestKey),
  /** The currency of the auction and of all amounts of the entry. */
  currency: StoredCurrency,
  event: EventFields,
  state: StateFields,
})

/**
 * One entry of an auction's ledger: an event and the state after it. Inserting the entry commits the command. One entry
 * is enough to know who leads, at which price, and whether the auction is over.
 */
export type Entry<Event extends AuctionEvent = AuctionEvent> = Readonly<
  Omit<v.InferOutput<typeof EntryFields>, 'event'>
> & { readonly event: Event }

/** An entry of a bid or of a raised maximum. */
export type BidEntry = Entry<BidPlaced | MaximumRaised>

export const isBidEntry = (entry: Entry): entry is BidEntry =>
  entry.event.type === 'bid-placed' || entry.event.type === 'maximum-raised'

/** An entry of a bid, of a raised maximum or of a purchase. */
type UserEntry = Entry<BidPlaced | MaximumRaised | Bought>

export const isUserEntry = (entry: Entry): entry is UserEntry => isBidEntry(entry) || entry.event.type === 'bought'

/** The user whose `listBidderEntries` has the entry: who placed the bid, or bought. Undefined for other entries. */
export const bidderOf = ({ event }: Entry): UserId | undefined =>
  event.type === 'bid-placed' ? event.bidderId : event.type === 'bought' ? event.buyerId : undefined

/**
 * The bid or the purchase as its user receives it. A raised maximum keeps the price, so its amount is the leader's current
 * bid.
 */
export function bidOf({ id, auctionId, currency, atMs, event, state }: UserEntry): Bid {
  if (event.type === 'bought') {
    const { buyerId, priceMinor } = event
    return { id, auctionId, bidderId: buyerId, amountMinor: priceMinor, currency, timestampMs: atMs, isPurchase: true }
  }
  const { bidderId, maximumMinor, automatic } = event
  const amountMinor = event.type === 'bid-placed' ? event.amountMinor : (state.leader?.amountMinor ?? event.amountMinor)
  const bid = { id, auctionId, bidderId, amountMinor, currency, timestampMs: atMs }
  if (maximumMinor === undefined && automatic === undefined) return bid
  const raisesMaximum = event.type === 'maximum-raised' || undefined
  return defined({ ...bid, raisesMaximum, maximumMinor, ...(automatic && replyOf(bidderId, automatic)) })
}

const replyOf = (bidderId: UserId, { bidderId: leaderId, amountMinor }: AutomaticBid) =>
  leaderId === bidderId ? { raisedToMinor: amountMinor } : { outbidAtMinor: amountMinor }

/** The automatic bid of an entry, if any. */
export function automaticBidOf({ id, auctionId, currency, atMs, event }: Entry): Bid | undefined {
  const automatic = 'automatic' in event ? event.automatic : undefined
  if (automatic === undefined) return undefined
  return { id: automaticBidId(id), auctionId, ...automatic, currency, timestampMs: atMs, automatic: true }
}

/**
 * A bid of an entry as it is in a later state: withdrawn, or as it was placed. An automatic bid above the price, which only
 * the leader can have, was placed against a bid that was withdrawn.
 */
export function bidIn(withdrawn: Withdrawals, entry: Entry, bid: Bid, leader?: AuctionState['leader']): Bid {
  const requesterId = isBidEntry(entry) ? entry.event.bidderId : undefined
  const isWithdrawn = withdrawn?.some(
    ({ bidderId, throughSequence }) =>
      entry.sequence <= throughSequence && (bidderId === bid.bidderId || bidderId === requesterId),
  )
  const isAbovePrice = leader === null || (leader && bid.amountMinor > leader.amountMinor && bid.id !== leader.bidId)
  const isReplaced = withdrawn !== undefined && bid.automatic === true && isAbovePrice === true
  return isWithdrawn === true || isReplaced ? { ...bid, isWithdrawn: true } : bid
}

/** The withdrawals in a state. */
type Withdrawals = NonNullable<AuctionState['repairs']>['withdrawn']
