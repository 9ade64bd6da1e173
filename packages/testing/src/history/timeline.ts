import { type AuctionId, bidIdOf } from '@auction/domain/ids'
import type { Entry, StoredAuction } from '@auction/domain/store'
import type { Attempt, History, Refused } from '../history.ts'
import { auctionAskedFor, clientKey } from './attempts.ts'
import type { Sources } from './check-sources.ts'
import { isOwn } from './formats/format.ts'
import { formatOf } from './formats/formats.ts'
import {
  entriesOf,
  isCancelled,
  isLike,
  type LedgerState,
  settleKnown,
  type Timeline,
  type Timelines,
} from './ledger-states.ts'
import { endMs, isEnd, isRemembered, textsOf } from './life.ts'
import { hasHadBids, requestIn, termsAfter } from './rules.ts'

/** @param sources the requests of entries, by the ids of these */
export function timelinesOf(history: History, sources: Sources): Timelines {
  const entries = entriesOf(history)
  const timelines = new Map<AuctionId, Timeline>()
  for (const auction of history.auctions) {
    let fromMs = Number.NEGATIVE_INFINITY
    let before = stateAt(auction, undefined, fromMs, 0)
    const states = [before]
    for (const head of entries(auction.id)) {
      fromMs = Math.max(fromMs, sources.get(head.id)?.sentAtMs ?? closedFromMs(before, history))
      before = stateAt(auction, head, fromMs, before.sequence + (isShown(head, before) ? 1 : 0))
      states.push(before)
    }
    timelines.set(auction.id, { auction, states, knownMs: Number.POSITIVE_INFINITY })
  }
  for (const attempt of history.attempts) {
    for (const state of observedBy(timelines, attempt)) {
      if (state !== undefined) state.knownMs = Math.min(state.knownMs, attempt.respondedAtMs)
    }
  }
  for (const { states } of timelines.values()) settleKnown(states)
  return timelines
}

/** No process closes an auction before the end of the margin, by the process's clock. */
const closedFromMs = (before: LedgerState, { marginMs, clockErrorMs }: History): number =>
  before.endMs + marginMs - clockErrorMs

/** Returns whether everybody may see an entry, and others count it in its sequence. */
const isShown = (entry: Entry, { auction, head }: LedgerState): boolean =>
  formatOf(auction).hidesOwn !== true || !(isOwn(entry) || isRemembered(entry, head))

function stateAt(created: StoredAuction, head: Entry | undefined, fromMs: number, sequence: number): LedgerState {
  const auction = termsAfter(created, head)
  return {
    head,
    sequence,
    auction,
    figures: formatOf(auction).figures(auction, head, true),
    endMs: endMs(auction, head),
    texts: textsOf(created, head),
    isClosed: isEnd(head),
    fromMs,
    knownMs: Number.POSITIVE_INFINITY,
  }
}

type Observed = readonly (Timeline | LedgerState | undefined)[]

/** The auctions and states that a response shows. Of several possible states, at least the first was reached. */
function observedBy(timelines: Timelines, attempt: Attempt): Observed {
  const stateOf = (auctionId: AuctionId, isShown: (state: LedgerState) => boolean): Observed => {
    const timeline = timelines.get(auctionId)
    return [timeline, timeline?.states.find(isShown)]
  }
  // They show no auction.
  if (attempt.type === 'create-register' || attempt.type === 'set-bidders') return []
  const { response } = attempt
  switch (response.outcome) {
    case 'accepted':
      if ('bid' in response)
        return stateOf(response.bid.auctionId, ({ head }) => head !== undefined && bidIdOf(head.id) === response.bid.id)
      if (!('status' in response.auction)) return [timelines.get(response.auction.id)]
      return [...stateOf(response.auction.id, isLike(response.auction)), ...observedByKey(stateOf, attempt)]
    case 'read':
      return stateOf(response.auction.id, isLike(response.auction))
    case 'listed':
      return response.auctions.flatMap((seen) => stateOf(seen.id, isLike(seen)))
    case 'refused':
      return observedByRefusal(stateOf, attempt, response)
    case 'unknown':
      return []
    default:
      return response satisfies never
  }
}

type StateOf = (auctionId: AuctionId, isShown: (state: LedgerState) => boolean) => Observed

/**
 * An accepted cancellation or own withdrawal with a key has a separate entry, although the states of several are alike.
 */
function observedByKey(stateOf: StateOf, attempt: Attempt): Observed {
  const isOfKey = attempt.type === 'cancel-auction' || attempt.type === 'withdraw-own-bid'
  if (!isOfKey || attempt.key === undefined) return []
  const isUnderKey = ({ head }: LedgerState) => clientKey(head?.requestKey) === attempt.key
  if (attempt.type === 'withdraw-own-bid')
    return stateOf(attempt.withdrawal.auctionId, (state) => isUnderKey(state) && isWithdrawal(state))
  return stateOf(attempt.cancellation.auctionId, (state) => isCancelled(state) && isUnderKey(state))
}

const isWithdrawal = ({ head }: LedgerState): boolean =>
  head !== undefined && requestIn(head)?.type === 'withdraw-own-bid'

function observedByRefusal(
  stateOf: StateOf,
  attempt: Attempt,
  { code, minimumNextBidMinor, maximumNextBidMinor }: Refused,
): Observed {
  const auctionId = auctionAskedFor(attempt)
  if (auctionId === undefined) return []
  if (code === 'auction-cancelled') return stateOf(auctionId, isCancelled)
  if (code === 'auction-has-bids') return stateOf(auctionId, ({ head }) => hasHadBids(head))
  if (maximumNextBidMinor !== undefined)
    return stateOf(auctionId, (state) => state.figures.maximumNextBidMinor === maximumNextBidMinor && !state.isClosed)
  if (minimumNextBidMinor === undefined) return []
  return stateOf(auctionId, (state) => state.figures.minimumNextBidMinor === minimumNextBidMinor && !state.isClosed)
}
