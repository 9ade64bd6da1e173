import type { BidPlaced, Leader, MaximumRaised, Terms } from '@auction/domain/auction'

/** The request's part of an entry. */
type Sent = Pick<BidPlaced | MaximumRaised, 'type' | 'bidderId' | 'amountMinor' | 'maximumMinor'>

/** A bidder, with the bid and the highest amount that it may rise to. */
type Contender = { readonly bidderId: number; readonly amountMinor: number; readonly ceilingMinor: number }

type Lead = { readonly winner: Contender; readonly priceMinor: number }

export type BidEffect = {
  /** The automatic bid within the same entry; undefined if the request itself leads. */
  readonly reply: { readonly bidderId: number; readonly amountMinor: number } | undefined
  /** The number of bids that it adds. */
  readonly bids: number
  readonly leader: {
    readonly bidId: number
    readonly bidderId: number
    readonly amountMinor: number
    readonly maximumMinor: number | undefined
  }
}

export const ceilingMinor = ({ amountMinor, maximumMinor }: Leader): number => maximumMinor ?? amountMinor

/**
 * The increment at a price: the highest of all that count there, because steps never fall. The product of a percentage
 * may exceed what a number keeps exact.
 */
export function incrementMinor(terms: Terms, atMinor: number): number {
  const { minimumBidIncrementMinor, incrementSteps = [], incrementBasisPoints = 0 } = terms
  const reached = incrementSteps.filter(({ fromPriceMinor }) => atMinor >= fromPriceMinor)
  const partMinor = Number((BigInt(atMinor) * BigInt(incrementBasisPoints) + 9_999n) / 10_000n)
  return Math.max(minimumBidIncrementMinor, partMinor, ...reached.map((step) => step.incrementMinor))
}

/**
 * The leader after all automatic bids, and the price. Like the other rules here it is a second implementation that
 * shares no code with the service. The higher maximum leads, or the first of equal ones, at the
 * increment of the other maximum above that, or at its own maximum if that is lower.
 */
function leadAfter(terms: Terms, sent: Sent, leader: Leader | null): Lead {
  const mine = { bidderId: sent.bidderId, amountMinor: sent.amountMinor, ceilingMinor: ceilingOfSent(sent, leader) }
  if (leader === null) return { winner: mine, priceMinor: upToReserve(terms, mine, mine.amountMinor) }
  const theirs = { ...leader, ceilingMinor: ceilingMinor(leader) }
  if (leader.bidderId === mine.bidderId) {
    const amountMinor = sent.type === 'maximum-raised' ? leader.amountMinor : mine.amountMinor
    return { winner: mine, priceMinor: upToReserve(terms, mine, amountMinor) }
  }
  const [winner, loser] = mine.ceilingMinor > theirs.ceilingMinor ? [mine, theirs] : [theirs, mine]
  const enoughMinor = Math.min(loser.ceilingMinor + incrementMinor(terms, loser.ceilingMinor), winner.ceilingMinor)
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

/** The effect of a request whose entry has this id. An automatic bid has the next id. */
export function effectOfBid(terms: Terms, id: number, sent: Sent, leader: Leader | null): BidEffect {
  const { winner, priceMinor: amountMinor } = leadAfter(terms, sent, leader)
  const { bidderId, ceilingMinor: most } = winner
  const isRaise = sent.type === 'maximum-raised' && leader !== null
  const hasReply = bidderId !== sent.bidderId || amountMinor !== (isRaise ? leader.amountMinor : sent.amountMinor)
  return {
    reply: hasReply ? { bidderId, amountMinor } : undefined,
    bids: (sent.type === 'bid-placed' ? 1 : 0) + (hasReply ? 1 : 0),
    leader: {
      bidId: hasReply ? id + 1 : isRaise ? leader.bidId : id,
      bidderId,
      amountMinor,
      // A maximum at the price is omitted.
      maximumMinor: most > amountMinor ? most : undefined,
    },
  }
}
