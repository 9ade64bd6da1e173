import type { UserId } from '../values/ids.ts'
import type { Terms } from './auction.ts'
import type { AuctionEntry } from './entry.ts'
import type { Withdrawn } from './events.ts'
import { formatOf, type StandingOffers } from './formats/formats.ts'
import { type AuctionState, initialStateOf, termsIn } from './state.ts'

/**
 * An auction as it would be if a bidder had not bid, through one of its entries. The recorded requests of the others
 * are decided again in order, by the rules of the format, which state why all of them are accepted again.
 */
export type WithoutBidder = {
  readonly standing: StandingOffers
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
 * Begins before the first entry, or after a later one.
 * @param state a recorded state of the auction, which knows earlier withdrawals
 * @param after an entry after which it begins: before the first of the bids of the bidder, and those of other bidders,
 *   that were withdrawn later
 */
export const withoutBidder = (
  created: Terms,
  bidderId: UserId,
  { repairs }: AuctionState,
  after?: Pick<AuctionEntry, 'sequence' | 'state'>,
): WithoutBidder => ({
  bidderId,
  sequence: after?.sequence ?? 0,
  terms: after === undefined ? created : termsIn(created, after.state),
  created,
  standing: formatOf(created).standingIn(after?.state ?? initialStateOf(created)),
  hasBids: false,
  withdrawnThrough: new Map(repairs?.withdrawn?.map((earlier) => [earlier.bidderId, earlier.throughSequence])),
  isOutdated: false,
})

/** What stands without the bidder, if the bidder has bids that count. */
export const standingWithout = (without: WithoutBidder): StandingOffers | undefined =>
  without.hasBids ? without.standing : undefined

/** Includes the next entries. Their sequences must follow without a gap. */
export const continued = (without: WithoutBidder, entries: readonly AuctionEntry[]): WithoutBidder =>
  entries.reduce(afterEntry, without)

function afterEntry(without: WithoutBidder, entry: AuctionEntry): WithoutBidder {
  const { id, event, sequence, atMs, state } = entry
  if (sequence !== without.sequence + 1) throw new Error(`entry ${sequence} does not follow entry ${without.sequence}`)
  const { created, withdrawnThrough, bidderId } = without
  const next = { ...without, sequence }
  switch (event.type) {
    case 'withdrawn':
      return afterWithdrawal(next, event, state)
    case 'corrected':
      return { ...next, terms: termsIn(created, state) }
    case 'extended':
    case 'ended-early':
    case 'cancelled':
    case 'closed':
      return next
    default: {
      const format = formatOf(created)
      const actorId = format.actorOf(event)
      if (actorId !== undefined && sequence <= (withdrawnThrough.get(actorId) ?? 0)) return next
      if (actorId === bidderId) return { ...next, hasBids: true }
      // What is no request of a bidder has changed terms.
      const terms = actorId === undefined ? termsIn(created, state) : without.terms
      return { ...next, terms, standing: format.again(terms, without.standing, { id, sequence, atMs, event }) }
    }
  }
}

function afterWithdrawal(without: WithoutBidder, { bidderId }: Withdrawn, { repairs }: AuctionState): WithoutBidder {
  if (bidderId === without.bidderId) return { ...without, hasBids: false }
  const through = repairs?.withdrawn?.find((bidder) => bidder.bidderId === bidderId)?.throughSequence ?? 0
  const isKnown = through <= (without.withdrawnThrough.get(bidderId) ?? 0)
  return isKnown ? without : { ...without, isOutdated: true }
}
