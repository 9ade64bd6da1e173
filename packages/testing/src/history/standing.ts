import type { Auction, Leader } from '@auction/domain/auction'
import { type BidEntry, type Entry, isBidEntry } from '@auction/domain/store'
import { ceilingMinor, effectOfBid } from './bidding-rules.ts'
import { isLow, leastAbove, termsAfter } from './rules.ts'

/** What a withdrawal computes again. */
export type Standing = { readonly leader: Leader | null; readonly bidCount: number }

/** Returns whether a bidder has bids that no withdrawal has removed. */
export function hasBids(entries: readonly Entry[], bidderId: number): boolean {
  const last = entries.findLast(({ event }) => 'bidderId' in event && event.bidderId === bidderId)
  return last !== undefined && isBidEntry(last)
}

/**
 * The standing after the entries of an auction: the requests in them are decided again in order, without those that a
 * later withdrawal has removed. Times, buy-now and the maximum increment do not matter again.
 */
export function standingAfter(created: Auction, entries: readonly Entry[]): Standing {
  const removedBefore = new Map<number, number>()
  for (const { event, sequence } of entries) {
    if (event.type === 'withdrawn') removedBefore.set(event.bidderId, sequence)
  }
  const isRemoved = ({ event, sequence }: BidEntry) => sequence < (removedBefore.get(event.bidderId) ?? 0)
  let standing: Standing = { leader: null, bidCount: 0 }
  for (const [index, entry] of entries.entries()) {
    const terms = termsAfter(created, entries[index - 1])
    if (isBidEntry(entry)) standing = isRemoved(entry) ? standing : afterRequest(terms, entry, standing)
    else if (entry.event.type === 'reserve-lowered') {
      const { reservePriceMinor, automatic } = entry.event
      // A bid at the reserve that is not the recorded one has no id: the leader leads with their earlier bid.
      const isRecorded = automatic !== undefined && automatic.bidderId === standing.leader?.bidderId
      standing = afterLowering(isRecorded ? entry.id + 1 : standing.leader?.bidId, reservePriceMinor, standing)
    }
  }
  return standing
}

/** A bid that is too low now would have been refused. What only raised a maximum is no bid now, either. */
function afterRequest(terms: Auction, { id, event }: BidEntry, standing: Standing): Standing {
  const { leader } = standing
  const isRaise = event.type === 'maximum-raised' && leader?.bidderId === event.bidderId
  if (!isRaise && isLow(event.amountMinor, leastAbove(terms, leader))) return standing
  const effect = effectOfBid(terms, id, event, leader)
  return { leader: effect.leader as Leader, bidCount: standing.bidCount + effect.bids } // Of the amounts of entries.
}

/** A leader whose maximum covers the lowered reserve bids it, with an id; 0 is no reserve. */
export function afterLowering(bidId: number | undefined, reserveMinor: number, standing: Standing): Standing {
  const { leader, bidCount } = standing
  if (leader === null) return standing
  const highestMinor = ceilingMinor(leader)
  if (leader.amountMinor >= reserveMinor || highestMinor < reserveMinor) return standing
  const raised = {
    bidId,
    bidderId: leader.bidderId,
    amountMinor: reserveMinor,
    maximumMinor: highestMinor > reserveMinor ? highestMinor : undefined,
  }
  return { leader: raised as Leader, bidCount: bidCount + 1 } // The amounts of entries.
}
