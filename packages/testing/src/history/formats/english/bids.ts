import type { BidPlaced, Leader, MaximumRaised } from '@auction/domain/auction'
import { type AmountMinor, type Decimal, toDecimal } from '@auction/domain/money'
import { endMs } from '../../life.ts'
import type { Change, RecordedRequest } from '../format.ts'
import { isLow, leaderOf, leastAbove } from './prices.ts'
import { ceilingMinor, effectOfBid, upToReserve } from './proxy.ts'
import type { Before, EnglishAuction, EnglishEntry, EnglishStanding } from './types.ts'

export type BidEntry = EnglishEntry<BidPlaced | MaximumRaised>

export const noBids: EnglishStanding = { leader: null, bidCount: 0 }

export const standingIn = ({ leader, bidCount }: EnglishStanding): EnglishStanding => ({ leader, bidCount })

export const standingAt = (before: Before): EnglishStanding =>
  before === undefined ? noBids : standingIn(before.state)

/** A raised maximum does not change the price: the response to it has the leading amount. */
export function requestIn({ auctionId, atMs, currency, event, state }: EnglishEntry): RecordedRequest {
  const decimal = (minor: AmountMinor) => toDecimal(minor, currency) as Decimal // As an amount was sent.
  switch (event.type) {
    case 'bid-placed':
    case 'maximum-raised': {
      const { bidderId } = event
      const amountMinor =
        event.type === 'bid-placed' ? event.amountMinor : (state.leader?.amountMinor ?? event.amountMinor)
      const maximumAmount = event.maximumMinor && decimal(event.maximumMinor)
      return {
        type: 'place-bid',
        bid: { auctionId, bidderId, amount: decimal(event.amountMinor), ...(maximumAmount && { maximumAmount }) },
        response: { auctionId, bidderId, amountMinor, timestampMs: atMs, leaderId: state.leader?.bidderId },
      }
    }
    case 'bought':
      return { type: 'buy-now', purchase: { auctionId, buyerId: event.buyerId } }
    case 'reserve-lowered': {
      const { editor, reason } = event
      const reservePrice = decimal(event.reservePriceMinor)
      return {
        type: 'lower-reserve',
        repair: { auctionId, editor, reservePrice, ...(reason !== undefined && { reason }) },
      }
    }
    default:
      return event satisfies never
  }
}

/** What an own event changes. The state omits undefined members. */
export function changeBy(auction: EnglishAuction, before: Before, entry: EnglishEntry): Change {
  const { id, event } = entry
  const standing = standingAt(before)
  switch (event.type) {
    case 'bid-placed':
    case 'maximum-raised': {
      const { bids, leader, movedMs } = expectedBid(auction, { ...entry, event }, before)
      return { standing: { leader, bidCount: standing.bidCount + bids }, ...(movedMs && { extendedEndMs: movedMs }) }
    }
    case 'reserve-lowered': {
      const { reservePriceMinor } = event
      return { standing: afterLowering(auction, id + 1, reservePriceMinor, standing), repairs: { reservePriceMinor } }
    }
    case 'bought':
      return {
        result: {
          outcome: 'bought',
          buyerId: event.buyerId,
          priceMinor: event.priceMinor,
          paddle: event.admission?.paddle,
        },
      }
    default:
      return event satisfies never
  }
}

/** The effect of a bid or of a raised maximum, with the new end of the auction, if it changes. */
export function expectedBid(auction: EnglishAuction, { id, atMs, event }: BidEntry, before: Before) {
  const effect = effectOfBid(auction, id, event, leaderOf(before))
  const { softClose } = auction
  const presentMs = endMs(auction, before)
  // Bids do not move an end that staff have brought forward.
  if (softClose === undefined || before?.state.repairs?.isEndedEarly === true) return { ...effect, movedMs: undefined }
  const isLate = presentMs - atMs <= softClose.windowSeconds * 1000
  const movedMs = Math.min(atMs + softClose.extensionSeconds * 1000, softClose.latestEndTime.epochMs)
  return { ...effect, movedMs: isLate && effect.bids > 0 && movedMs > presentMs ? movedMs : undefined }
}

/** Times, buy-now and the maximum increment do not matter again. */
export function again(
  auction: EnglishAuction,
  standing: EnglishStanding,
  { id, event }: EnglishEntry,
): EnglishStanding {
  const { leader, bidCount } = standing
  if (event.type === 'bought') return standing
  if (event.type === 'reserve-lowered') {
    const { reservePriceMinor, automatic } = event
    // A bid at the reserve that is not the recorded one has no id: the leader leads with their earlier bid.
    const isRecorded = automatic !== undefined && automatic.bidderId === leader?.bidderId
    return afterLowering(auction, isRecorded ? id + 1 : leader?.bidId, reservePriceMinor, standing)
  }
  // A bid that is too low now would have been refused. What only raised a maximum is no bid now, either.
  const isRaise = event.type === 'maximum-raised' && leader?.bidderId === event.bidderId
  if (!isRaise && isLow(event.amountMinor, leastAbove(auction, leader))) return standing
  const effect = effectOfBid(auction, id, event, leader)
  return { leader: effect.leader as Leader, bidCount: bidCount + effect.bids } // Of the amounts of entries.
}

/** A leader whose maximum covers the lowered reserve bids it, with an id; 0 is no reserve. */
export function afterLowering(
  auction: EnglishAuction,
  bidId: number | undefined,
  reserveMinor: number,
  standing: EnglishStanding,
): EnglishStanding {
  const { leader, bidCount } = standing
  if (leader === null) return standing
  const lowered = { ...auction, reservePriceMinor: reserveMinor as AmountMinor } // Of an entry.
  const amountMinor = upToReserve(lowered, { ceilingMinor: ceilingMinor(auction, leader) }, leader.amountMinor)
  if (amountMinor === leader.amountMinor) return standing
  const { bidderId, maximumMinor = 0, paddle } = leader
  const most = maximumMinor > amountMinor ? maximumMinor : undefined
  const raised = { bidId, bidderId, amountMinor, maximumMinor: most, paddle }
  return { leader: raised as Leader, bidCount: bidCount + 1 } // The amounts of entries.
}
