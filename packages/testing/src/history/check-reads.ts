import type { AuctionId } from '@auction/domain/ids'
import type { Entry } from '@auction/domain/store'
import { type Attempt, type History, type SeenAuction, show, type Violation } from '../history.ts'
import { findingsOfList, periodOf } from './check-lists.ts'
import { type AttemptOf, clientKey, isForced } from './commands.ts'
import { leaderOf } from './rules.ts'
import { auctionAskedFor, isLike, type LedgerState, statesDuring, type Timelines } from './timeline.ts'

/**
 * Every read, purchase, cancellation, correction and repair returned a state of the ledger at some moment between request and
 * answer, and no result other than the final one.
 *
 * `Ended` without a result guarantees neither price nor end: an earlier bid may still be in flight. A result guarantees
 * both: it comes from the ledger, so nothing follows, and every later read returns the same result.
 */
export function checkReads(history: History, timelines: Timelines): Violation[] {
  return history.attempts.flatMap((attempt): Violation[] => {
    const findings = findingsOf(attempt, history, timelines)
    return findings.map((finding) => ({ invariant: 6, message: `${show(attempt)}: ${finding}` }))
  })
}

function findingsOf(attempt: Attempt, history: History, timelines: Timelines): readonly string[] {
  if (attempt.type === 'list-auctions') {
    const { answer } = attempt
    if (answer.outcome !== 'listed') return []
    return [
      ...answer.auctions.flatMap((seen) => findingsOfView(seen, attempt, history, timelines)),
      ...findingsOfList(attempt, answer.auctions, answer.isWhole, history, timelines),
    ]
  }
  // The answer to a creation does not show the ledger, and `placedBids` checks the one to a bid.
  if (attempt.type === 'create-auction' || !('auction' in attempt.answer)) return []
  const seen = attempt.answer.auction
  // A repeated correction or repair has the first answer, which may be of an earlier state.
  const mayBeReplay = attempt.type === 'correct-auction' || 'repair' in attempt
  const isReplay = mayBeReplay && attempt.key !== undefined
  const reading = isReplay ? { ...attempt, sentAtMs: Number.NEGATIVE_INFINITY } : attempt
  return [
    ...(attempt.type === 'cancel-auction' ? findingsOfRequester(attempt, history) : []),
    ...(seen.id === auctionAskedFor(attempt)
      ? findingsOfView(seen, reading, history, timelines)
      : ['another auction was read']),
  ]
}

/** Only the owner can cancel without force, but a try with the key of a cancellation receives the answer again. */
function findingsOfRequester(
  { cancellation, key }: AttemptOf<'cancel-auction'>,
  { auctions, ledger }: History,
): readonly string[] {
  const { auctionId, requesterId } = cancellation
  if (isForced(cancellation)) return []
  const ownerId = auctions.find(({ id }) => id === auctionId)?.ownerId
  if (requesterId === undefined || requesterId === ownerId) return []
  const isReplay = key !== undefined && ledger.some((entry) => isCancellationUnder(key, auctionId, entry))
  return isReplay ? [] : [`user ${requesterId} is not the owner`]
}

const isCancellationUnder = (key: string, id: AuctionId, { auctionId, event, requestKey }: Entry): boolean =>
  auctionId === id && event.type === 'cancelled' && clientKey(requestKey) === key

function findingsOfView(
  seen: SeenAuction,
  attempt: Attempt,
  history: History,
  timelines: Timelines,
): readonly string[] {
  const timeline = timelines.get(seen.id)
  if (timeline === undefined) return [`auction ${seen.id} is not stored`]
  const of = `of auction ${seen.id}`
  if (seen.result !== undefined && show(seen.result) !== show(resultOf(timeline.states.at(-1)))) {
    return [`the ledger ${of} does not end with this result`]
  }
  const alike = statesDuring(timeline, attempt.sentAtMs, attempt.answeredAtMs).filter(isLike(seen))
  if (alike.length === 0) {
    const everWas = timeline.states.some(isLike(seen))
    return [everWas ? `the ledger ${of} was not in this state then` : `the ledger ${of} was never in this state`]
  }
  const findings = alike.map((state) => findingOfState(seen, state, attempt, history))
  // If one state has no finding, the reader saw that state.
  return findings.every((finding) => finding !== undefined) ? [...new Set(findings)] : []
}

function resultOf(state: LedgerState | undefined): unknown {
  const last = state?.head?.state
  return last?.phase === 'closed' ? last.result : undefined
}

/** What a reader cannot have seen of an auction in a state of its ledger, at any possible time of the clock. */
function findingOfState(
  seen: SeenAuction,
  state: LedgerState,
  { sentAtMs, answeredAtMs }: Attempt,
  { clockErrorMs }: History,
): string | undefined {
  // An auction that is over accepts no bid.
  const [leastMinor, highestMinor] = state.isClosed ? [] : [state.leastMinor, state.highestMinor]
  if (state.priceMinor !== seen.currentPriceMinor || leastMinor !== seen.minimumNextBidMinor) {
    return `the prices of auction ${seen.id} were ${state.priceMinor} and ${leastMinor} after this number of bids`
  }
  if (highestMinor !== seen.maximumNextBidMinor)
    return `auction ${seen.id} had the maximum next bid ${highestMinor} then`
  const leaderId = leaderOf(state.head)?.bidderId
  if (leaderId !== seen.leaderId) return `the leader of auction ${seen.id} was ${leaderId} then`
  if (state.endMs !== seen.effectiveEndMs) return `auction ${seen.id} had the end ${state.endMs} then`
  if (state.isReserveMet !== seen.isReserveMet) return `the reserve of auction ${seen.id} was different then`
  const isOffered = state.isOffered && seen.status === 'Active'
  if (isOffered !== seen.isBuyNowOffered) return `auction ${seen.id} had another offer then`
  const { title, metadata } = state.texts
  if (title !== seen.title) return `auction ${seen.id} had the title ${show(title)} then`
  if (show(metadata) !== show(seen.metadata)) return `auction ${seen.id} had the metadata ${show(metadata)} then`
  const [firstMs, lastMs] = periodOf(state, seen.status)
  if (firstMs <= answeredAtMs + clockErrorMs && lastMs > sentAtMs - clockErrorMs) return undefined
  return `auction ${seen.id} did not have this status then`
}
