import type { AuctionId } from '@auction/domain/ids'
import type { Entry } from '@auction/domain/store'
import { type Attempt, type History, type SeenAuction, show, type Violation } from '../history.ts'
import { type AttemptOf, auctionAskedFor, clientKey, isForced } from './attempts.ts'
import { findingsOfList, periodOf } from './check-lists.ts'
import { formatOf } from './formats/formats.ts'
import { isLike, type LedgerState, statesDuring, type Timelines } from './ledger-states.ts'

/**
 * Every read, purchase, cancellation, correction and repair returned a state of the ledger at some moment between
 * request and response, and no result other than the final one.
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
    const { response } = attempt
    if (response.outcome !== 'listed') return []
    return [
      ...response.auctions.flatMap((seen) => findingsOfView(seen, attempt, history, timelines)),
      ...findingsOfList(attempt, response.auctions, response.isWhole, history, timelines),
    ]
  }
  // The response to a creation does not show the ledger, and `placedBids` checks the one to a bid.
  if (attempt.type === 'create-auction' || !('auction' in attempt.response)) return []
  const seen = attempt.response.auction
  // A repeated correction, withdrawal or repair has the first response, which may be of an earlier state.
  const mayBeReplay = attempt.type === 'correct-auction' || attempt.type === 'withdraw-own-bid' || 'repair' in attempt
  const isReplay = mayBeReplay && attempt.key !== undefined
  const reading = isReplay ? { ...attempt, sentAtMs: Number.NEGATIVE_INFINITY } : attempt
  return [
    ...(attempt.type === 'cancel-auction' ? findingsOfRequester(attempt, history) : []),
    ...(seen.id === auctionAskedFor(attempt)
      ? findingsOfView(seen, reading, history, timelines)
      : ['another auction was read']),
  ]
}

/** Only the owner can cancel without force, but a try with the key of a cancellation receives the response again. */
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
  const alike = statesDuring(timeline, attempt.sentAtMs, attempt.respondedAtMs).filter(isLike(seen))
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
  { sentAtMs, respondedAtMs }: Attempt,
  { clockErrorMs }: History,
): string | undefined {
  const { auction, head, endMs: effectiveEndMs, texts, sequence } = state
  const { title, metadata } = texts
  const { figures: figuresIn, byTime } = formatOf(auction)
  const shownMs = Math.max(
    Math.min(byTime?.lastMs(seen) ?? respondedAtMs, respondedAtMs + clockErrorMs),
    sentAtMs - clockErrorMs,
  )
  const figures = {
    ...figuresIn(auction, head, seen.status === 'Active'),
    ...byTime?.figuresAt(auction, head, shownMs),
  }
  const read: Readonly<Record<string, unknown>> = seen
  for (const [name, value] of Object.entries({
    ...figures,
    ...(seen.sequence !== undefined && { sequence }),
    effectiveEndMs,
    title,
    metadata,
  })) {
    if (show(value) !== show(read[name])) return `auction ${seen.id} had ${name} ${show(value)} then`
  }
  const [firstMs, lastMs] = periodOf(state, seen.status)
  if (firstMs <= respondedAtMs + clockErrorMs && lastMs > sentAtMs - clockErrorMs) return undefined
  return `auction ${seen.id} did not have this status then`
}
