import type { AuctionId } from '@auction/domain/ids'
import type { Entry, StoredAuction } from '@auction/domain/store'
import type { Attempt, History, Refused, SeenAuction, SeenTexts } from '../history.ts'
import type { Source, Sources } from './check-sources.ts'
import { clientKey } from './commands.ts'
import { isRepair } from './repairs.ts'
import {
  endMs,
  hasHadBids,
  highestMinor,
  isEnd,
  isOffered,
  isReserveMet,
  leastMinor,
  priceMinor,
  termsAfter,
  textsOf,
} from './rules.ts'

/** One state of an auction's ledger: all entries up to and including its `head`. */
export type LedgerState = {
  readonly head: Entry | undefined
  /** The auction with the terms that it has then. */
  readonly auction: StoredAuction
  readonly priceMinor: number
  readonly leastMinor: number | undefined
  readonly highestMinor: number | undefined
  readonly bidCount: number
  /** The end after the extensions so far. */
  readonly endMs: number
  readonly isReserveMet: boolean | undefined
  readonly isOffered: boolean | undefined
  readonly texts: SeenTexts
  /** Whether nothing can follow: the auction is closed, bought or cancelled. */
  readonly isClosed: boolean
  /** The earliest possible time of this state: by then clients had sent the requests of all its entries. */
  readonly fromMs: number
  /** The time when a client first knew of this state, or of a later one. */
  knownMs: number
}

/** One auction, with all states of its ledger, in order. */
export type Timeline = {
  readonly auction: StoredAuction
  readonly states: readonly LedgerState[]
  /** The time when a client first knew of the auction. */
  knownMs: number
}
export type Timelines = ReadonlyMap<AuctionId, Timeline>

/** An auction's entries, by sequence. */
export const entriesOf = ({ ledger }: History): ((auctionId: AuctionId) => readonly Entry[]) => {
  const entries = Map.groupBy(ledger, ({ auctionId }) => auctionId)
  return (auctionId) => (entries.get(auctionId) ?? []).toSorted((a, b) => a.sequence - b.sequence)
}

/** The requests of entries by the ids of these, and those of purchases by the ids of their auctions. */
export type SourcesOfEntries = Readonly<
  Record<'bids' | 'purchases' | 'cancellations' | 'corrections' | 'repairs', Sources>
>

export function timelinesOf(history: History, sources: SourcesOfEntries): Timelines {
  const entries = entriesOf(history)
  const timelines = new Map<AuctionId, Timeline>()
  for (const auction of history.auctions) {
    let fromMs = Number.NEGATIVE_INFINITY
    let before = stateAt(auction, undefined, fromMs)
    const states = [before]
    for (const head of entries(auction.id)) {
      fromMs = Math.max(fromMs, sourceOf(head, sources)?.sentAtMs ?? closedFromMs(before, history))
      before = stateAt(auction, head, fromMs)
      states.push(before)
    }
    timelines.set(auction.id, { auction, states, knownMs: Number.POSITIVE_INFINITY })
  }
  for (const attempt of history.attempts) {
    for (const state of observedBy(timelines, attempt)) {
      if (state !== undefined) state.knownMs = Math.min(state.knownMs, attempt.answeredAtMs)
    }
  }
  for (const { states } of timelines.values()) {
    let knownMs = Number.POSITIVE_INFINITY
    for (const state of states.toReversed()) {
      knownMs = Math.min(knownMs, state.knownMs)
      state.knownMs = knownMs
    }
  }
  return timelines
}

/** The request of an entry. It is undefined for an end by time, and for an entry without a possible request. */
export function sourceOf({ id, auctionId, event }: Entry, sources: SourcesOfEntries): Source | undefined {
  const { bids, purchases, cancellations, corrections, repairs } = sources
  if (event.type === 'bought') return purchases.get(auctionId)
  if (event.type === 'cancelled') return cancellations.get(id)
  if (event.type === 'corrected') return corrections.get(id)
  if (isRepair(event)) return repairs.get(id)
  return bids.get(id)
}

/** No process closes an auction before the end of the margin, by the process's clock. */
const closedFromMs = (before: LedgerState, { marginMs, clockErrorMs }: History): number =>
  before.endMs + marginMs - clockErrorMs

const stateAt = (created: StoredAuction, head: Entry | undefined, fromMs: number): LedgerState =>
  stateOf(created, termsAfter(created, head), head, fromMs)

const stateOf = (
  created: StoredAuction,
  auction: StoredAuction,
  head: Entry | undefined,
  fromMs: number,
): LedgerState => ({
  head,
  auction,
  priceMinor: priceMinor(auction, head),
  leastMinor: leastMinor(auction, head),
  highestMinor: highestMinor(auction, head),
  bidCount: head?.state.bidCount ?? 0,
  endMs: endMs(auction, head),
  isReserveMet: isReserveMet(auction, head),
  isOffered: isOffered(auction, head),
  texts: textsOf(created, head),
  isClosed: isEnd(head),
  fromMs,
  knownMs: Number.POSITIVE_INFINITY,
})

/**
 * The possible states of the ledger between two moments. A state is over when a client knows of a later one, and cannot
 * begin before the requests of its entries. Only a few of many states are possible.
 */
export function statesDuring({ states }: Timeline, fromMs: number, toMs: number): readonly LedgerState[] {
  const first = firstIndex(states, ({ knownMs }) => knownMs >= fromMs)
  const end = firstIndex(states, (state) => state.fromMs > toMs)
  return states.slice(Math.max(first - 1, 0), end)
}

/** The first index at which a condition holds, if it holds for all later ones. */
function firstIndex<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && holds(item)) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Whether a reader can have seen a state, by the numbers of bids and repairs, the last correction and the result. Only
 * raised maximums and corrections in one millisecond make several states alike.
 */
export const isLike =
  ({ bidCount, repairCount, correctedAtMs, result }: SeenAuction) =>
  (state: LedgerState): boolean =>
    state.bidCount === bidCount &&
    (state.head?.state.repairs?.entryIds.length ?? 0) === repairCount &&
    state.texts.correctedAtMs === correctedAtMs &&
    state.isClosed === (result !== undefined)

type Observed = readonly (Timeline | LedgerState | undefined)[]

/** The auctions and states that an answer shows. Of several possible states, at least the first was reached. */
function observedBy(timelines: Timelines, attempt: Attempt): Observed {
  const { answer } = attempt
  const stateOf = (auctionId: AuctionId, isShown: (state: LedgerState) => boolean): Observed => {
    const timeline = timelines.get(auctionId)
    return [timeline, timeline?.states.find(isShown)]
  }
  switch (answer.outcome) {
    case 'accepted':
      if ('bid' in answer) return stateOf(answer.bid.auctionId, ({ head }) => head?.id === answer.bid.id)
      if (!('bidCount' in answer.auction)) return [timelines.get(answer.auction.id)]
      return [...stateOf(answer.auction.id, isLike(answer.auction)), ...observedByKey(stateOf, attempt)]
    case 'read':
      return stateOf(answer.auction.id, isLike(answer.auction))
    case 'listed':
      return answer.auctions.flatMap((seen) => stateOf(seen.id, isLike(seen)))
    case 'refused':
      return observedByRefusal(stateOf, attempt, answer)
    case 'unknown':
      return []
    default:
      return answer satisfies never
  }
}

type StateOf = (auctionId: AuctionId, isShown: (state: LedgerState) => boolean) => Observed

/** An accepted cancellation with a key has a separate entry, although the states of several are alike. */
function observedByKey(stateOf: StateOf, attempt: Attempt): Observed {
  if (attempt.type !== 'cancel-auction' || attempt.key === undefined) return []
  const isUnderKey = ({ head }: LedgerState) => clientKey(head?.requestKey) === attempt.key
  return stateOf(attempt.cancellation.auctionId, (state) => isCancelled(state) && isUnderKey(state))
}

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
    return stateOf(auctionId, (state) => state.highestMinor === maximumNextBidMinor && !state.isClosed)
  if (minimumNextBidMinor === undefined) return []
  return stateOf(auctionId, (state) => state.leastMinor === minimumNextBidMinor && !state.isClosed)
}

export function auctionAskedFor(attempt: Attempt): AuctionId | undefined {
  switch (attempt.type) {
    case 'place-bid':
      return attempt.bid.auctionId
    case 'buy-now':
      return attempt.purchase.auctionId
    case 'cancel-auction':
      return attempt.cancellation.auctionId
    case 'correct-auction':
      return attempt.correction.auctionId
    case 'extend-auction':
    case 'withdraw-bidder':
    case 'end-auction':
    case 'lower-reserve':
      return attempt.repair.auctionId
    case 'read-auction':
      return attempt.auctionId
    case 'create-auction':
    case 'list-auctions':
      return undefined
    default:
      return attempt satisfies never
  }
}

export const isCancelled = ({ head }: LedgerState): boolean => head?.event.type === 'cancelled'
