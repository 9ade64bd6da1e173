import type { BidPlaced, Leader, MaximumRaised } from '@auction/domain/auction'
import type { EnglishAuction } from './types.ts'

/** The request's part of an entry. */
type Sent = Pick<BidPlaced | MaximumRaised, 'type' | 'bidderId' | 'amountMinor' | 'maximumMinor' | 'admission'>

/** A bidder, with the bid, the maximum as it was sent, and as it counts. */
type Contender = {
  readonly bidderId: number
  readonly amountMinor: number
  readonly sentMinor: number
  readonly ceilingMinor: number
}

/** The highest amount that counts for the leader. */
export const ceilingMinor = (terms: EnglishAuction, { amountMinor, maximumMinor = amountMinor }: Leader): number =>
  countedMinor(terms, maximumMinor)

/**
 * The increment at a price: the highest of all that count there, because steps never fall. The product of a percentage
 * may exceed what a number keeps exact.
 */
function incrementMinor(terms: EnglishAuction, atMinor: number): number {
  const { minimumBidIncrementMinor, incrementSteps = [], incrementBasisPoints = 0 } = terms
  const reached = incrementSteps.filter(({ fromPriceMinor }) => atMinor >= fromPriceMinor)
  const partMinor = Number((BigInt(atMinor) * BigInt(incrementBasisPoints) + 9_999n) / 10_000n)
  return Math.max(minimumBidIncrementMinor, partMinor, ...reached.map((step) => step.incrementMinor))
}

/** The steps next to an amount: the highest up to it, if any, and the lowest above it. */
function stepsAt({ bidSteps = [], minimumBidIncrementMinor }: EnglishAuction, atMinor: number) {
  const rows = bidSteps.map(({ fromPriceMinor: from, amountsMinor }) => {
    const periods = Math.max(Math.floor((atMinor - from) / Math.max(...amountsMinor)), 0)
    const offsets = [0, ...amountsMinor].map((offset) => from + periods * Math.max(...amountsMinor) + offset)
    const end = Math.min(...bidSteps.map((row) => row.fromPriceMinor).filter((other) => other > from))
    return from > atMinor ? [from] : offsets.filter((step) => step < end)
  })
  const steps = rows.flat()
  const below = steps.filter((step) => step <= atMinor)
  const above = steps.filter((step) => step > atMinor)
  const increased = below.length === 0 ? [atMinor + minimumBidIncrementMinor] : []
  return {
    belowMinor: below.length === 0 ? undefined : Math.max(...below),
    aboveMinor: Math.min(...above, ...increased),
  }
}

/** The least amount above another one. */
export const aboveMinor = (terms: EnglishAuction, atMinor: number): number =>
  terms.bidSteps === undefined ? atMinor + incrementMinor(terms, atMinor) : stepsAt(terms, atMinor).aboveMinor

/** Whether an amount is between two steps of an auction that has only steps. */
export function isBetween(terms: EnglishAuction, atMinor: number): boolean {
  if (terms.onlySteps !== true) return false
  const { belowMinor } = stepsAt(terms, atMinor)
  return belowMinor !== undefined && belowMinor !== atMinor
}

/** With only steps, a maximum between two counts as the lower one. */
export const countedMinor = (terms: EnglishAuction, atMinor: number): number =>
  isBetween(terms, atMinor) ? (stepsAt(terms, atMinor).belowMinor ?? atMinor) : atMinor

/** The first amount that meets a reserve: one on a step. */
const meetingMinor = (terms: EnglishAuction, reserveMinor: number): number =>
  terms.bidSteps !== undefined && (stepsAt(terms, reserveMinor).belowMinor ?? reserveMinor) < reserveMinor
    ? stepsAt(terms, reserveMinor).aboveMinor
    : reserveMinor

/**
 * The leader after all automatic bids, and the price. Like the other rules here it is a second implementation that
 * shares no code with the service. The higher maximum leads, or the first of equal ones, at the
 * increment of the other maximum above that, or at its own maximum if that is lower.
 */
function leadAfter(terms: EnglishAuction, sent: Sent, leader: Leader | null) {
  const contender = ({ bidderId, amountMinor }: Sent | Leader, sentMinor: number): Contender => ({
    ...{ bidderId, amountMinor, sentMinor },
    ceilingMinor: countedMinor(terms, sentMinor),
  })
  const mine = contender(sent, maximumOf(sent, leader))
  if (leader === null) return { winner: mine, priceMinor: upToReserve(terms, mine, mine.amountMinor) }
  const theirs = contender(leader, leader.maximumMinor ?? leader.amountMinor)
  if (leader.bidderId === mine.bidderId) {
    const amountMinor = sent.type === 'maximum-raised' ? leader.amountMinor : mine.amountMinor
    return { winner: mine, priceMinor: upToReserve(terms, mine, amountMinor) }
  }
  const [winner, loser] = mine.ceilingMinor > theirs.ceilingMinor ? [mine, theirs] : [theirs, mine]
  const enoughMinor = Math.min(aboveMinor(terms, loser.ceilingMinor), winner.ceilingMinor)
  return { winner, priceMinor: upToReserve(terms, winner, Math.max(enoughMinor, winner.amountMinor)) }
}

/** A leader that bids more keeps its maximum. */
function maximumOf({ bidderId, amountMinor, maximumMinor }: Sent, leader: Leader | null): number {
  if (maximumMinor !== undefined) return maximumMinor
  return leader?.bidderId === bidderId ? Math.max(amountMinor, leader.maximumMinor ?? 0) : amountMinor
}

/** A leader whose maximum reaches the reserve pays at least the reserve, or the step above it, up to their maximum. */
export function upToReserve(
  terms: EnglishAuction,
  { ceilingMinor: most }: Pick<Contender, 'ceilingMinor'>,
  atMinor: number,
): number {
  const { reservePriceMinor } = terms
  if (reservePriceMinor === undefined || most < reservePriceMinor || atMinor >= reservePriceMinor) return atMinor
  return Math.min(meetingMinor(terms, reservePriceMinor), most)
}

/**
 * The effect of a request whose entry has this id: the automatic bid within the entry, which has the next id, the
 * number of bids, and the leader.
 */
export function effectOfBid(terms: EnglishAuction, id: number, sent: Sent, leader: Leader | null) {
  const { winner, priceMinor: amountMinor } = leadAfter(terms, sent, leader)
  const { bidderId, sentMinor: most } = winner
  const isRaise = sent.type === 'maximum-raised' && leader !== null
  const hasReply = bidderId !== sent.bidderId || amountMinor !== (isRaise ? leader.amountMinor : sent.amountMinor)
  // A raised maximum without a bid leaves the bid that leads, with its paddle.
  const isOwn = bidderId === sent.bidderId && (hasReply || !isRaise)
  return {
    reply: hasReply ? { bidderId, amountMinor } : undefined,
    bids: (sent.type === 'bid-placed' ? 1 : 0) + (hasReply ? 1 : 0),
    leader: {
      bidId: hasReply ? id + 1 : isRaise ? leader.bidId : id,
      bidderId,
      amountMinor,
      // A maximum at the price is omitted.
      maximumMinor: most > amountMinor ? most : undefined,
      paddle: isOwn ? sent.admission?.paddle : leader?.paddle,
    },
  }
}
