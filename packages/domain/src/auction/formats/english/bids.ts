import { defined } from '../../../values/defined.ts'
import { automaticBidId, type BidId, bidIdOf, type UserId } from '../../../values/ids.ts'
import type { AmountMinor } from '../../../values/money.ts'
import { paddleOf } from '../../admission.ts'
import type { CommonBid, EntryOf } from '../format.ts'
import type { AutomaticBid, EnglishEvent } from './events.ts'
import type { EnglishStanding, EnglishState } from './state.ts'

export type EnglishBid = CommonBid & {
  /** The maximum that this bid set. Only the bidder may see it. */
  readonly maximumMinor?: AmountMinor
  /** Set if the service placed the bid for a bidder with a maximum. */
  readonly automatic?: true
  /** The amount of the automatic bid that the bid's own maximum made at once, if any. */
  readonly raisedToMinor?: AmountMinor
  /** The amount of the automatic bid that the leader's maximum made in reply, if any. */
  readonly outbidAtMinor?: AmountMinor
  /** Set if this is not a bid but a higher maximum of the leader. Lists omit it; its amount is the leader's bid. */
  readonly raisesMaximum?: true
  /**
   * Set if this is not a bid but a purchase for the buy-now price, which is its amount. Only the list of a user's bids
   * and the read by its id have it.
   */
  readonly isPurchase?: true
}

type EnglishEntry<Event extends EnglishEvent = EnglishEvent> = EntryOf<Event, EnglishState>

/** Who placed a bid, raised a maximum, or bought. */
export function actorOf(event: EnglishEvent): UserId | undefined {
  if (event.type === 'bought') return event.buyerId
  return event.type === 'bid-placed' || event.type === 'maximum-raised' ? event.bidderId : undefined
}

/**
 * The bid or the purchase as its user receives it. A raised maximum keeps the price, so its amount is the leader's
 * current bid.
 */
export function requestIn({ id, auctionId, currency, atMs, event, state }: EnglishEntry): EnglishBid | undefined {
  if (event.type === 'bought') {
    const { buyerId, priceMinor } = event
    return {
      id: bidIdOf(id),
      auctionId,
      bidderId: buyerId,
      amountMinor: priceMinor,
      currency,
      timestampMs: atMs,
      ...paddleOf(event),
      isPurchase: true,
    }
  }
  if (event.type !== 'bid-placed' && event.type !== 'maximum-raised') return undefined
  const { bidderId, maximumMinor, automatic } = event
  const amountMinor = event.type === 'bid-placed' ? event.amountMinor : (state.leader?.amountMinor ?? event.amountMinor)
  const bid = { id: bidIdOf(id), auctionId, bidderId, amountMinor, currency, timestampMs: atMs, ...paddleOf(event) }
  if (maximumMinor === undefined && automatic === undefined) return bid
  const raisesMaximum = event.type === 'maximum-raised' || undefined
  return defined({ ...bid, raisesMaximum, maximumMinor, ...(automatic && replyOf(bidderId, automatic)) })
}

const replyOf = (bidderId: UserId, { bidderId: leaderId, amountMinor }: AutomaticBid) =>
  leaderId === bidderId ? { raisedToMinor: amountMinor } : { outbidAtMinor: amountMinor }

/** An automatic bid needs an id as well. */
export const idsOf = (event: EnglishEvent): 1 | 2 => ('automatic' in event ? 2 : 1)

/** The bid of an entry, and the automatic bid. */
export function bidsIn(entry: EnglishEntry): readonly EnglishBid[] {
  const { id, auctionId, currency, atMs, event, state } = entry
  const own = event.type === 'bid-placed' ? requestIn(entry) : undefined
  const automatic = 'automatic' in event ? event.automatic : undefined
  const reply: EnglishBid | undefined = automatic && {
    ...{ id: automaticBidId(id), auctionId, ...automatic, currency, timestampMs: atMs },
    // The bidder of an automatic bid leads after it.
    ...defined({ paddle: state.leader?.paddle }),
    automatic: true,
  }
  return [own, reply].filter((bid) => bid !== undefined)
}

/** An automatic bid above the price, which only the leader can have, was placed against a bid that was withdrawn. */
export const isReplaced = ({ id, amountMinor, automatic }: EnglishBid, { leader }: EnglishStanding): boolean =>
  automatic === true && (leader === null || (amountMinor > leader.amountMinor && id !== leader.bidId))

/** Between a raised maximum and the bid that leads, no entries are bids. */
export function bidBefore({ event, state }: EnglishEntry): BidId | undefined {
  return event.type === 'maximum-raised' && event.automatic === undefined ? state.leader?.bidId : undefined
}
