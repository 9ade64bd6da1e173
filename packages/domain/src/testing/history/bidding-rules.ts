import type { Terms } from '../../auction/auction.ts'
import type { BidPlaced, MaximumRaised } from '../../auction/events.ts'
import type { Leader } from '../../auction/state.ts'

/** What was sent, as an entry has it. */
type Sent = Pick<BidPlaced | MaximumRaised, 'type' | 'bidderId' | 'amountMinor' | 'maximumMinor'>

export type LeaderAfter = {
  readonly bidId: number
  readonly bidderId: number
  readonly amountMinor: number
  readonly maximumMinor?: number | undefined
}

/** Somebody who wants to lead: what they have bid, and how far they go. */
type Contender = { readonly bidderId: number; readonly amountMinor: number; readonly ceilingMinor: number }

type Standing = { readonly winner: Contender; readonly priceMinor: number }

export const ceilingMinor = ({ amountMinor, maximumMinor }: Leader): number => maximumMinor ?? amountMinor

/**
 * Who leads when all have bid as far as they go, and at which price. Like the other rules here it is told once more, and without a
 * look at those of the service: the one who goes further leads, the one who came first if both go equally far, at an increment above
 * the other one, or as near to it as they go.
 */
function standingAfter(terms: Terms, sent: Sent, leader: Leader | null): Standing {
  const mine = { bidderId: sent.bidderId, amountMinor: sent.amountMinor, ceilingMinor: ceilingOfSent(sent, leader) }
  if (leader === null) return { winner: mine, priceMinor: upToReserve(terms, mine, mine.amountMinor) }
  const theirs = { ...leader, ceilingMinor: ceilingMinor(leader) }
  if (leader.bidderId === mine.bidderId) {
    const amountMinor = sent.type === 'maximum-raised' ? leader.amountMinor : mine.amountMinor
    return { winner: mine, priceMinor: upToReserve(terms, mine, amountMinor) }
  }
  const [winner, loser] = mine.ceilingMinor > theirs.ceilingMinor ? [mine, theirs] : [theirs, mine]
  const enoughMinor = Math.min(loser.ceilingMinor + terms.minimumBidIncrementMinor, winner.ceilingMinor)
  return { winner, priceMinor: upToReserve(terms, winner, Math.max(enoughMinor, winner.amountMinor)) }
}

/** A leader that bids more keeps the maximum that it has. */
function ceilingOfSent({ bidderId, amountMinor, maximumMinor }: Sent, leader: Leader | null): number {
  if (maximumMinor !== undefined) return maximumMinor
  return leader?.bidderId === bidderId ? Math.max(amountMinor, ceilingMinor(leader)) : amountMinor
}

/** Whoever goes as far as the reserve pays it. */
const upToReserve = ({ reservePriceMinor }: Terms, { ceilingMinor: most }: Contender, atMinor: number): number =>
  reservePriceMinor !== undefined && most >= reservePriceMinor ? Math.max(atMinor, reservePriceMinor) : atMinor

/** The bid that the service makes within the same entry; undefined where what was sent leads by itself. */
export function expectedReply(
  terms: Terms,
  sent: Sent,
  leader: Leader | null,
): { readonly bidderId: number; readonly amountMinor: number } | undefined {
  const { winner, priceMinor } = standingAfter(terms, sent, leader)
  const { bidderId } = winner
  const ledAtMinor = sent.type === 'maximum-raised' ? leader?.amountMinor : sent.amountMinor
  const leadsBySending = bidderId === sent.bidderId && priceMinor === ledAtMinor
  return leadsBySending ? undefined : { bidderId, amountMinor: priceMinor }
}

/** How many bids more there are. */
export const bidsIn = (terms: Terms, sent: Sent, leader: Leader | null): number =>
  (sent.type === 'bid-placed' ? 1 : 0) + (expectedReply(terms, sent, leader) === undefined ? 0 : 1)

/** Who leads behind an entry of an id. The reply has the id that follows on it. */
export function leaderAfter(terms: Terms, id: number, sent: Sent, leader: Leader | null): LeaderAfter {
  const { winner, priceMinor: amountMinor } = standingAfter(terms, sent, leader)
  const hasReply = expectedReply(terms, sent, leader) !== undefined
  const ownId = sent.type === 'maximum-raised' && leader !== null ? leader.bidId : id
  return {
    bidId: hasReply ? id + 1 : ownId,
    bidderId: winner.bidderId,
    amountMinor,
    // A maximum that is used up is none.
    maximumMinor: winner.ceilingMinor > amountMinor ? winner.ceilingMinor : undefined,
  }
}
