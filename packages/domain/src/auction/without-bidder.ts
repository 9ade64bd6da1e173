import { automaticBidId, type UserId } from '../values/ids.ts'
import type { Terms } from './auction.ts'
import { type BidEntry, type Entry, isBidEntry } from './entry.ts'
import type { BidPlaced, MaximumRaised, ReserveLowered, Withdrawn } from './events.ts'
import { automaticBidAfter, automaticBidAtReserve } from './proxy.ts'
import { type AuctionState, bidsIn, type Leader, leaderAfter, leaderWith, termsIn } from './state.ts'

/** Who leads an auction, at which amount, and its number of bids. */
type Standing = Pick<AuctionState, 'leader' | 'bidCount'>

/**
 * An auction as it would be if a bidder had not bid, through one of its entries. The recorded requests of the others are
 * decided again in order, by the rules of bids; `withoutBidder` states why all of them are accepted again.
 */
export type WithoutBidder = Standing & {
  readonly bidderId: UserId
  /** The sequence of the last entry that it includes; 0 without entries. */
  readonly sequence: number
  /** The terms after that entry, and those of the creation. */
  readonly terms: Terms
  readonly created: Terms
  /** Whether the bidder has bids that no withdrawal has removed. */
  readonly hasBids: boolean
  /** The sequences through which earlier withdrawals have removed bids. */
  readonly withdrawnThrough: ReadonlyMap<UserId, number>
  /** Set if it includes a bid that a later withdrawal has removed, so that the ledger must be read again. */
  readonly isOutdated: boolean
}

/**
 * Begins before the first entry, or after a later one. Without a bidder, maximums and prices are at most as high, entry for entry: the maximum
 * that leads is the highest, the price follows from the second, and increments never fall as prices rise. So an amount
 * that was high enough is so again, and who leads without the bidder has led, or was behind the bidder.
 * Times, the largest amount of a bid and the buy-now price are not checked again: these are not about other bidders.
 * @param state a recorded state of the auction, which knows earlier withdrawals
 * @param after an entry after which it begins: before the first of the bids of the bidder, and those of other bidders,
 *   that were withdrawn later
 */
export const withoutBidder = (
  created: Terms,
  bidderId: UserId,
  { repairs }: AuctionState,
  after?: Pick<Entry, 'sequence' | 'state'>,
): WithoutBidder => ({
  bidderId,
  sequence: after?.sequence ?? 0,
  terms: after === undefined ? created : termsIn(created, after.state),
  created,
  leader: after?.state.leader ?? null,
  bidCount: after?.state.bidCount ?? 0,
  hasBids: false,
  withdrawnThrough: new Map(repairs?.withdrawn?.map((earlier) => [earlier.bidderId, earlier.throughSequence])),
  isOutdated: false,
})

/** Includes the next entries. Their sequences must follow without a gap. */
export const continued = (without: WithoutBidder, entries: readonly Entry[]): WithoutBidder =>
  entries.reduce(afterEntry, without)

function afterEntry(without: WithoutBidder, entry: Entry): WithoutBidder {
  const { event, sequence } = entry
  if (sequence !== without.sequence + 1) throw new Error(`entry ${sequence} does not follow entry ${without.sequence}`)
  if (isBidEntry(entry)) return afterRequest(without, entry)
  const next = { ...without, sequence }
  switch (event.type) {
    case 'withdrawn':
      return afterWithdrawal(next, event, entry.state)
    case 'reserve-lowered': {
      const terms = termsIn(without.created, entry.state)
      return { ...next, ...standingAtReserve(without, terms, { id: entry.id, event }), terms }
    }
    case 'corrected':
      return { ...next, terms: termsIn(without.created, entry.state) }
    default:
      return next // It concerns the end.
  }
}

function afterRequest(without: WithoutBidder, { id, sequence, event }: BidEntry): WithoutBidder {
  const { terms, leader, withdrawnThrough } = without
  const { bidderId } = event
  if (sequence <= (withdrawnThrough.get(bidderId) ?? 0)) return { ...without, sequence }
  if (bidderId === without.bidderId) return { ...without, sequence, hasBids: true }
  const decided = decidedAgain(terms, leader, event)
  return {
    ...without,
    sequence,
    leader: leaderAfter(leader, id, decided),
    bidCount: without.bidCount + bidsIn(decided),
  }
}

/** The event of a recorded request with the automatic bid that it causes now. */
function decidedAgain(
  terms: Terms,
  leader: Leader | null,
  { automatic: _, extendedEndMs: __, ...request }: BidPlaced | MaximumRaised,
): BidPlaced | MaximumRaised {
  const automatic = automaticBidAfter(terms, leader, request)
  return automatic === undefined ? request : { ...request, automatic }
}

function standingAtReserve(
  { leader, bidCount }: Standing,
  terms: Terms,
  { id, event }: Pick<Entry<ReserveLowered>, 'id' | 'event'>,
): Standing {
  const automatic = automaticBidAtReserve(terms, leader)
  if (leader === null || automatic === undefined) return { leader, bidCount }
  const { bidderId, amountMinor } = automatic
  // A bid that was not recorded has no id.
  const bidId = event.automatic?.bidderId === bidderId ? automaticBidId(id) : leader.bidId
  return { leader: leaderWith(bidId, bidderId, amountMinor, leader.maximumMinor), bidCount: bidCount + 1 }
}

function afterWithdrawal(without: WithoutBidder, { bidderId }: Withdrawn, { repairs }: AuctionState): WithoutBidder {
  if (bidderId === without.bidderId) return { ...without, hasBids: false }
  const through = repairs?.withdrawn?.find((bidder) => bidder.bidderId === bidderId)?.throughSequence ?? 0
  const isKnown = through <= (without.withdrawnThrough.get(bidderId) ?? 0)
  return isKnown ? without : { ...without, isOutdated: true }
}
