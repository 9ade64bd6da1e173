import type { AuctionId } from '../../ids.ts'
import type { Entry } from '../../ledger/entry.ts'
import { type Attempt, type History, type SeenAuction, show, type Violation } from '../history.ts'
import { faultsOfList } from './check-lists.ts'
import { clientKey } from './commands.ts'
import { periodOf } from './periods.ts'
import { isLike, type LedgerState, statesDuring, type Timeline, type Timelines } from './timeline.ts'

type Cancelling = Extract<Attempt, { readonly type: 'cancel-auction' }>

/**
 * Every reader was told what the ledger said at some moment between question and answer, and nothing that it does not end with; and
 * so was whoever has bought or cancelled an auction, of what that came to.
 *
 * `Ended` without a result promises nothing of the price, or of the end: a bid of the time before may still be on its way. A result
 * does: it is told from the ledger alone, so nothing follows, and every read that is sent after it was told tells the same.
 */
export function checkReads(history: History, timelines: Timelines): Violation[] {
  return history.attempts.flatMap((attempt): Violation[] => {
    const faults = faultsOf(attempt, history, timelines)
    return faults.map((fault) => ({ invariant: 6, message: `${show(attempt)}: ${fault}` }))
  })
}

function faultsOf(attempt: Attempt, history: History, timelines: Timelines): readonly string[] {
  const { answer } = attempt
  switch (attempt.type) {
    case 'create-auction':
    case 'place-bid':
      return []
    case 'read-auction':
      if (attempt.answer.outcome !== 'read') return []
      return faultsOfAnswer(attempt.auctionId, attempt.answer.auction, attempt, history, timelines)
    case 'buy-now':
      if (attempt.answer.outcome !== 'accepted') return []
      return faultsOfAnswer(attempt.purchase.auctionId, attempt.answer.auction, attempt, history, timelines)
    case 'cancel-auction':
      if (attempt.answer.outcome !== 'accepted') return []
      return [
        ...faultsOfRequester(attempt, history),
        ...faultsOfAnswer(attempt.cancellation.auctionId, attempt.answer.auction, attempt, history, timelines),
      ]
    case 'list-auctions':
      if (answer.outcome !== 'listed') return []
      return [
        ...answer.auctions.flatMap((seen) => faultsOfView(seen, attempt, history, timelines)),
        ...faultsOfList(attempt, answer.auctions, answer.isWhole, history, timelines),
      ]
    default:
      return attempt satisfies never
  }
}

/** Nobody but the owner is told that an auction is cancelled on asking for that, unless the key of the request has cancelled it. */
function faultsOfRequester({ cancellation, key }: Cancelling, { auctions, ledger }: History): readonly string[] {
  const { auctionId, requesterId } = cancellation
  const ownerId = auctions.find(({ id }) => id === auctionId)?.ownerId
  if (requesterId === undefined || requesterId === ownerId) return []
  const isReplay = key !== undefined && ledger.some((entry) => isCancellationUnder(key, auctionId, entry))
  return isReplay ? [] : [`user ${requesterId} is not the owner`]
}

const isCancellationUnder = (key: string, id: AuctionId, { auctionId, event, requestKey }: Entry): boolean =>
  auctionId === id && event.type === 'cancelled' && clientKey(requestKey) === key

function faultsOfAnswer(
  askedFor: number,
  seen: SeenAuction,
  attempt: Attempt,
  history: History,
  timelines: Timelines,
): readonly string[] {
  if (seen.id !== askedFor) return ['another auction was read']
  return faultsOfView(seen, attempt, history, timelines)
}

function faultsOfView(seen: SeenAuction, attempt: Attempt, history: History, timelines: Timelines): readonly string[] {
  const timeline = timelines.get(seen.id)
  if (timeline === undefined) return [`auction ${seen.id} is not stored`]
  const of = `of auction ${seen.id}`
  if (seen.result !== undefined && show(seen.result) !== show(resultOf(timeline.states.at(-1)))) {
    return [`the ledger ${of} does not end with this result`]
  }
  const alike = statesDuring(timeline, attempt.sentAtMs, attempt.answeredAtMs).filter(isLike(seen))
  if (alike.length === 0) {
    const everWas = timeline.states.some(isLike(seen))
    return [everWas ? `the ledger ${of} did not say so then` : `there never was such a ledger ${of}`]
  }
  const faults = alike.map((state) => faultOfState(seen, state, timeline, attempt, history))
  // As long as there is one without a fault, that is the one which was seen.
  return faults.every((fault) => fault !== undefined) ? [...new Set(faults)] : []
}

function resultOf(state: LedgerState | undefined): unknown {
  const last = state?.head?.state
  return last?.phase === 'closed' ? last.result : undefined
}

/** What of an auction can't have been seen in a state of its ledger, whatever the clock said. */
function faultOfState(
  seen: SeenAuction,
  state: LedgerState,
  { auction }: Timeline,
  { sentAtMs, answeredAtMs }: Attempt,
  { clockErrorMs }: History,
): string | undefined {
  if (state.priceMinor !== seen.currentPriceMinor || state.leastMinor !== seen.minimumNextBidMinor) {
    return `the prices of auction ${seen.id} were ${state.priceMinor} and ${state.leastMinor} after so many bids`
  }
  if (state.endMs !== seen.effectiveEndMs) return `auction ${seen.id} was to end at ${state.endMs} then`
  if (state.isReserveMet !== seen.isReserveMet) return `the reserve of auction ${seen.id} was not so then`
  const isOffered = state.isOffered && seen.status === 'Active'
  if (isOffered !== seen.isBuyNowOffered) return `auction ${seen.id} was not offered so then`
  const [firstMs, lastMs] = periodOf(auction.startTime.epochMs, state, seen.status)
  if (firstMs <= answeredAtMs + clockErrorMs && lastMs > sentAtMs - clockErrorMs) return undefined
  return `auction ${seen.id} did not have this status then`
}
