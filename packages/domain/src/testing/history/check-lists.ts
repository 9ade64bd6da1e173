import type { AuctionStatus } from '../../auction/status.ts'
import type { Attempt, History, SeenAuction } from '../history.ts'
import { periodOf } from './periods.ts'
import { statesDuring, type Timeline, type Timelines } from './timeline.ts'

type Listing = Extract<Attempt, { readonly type: 'list-auctions' }>

/** A list has what was asked for, once, and if it is whole, all of that. */
export function faultsOfList(
  attempt: Listing,
  seen: readonly SeenAuction[],
  isWhole: boolean,
  { clockErrorMs }: History,
  timelines: Timelines,
): readonly string[] {
  const { query, sentAtMs } = attempt
  const listed = new Set(seen.map(({ id }) => id))
  // On the agenda, an auction may move to a place further on between two pages.
  const faults = listed.size < seen.length && query.order !== 'agenda' ? ['an auction is listed twice'] : []
  for (const { id, status } of seen) {
    const owner = timelines.get(id)?.auction.ownerId
    const isAskedFor = status === (query.status ?? status) && owner === (query.ownerId ?? owner)
    if (!isAskedFor) faults.push(`auction ${id} was not asked for`)
  }
  for (const timeline of isWhole ? timelines.values() : []) {
    const { auction, knownMs } = timeline
    if (knownMs >= sentAtMs || listed.has(auction.id)) continue
    const isOfOwner = auction.ownerId === (query.ownerId ?? auction.ownerId)
    const isOfStatus =
      query.status === undefined
        ? query.order !== 'agenda'
        : hadThroughout(query.status, timeline, attempt, clockErrorMs)
    if (isOfOwner && isOfStatus) faults.push(`auction ${auction.id} is missing`)
  }
  return faults
}

/** Whether an auction had a status from question to answer, whatever its ledger and the server's clock said meanwhile. */
function hadThroughout(
  status: AuctionStatus,
  timeline: Timeline,
  { sentAtMs, answeredAtMs }: Listing,
  clockErrorMs: number,
): boolean {
  return statesDuring(timeline, sentAtMs, answeredAtMs).every((state) => {
    const [firstMs, lastMs] = periodOf(timeline.auction.startTime.epochMs, state, status)
    return firstMs <= sentAtMs - clockErrorMs && lastMs > answeredAtMs + clockErrorMs
  })
}
