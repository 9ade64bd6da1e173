import type { Auction } from '../../auction/auction.ts'
import type { AuctionStatus } from '../../auction/status.ts'
import { type Attempt, type History, type SeenAuction, show, type Violation } from '../history.ts'
import { canHaveBeen, stateSeen, type Timelines } from './timeline.ts'

type Listing = Extract<Attempt, { readonly type: 'list-auctions' }>

/**
 * Every reader was told what the ledger said at some moment between question and answer, and nothing that it does not end with.
 *
 * `Ended` without a result promises nothing of the price: a bid of the time before may still be on its way. A result does: it
 * is told from the ledger alone, so nothing follows, and every read that is sent after it was told tells the same.
 */
export function checkReads(history: History, timelines: Timelines): Violation[] {
  return history.attempts.flatMap((attempt): Violation[] => {
    const faults = faultsOf(attempt, history, timelines)
    return faults.map((fault) => ({ invariant: 6, message: `${show(attempt)}: ${fault}` }))
  })
}

function faultsOf(attempt: Attempt, history: History, timelines: Timelines): readonly string[] {
  const { answer } = attempt
  if (attempt.type === 'read-auction' && answer.outcome === 'read') {
    if (answer.auction.id !== attempt.auctionId) return ['another auction was read']
    return faultsOfView(answer.auction, attempt, history, timelines)
  }
  if (attempt.type !== 'list-auctions' || answer.outcome !== 'listed') return []
  return [
    ...answer.auctions.flatMap((seen) => faultsOfView(seen, attempt, history, timelines)),
    ...faultsOfList(attempt, answer.auctions, answer.isWhole, history, timelines),
  ]
}

function faultsOfView(seen: SeenAuction, attempt: Attempt, history: History, timelines: Timelines): readonly string[] {
  const timeline = timelines.get(seen.id)
  if (timeline === undefined) return [`auction ${seen.id} is not stored`]
  const state = stateSeen(timeline, seen)
  const closed = timeline.states.at(-1)?.head?.event
  const of = `of auction ${seen.id}`
  if (seen.result !== undefined && show(seen.result) !== show(closed?.type === 'closed' ? closed.result : undefined)) {
    return [`the ledger ${of} does not end with this result`]
  }
  if (state === undefined) return [`there never was such a ledger ${of}`]
  const { sentAtMs, answeredAtMs } = attempt
  const faults: string[] = []
  if (state.priceMinor !== seen.currentPriceMinor || state.leastMinor !== seen.minimumNextBidMinor) {
    faults.push(`the prices ${of} were ${state.priceMinor} and ${state.leastMinor} after so many bids`)
  }
  if (!canHaveBeen(timeline, state, sentAtMs, answeredAtMs)) faults.push(`the ledger ${of} did not say so then`)
  if (!canHaveStatus(timeline.auction, seen, attempt, history))
    faults.push(`auction ${seen.id} did not have this status then`)
  return faults
}

function canHaveStatus(auction: Auction, { status, result }: SeenAuction, attempt: Attempt, history: History): boolean {
  if (result !== undefined) return status === 'Ended'
  const [firstMs, lastMs] = periodOf(auction, status)
  return firstMs <= attempt.answeredAtMs + history.clockErrorMs && lastMs > attempt.sentAtMs - history.clockErrorMs
}

/** Since when and until when an auction has a status. */
const periodOf = ({ startTime, endTime }: Auction, status: AuctionStatus): readonly [number, number] =>
  ({
    Pending: [Number.NEGATIVE_INFINITY, startTime.epochMs] as const,
    Active: [startTime.epochMs, endTime.epochMs] as const,
    Ended: [endTime.epochMs, Number.POSITIVE_INFINITY] as const,
  })[status]

function faultsOfList(
  { query, sentAtMs, answeredAtMs }: Listing,
  seen: readonly SeenAuction[],
  isWhole: boolean,
  { clockErrorMs }: History,
  timelines: Timelines,
): readonly string[] {
  const listed = new Set(seen.map(({ id }) => id))
  const faults = listed.size < seen.length ? ['an auction is listed twice'] : []
  for (const { id, status } of seen) {
    const owner = timelines.get(id)?.auction.ownerId
    const isAskedFor = status === (query.status ?? status) && owner === (query.ownerId ?? owner)
    if (!isAskedFor) faults.push(`auction ${id} was not asked for`)
  }
  for (const { auction, knownMs } of isWhole ? timelines.values() : []) {
    if (knownMs >= sentAtMs || listed.has(auction.id)) continue
    const [firstMs, lastMs] = query.status ? periodOf(auction, query.status) : always
    const hadStatus = firstMs <= sentAtMs - clockErrorMs && lastMs > answeredAtMs + clockErrorMs
    if (hadStatus && auction.ownerId === (query.ownerId ?? auction.ownerId))
      faults.push(`auction ${auction.id} is missing`)
  }
  return faults
}

const always = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const
