import { toMinor } from '../values/money.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import type { Terms } from './auction.ts'
import { buyNowOffer } from './buying.ts'
import type { PlaceBidCommand } from './commands.ts'
import type { AutomaticBid, BidPlaced, MaximumRaised } from './events.ts'
import { automaticBidAfter, ceilingOf } from './proxy.ts'
import type { PlaceBidRefusal } from './refusals.ts'
import {
  type AuctionState,
  currentPriceMinor,
  isBlocked,
  type Leader,
  maximumNextBidMinor,
  minimumNextBidMinor,
} from './state.ts'
import { extendedBy, refusalIfNotOpen } from './status.ts'

export function decideBid(
  terms: Terms,
  state: AuctionState,
  { bidderId, amount, maximumAmount }: PlaceBidCommand,
  nowMs: number,
): Result<BidPlaced | MaximumRaised, PlaceBidRefusal> {
  const { currency } = terms
  const amountMinor = toMinor(amount, currency)
  const maximumMinor = maximumAmount === undefined ? undefined : toMinor(maximumAmount, currency)
  const isMaximumInexact = maximumAmount !== undefined && maximumMinor === undefined
  if (amountMinor === undefined) {
    return refused({
      code: 'inexact-amount',
      fields: isMaximumInexact ? ['amount', 'maximumAmount'] : ['amount'],
      currency,
    })
  }
  if (isMaximumInexact) return refused({ code: 'inexact-amount', fields: ['maximumAmount'], currency })
  if (maximumMinor !== undefined && maximumMinor < amountMinor) return refused({ code: 'maximum-below-amount' })
  const closed = refusalIfNotOpen(terms, state, nowMs)
  if (closed !== undefined) return refused(closed)
  if (bidderId === terms.ownerId) return refused({ code: 'owner-cannot-bid' })
  if (isBlocked(state, bidderId)) return refused({ code: 'bidder-blocked' })
  const { leader } = state
  const least = minimumNextBidMinor(terms, state)
  const isTooLow = least === undefined || amountMinor < least
  if (leader?.bidderId === bidderId && maximumMinor !== undefined) {
    if (maximumMinor < ceilingOf(leader)) return refused({ code: 'maximum-not-raised' })
    const raised = { type: 'maximum-raised', bidderId, amountMinor, maximumMinor } as const
    if (isTooLow) return decideRaise(terms, state, leader, raised, nowMs)
  }
  const prices = { currentPriceMinor: currentPriceMinor(terms, state), minimumNextBidMinor: least, currency }
  const offer = buyNowOffer(terms, state)
  // The rule holds even if no lower bid is possible: a user who may bid may also buy, for no more than the bid.
  if (offer.ok && amountMinor >= offer.value) {
    return refused({ code: 'buy-now-is-lower', auctionId: terms.id, buyNowPriceMinor: offer.value, ...prices })
  }
  if (isTooLow) return refused({ code: 'bid-too-low', ...prices })
  const most = maximumNextBidMinor(terms, state)
  if (most !== undefined && amountMinor > most) {
    const { currentPriceMinor } = prices
    return refused({ code: 'bid-too-high', currentPriceMinor, maximumNextBidMinor: most, currency })
  }
  const placed: BidPlaced =
    maximumMinor === undefined
      ? { type: 'bid-placed', bidderId, amountMinor }
      : { type: 'bid-placed', bidderId, amountMinor, maximumMinor }
  return accepted(withConsequences(placed, automaticBidAfter(terms, leader, placed), terms, state, nowMs))
}

/** The leader raises only their maximum: the amount is below the minimum next bid, so the price does not change. */
function decideRaise(
  terms: Terms,
  state: AuctionState,
  leader: Leader,
  raised: MaximumRaised,
  nowMs: number,
): Result<MaximumRaised, PlaceBidRefusal> {
  if (raised.maximumMinor <= ceilingOf(leader)) return refused({ code: 'maximum-not-raised' })
  const automatic = automaticBidAfter(terms, leader, raised)
  // Without an automatic bid, it does not extend the auction.
  return accepted(automatic === undefined ? raised : withConsequences(raised, automatic, terms, state, nowMs))
}

function withConsequences<Event extends BidPlaced | MaximumRaised>(
  event: Event,
  automatic: AutomaticBid | undefined,
  terms: Terms,
  state: AuctionState,
  nowMs: number,
): Event {
  const extendedEndMs = extendedBy(terms, state, nowMs)
  if (automatic === undefined) return extendedEndMs === undefined ? event : { ...event, extendedEndMs }
  return extendedEndMs === undefined ? { ...event, automatic } : { ...event, automatic, extendedEndMs }
}
