import type { AuctionStatus } from '@auction/domain/auction'
import type { AuctionId } from '@auction/domain/ids'
import type { Attempt, History, SeenAuction } from '../history.ts'
import { type AttemptOf, auctionAskedFor } from './attempts.ts'
import { isCancelled, type LedgerState, statesDuring, type Timeline, type Timelines } from './ledger-states.ts'

type Listing = AttemptOf<'list-auctions'>

/** A list contains only matching auctions, each once, and if it is whole, all of them. */
export function findingsOfList(
  attempt: Listing,
  seen: readonly SeenAuction[],
  isWhole: boolean,
  { attempts, clockErrorMs }: History,
  timelines: Timelines,
): readonly string[] {
  const { query, sentAtMs } = attempt
  const listed = new Set(seen.map(({ id }) => id))
  // On the agenda, an auction may move to a later position between two pages.
  const findings = listed.size < seen.length && query.order !== 'agenda' ? ['an auction is listed twice'] : []
  for (const { id, status } of seen) {
    const owner = timelines.get(id)?.auction.ownerId
    const isAskedFor = status === (query.status ?? status) && owner === (query.ownerId ?? owner)
    if (!isAskedFor) findings.push(`auction ${id} does not match the query`)
  }
  for (const timeline of isWhole ? timelines.values() : []) {
    const { auction, knownMs } = timeline
    if (knownMs >= sentAtMs || listed.has(auction.id)) continue
    const isOfOwner = auction.ownerId === (query.ownerId ?? auction.ownerId)
    const isOfStatus =
      query.status === undefined
        ? query.order !== 'agenda'
        : // An auction is among those that ended a moment after its end.
          query.order !== 'ended' && hadThroughout(query.status, timeline, attempt, clockErrorMs)
    if (isOfOwner && isOfStatus && !mayBePassed(attempt, auction.id, attempts))
      findings.push(`auction ${auction.id} is missing`)
  }
  return findings
}

/** Whether an auction had a status all the time, for every possible state of its ledger and clock of the server. */
function hadThroughout(
  status: AuctionStatus,
  timeline: Timeline,
  { sentAtMs, respondedAtMs }: Listing,
  clockErrorMs: number,
): boolean {
  return statesDuring(timeline, sentAtMs, respondedAtMs).every((state) => {
    // The store may not have noted a purchase or a cancellation until the end.
    if (state.isClosed && sentAtMs - clockErrorMs < state.endMs) return false
    // Nor may it have noted an early end until the auction is closed, because updates of the agenda may be lost.
    if (!state.isClosed && state.endMs < state.auction.endTime.epochMs) return false
    const [firstMs, lastMs] = periodOf(state, status)
    return firstMs <= sentAtMs - clockErrorMs && lastMs > respondedAtMs + clockErrorMs
  })
}

type Period = readonly [firstMs: number, lastMs: number]

const always: Period = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
const never: Period = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

/** The period in which an auction has a status while its ledger is in a state. */
export function periodOf(state: LedgerState, status: AuctionStatus): Period {
  const startMs = state.auction.startTime.epochMs
  if (state.isClosed) return status === (isCancelled(state) ? 'Cancelled' : 'Ended') ? always : never
  switch (status) {
    case 'Pending':
      return [Number.NEGATIVE_INFINITY, startMs]
    case 'Active':
      return [startMs, state.endMs]
    case 'Ended':
      return [state.endMs, Number.POSITIVE_INFINITY]
    case 'Cancelled':
      return never
    default:
      return status satisfies never
  }
}

/** Whether an auction may have moved to an earlier position on the agenda between two pages, corrected or ended. */
const mayBePassed = ({ query, respondedAtMs }: Listing, auctionId: AuctionId, attempts: readonly Attempt[]): boolean =>
  query.order === 'agenda' &&
  attempts.some((attempt) => {
    if (auctionAskedFor(attempt) !== auctionId || attempt.sentAtMs > respondedAtMs) return false
    if (attempt.type !== 'correct-auction') return attempt.type === 'end-auction'
    return attempt.correction.startTime !== undefined || attempt.correction.endTime !== undefined
  })
