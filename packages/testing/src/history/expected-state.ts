import type { Auction, Terms } from '@auction/domain/auction'
import type { Entry } from '@auction/domain/store'
import { expectedRepairs, standingAfterRepair } from './repairs.ts'
import { expectedBid, isRemembered, isReserveMet, leaderOf } from './rules.ts'
import type { Standing } from './standing.ts'

/** The result of an auction that ends by time. */
export function expectedResult(terms: Terms, before: Entry | undefined): object {
  const leader = leaderOf(before)
  const isEndedEarly = before?.state.repairs?.isEndedEarly
  if (leader === null) return { outcome: 'unsold', reason: 'no-bids', isEndedEarly }
  if (isReserveMet(terms, before) === false) return { outcome: 'unsold', reason: 'reserve-not-met', isEndedEarly }
  return {
    outcome: 'sold',
    bidId: leader.bidId,
    winnerId: leader.bidderId,
    priceMinor: leader.amountMinor,
    isEndedEarly,
  }
}

/**
 * The state after an entry. The ledger's state omits its undefined fields.
 * @param withdrawn the standing after the withdrawal that the entry is
 */
export function expectedState(
  auction: Auction,
  entry: Entry,
  before: Entry | undefined,
  withdrawn: Standing | undefined,
): object {
  if (before !== undefined && isRemembered(entry, before)) return before.state
  const { atMs, event } = entry
  const { bidCount = 0, extendedEndMs } = before?.state ?? {}
  const corrections = expectedCorrections(entry, before)
  const repairs = expectedRepairs(auction, entry, before)
  const common = { phase: 'open', bidCount, leader: leaderOf(before), atMs, extendedEndMs, corrections, repairs }
  const closed = { ...common, phase: 'closed' }
  switch (event.type) {
    case 'bid-placed':
    case 'maximum-raised': {
      const { bids, leader, movedMs } = expectedBid(auction, { ...entry, event }, before)
      return { ...common, bidCount: bidCount + bids, leader, extendedEndMs: movedMs ?? extendedEndMs }
    }
    case 'corrected':
      return common
    case 'extended':
    case 'ended-early':
      return { ...common, extendedEndMs: event.endMs }
    case 'withdrawn':
    case 'reserve-lowered':
      return { ...common, ...standingAfterRepair({ ...entry, event }, before, withdrawn) }
    case 'bought': {
      const { buyerId, priceMinor } = event
      return { ...closed, result: { outcome: 'bought', buyerId, priceMinor } }
    }
    case 'cancelled':
      return { ...closed, result: { outcome: 'cancelled', reason: event.reason } }
    case 'closed':
      return { ...closed, result: event.result }
    default:
      return event satisfies never
  }
}

function expectedCorrections({ id, atMs, event }: Entry, before: Entry | undefined): object | undefined {
  const earlier = before?.state.corrections
  if (event.type !== 'corrected') return earlier
  const title = event.title === undefined ? earlier?.title : event.title
  const descriptionIn = event.description === undefined ? earlier?.descriptionIn : id
  const metadata = event.metadata === undefined ? earlier?.metadata : event.metadata.result
  const terms = event.terms === undefined ? earlier?.terms : event.terms.result
  return { count: (earlier?.count ?? 0) + 1, atMs, title, descriptionIn, metadata, terms }
}
