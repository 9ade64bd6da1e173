import { automaticBidId } from '../../../values/ids.ts'
import type { Recorded } from '../../life.ts'
import type { BidPlaced, MaximumRaised, OwnEvent, ReserveLowered } from './events.ts'
import { automaticBidAfter, automaticBidAtReserve } from './proxy.ts'
import { bidCountOf, type EnglishStanding, type Leader, leaderAfter, leaderWith } from './state.ts'
import type { EnglishTerms } from './terms.ts'

/**
 * Decides a recorded request again. Without another bidder, maximums and prices are at most as high, entry for entry:
 * the maximum that leads is the highest, the price follows from the second, and the next amount never falls as prices rise.
 * So an amount that was high enough is so again, and who leads without the bidder has led, or was behind the bidder.
 * Times, the largest amount of a bid and the buy-now price are not checked again: these are not about other bidders.
 */
export function again(
  terms: EnglishTerms,
  standing: EnglishStanding,
  { id, event }: Recorded<OwnEvent>,
): EnglishStanding {
  const { leader, bidCount } = standing
  switch (event.type) {
    case 'bid-placed':
    case 'maximum-raised': {
      const decided = decidedAgain(terms, leader, event)
      return { leader: leaderAfter(leader, id, decided), bidCount: bidCount + bidCountOf(decided) }
    }
    case 'reserve-lowered':
      return atReserve(terms, standing, { id, event })
    case 'bought':
      return { leader, bidCount }
    default:
      return event satisfies never
  }
}

/** The event of a recorded request with the automatic bid that it causes now. */
function decidedAgain(
  terms: EnglishTerms,
  leader: Leader | null,
  { automatic: _, extendedEndMs: __, ...request }: BidPlaced | MaximumRaised,
): BidPlaced | MaximumRaised {
  const automatic = automaticBidAfter(terms, leader, request)
  return automatic === undefined ? request : { ...request, automatic }
}

function atReserve(
  terms: EnglishTerms,
  { leader, bidCount }: EnglishStanding,
  { id, event }: Pick<Recorded<ReserveLowered>, 'id' | 'event'>,
): EnglishStanding {
  const automatic = automaticBidAtReserve(terms, leader)
  if (leader === null || automatic === undefined) return { leader, bidCount }
  const { bidderId, amountMinor } = automatic
  // A bid that was not recorded has no id.
  const bidId = event.automatic?.bidderId === bidderId ? automaticBidId(id) : leader.bidId
  return {
    leader: leaderWith(bidId, bidderId, amountMinor, leader.maximumMinor, leader.paddle),
    bidCount: bidCount + 1,
  }
}
