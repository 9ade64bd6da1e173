import type { BidPlaced, Leader, MaximumRaised, Terms } from '@auction/domain/auction'

/** The request's part of an entry. */
type Sent = Pick<BidPlaced | MaximumRaised, 'type' | 'bidderId' | 'amountMinor' | 'maximumMinor'>

export type LeaderAfter = {
  readonly bidId: number
  readonly bidderId: number
  readonly amountMinor: number
  readonly maximumMinor?: number | undefined
}

/** A bidder, with the bid and the highest amount that it may rise to. */
type Contender = { readonly bidderId: number; readonly amountMinor: number; readonly ceilingMinor: number }

type Standing = { readonly winner: Contender; readonly priceMinor: number }

export const ceilingMinor = ({ amountMinor, maximumMinor }: Leader): number => maximumMinor ?? amountMinor

/**
 * The leader after all automatic bids, and the price. Like the other rules here it is a second implementation that shares no code
 * with the service. The higher maximum leads, or the first of equal ones, at one increment above the other maximum, or at its
 * own maximum if that is lower.
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

/** A leader that bids more keeps its maximum. */
function ceilingOfSent({ bidderId, amountMinor, maximumMinor }: Sent, leader: Leader | null): number {
  if (maximumMinor !== undefined) return maximumMinor
  return leader?.bidderId === bidderId ? Math.max(amountMinor, ceilingMinor(leader)) : amountMinor
}

/** A leader whose maximum reaches the reserve pays at least the reserve. */
const upToReserve = ({ reservePriceMinor }: Terms, { ceilingMinor: most }: Contender, atMinor: number): number =>
  reservePriceMinor !== undefined && most >= reservePriceMinor ? Math.max(atMinor, reservePriceMinor) : atMinor

/** The automatic bid within the same entry; undefined if the request itself leads. */
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

/** The number of bids that a request adds. */
export const bidsIn = (terms: Terms, sent: Sent, leader: Leader | null): number =>
  (sent.type === 'bid-placed' ? 1 : 0) + (expectedReply(terms, sent, leader) === undefined ? 0 : 1)

/** The leader after an entry with this id. The automatic bid has the next id. */
export function leaderAfter(terms: Terms, id: number, sent: Sent, leader: Leader | null): LeaderAfter {
  const { winner, priceMinor: amountMinor } = standingAfter(terms, sent, leader)
  const hasReply = expectedReply(terms, sent, leader) !== undefined
  const ownId = sent.type === 'maximum-raised' && leader !== null ? leader.bidId : id
  return {
    bidId: hasReply ? id + 1 : ownId,
    bidderId: winner.bidderId,
    amountMinor,
    // A maximum at the price is omitted.
    maximumMinor: winner.ceilingMinor > amountMinor ? winner.ceilingMinor : undefined,
  }
}
