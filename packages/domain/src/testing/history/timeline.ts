import type { AuctionId } from '../../ids.ts'
import type { Entry } from '../../ledger/entry.ts'
import type { StoredAuction } from '../../store.ts'
import type { Attempt, History, Refused, SeenAuction } from '../history.ts'
import type { Sources } from './check-sources.ts'
import { clientKey } from './commands.ts'
import { endMs, isEnd, isOffered, isReserveMet, leastMinor, priceMinor } from './rules.ts'

/** What an auction's ledger said for some time: all up to and with its `head`. */
export type LedgerState = {
  readonly head: Entry | undefined
  readonly priceMinor: number
  readonly leastMinor: number | undefined
  readonly bidCount: number
  /** When it ends, as far as bids have moved that. */
  readonly endMs: number
  readonly isReserveMet: boolean | undefined
  readonly isOffered: boolean | undefined
  /** Whether nothing can follow: it is closed, bought or cancelled. */
  readonly isClosed: boolean
  /** No earlier than this did the ledger say so: by then all of it was asked for. */
  readonly fromMs: number
  /** By then somebody was told of it, or of what follows it. */
  knownMs: number
}

/** One auction, with all that its ledger ever said, in order. */
export type Timeline = {
  readonly auction: StoredAuction
  readonly states: readonly LedgerState[]
  /** By then somebody was told of the auction. */
  knownMs: number
}
export type Timelines = ReadonlyMap<AuctionId, Timeline>

/** An auction's entries, by sequence. */
export const entriesOf = ({ ledger }: History): ((auctionId: AuctionId) => readonly Entry[]) => {
  const entries = Map.groupBy(ledger, ({ auctionId }) => auctionId)
  return (auctionId) => (entries.get(auctionId) ?? []).toSorted((a, b) => a.sequence - b.sequence)
}

/**
 * Since when somebody has asked for what the events are that somebody asks for: bids and cancellations by their ids, purchases by their
 * auctions'.
 */
export type SourcesOfEntries = { readonly bids: Sources; readonly purchases: Sources; readonly cancellations: Sources }

export function timelinesOf(history: History, sources: SourcesOfEntries): Timelines {
  const entries = entriesOf(history)
  const timelines = new Map<AuctionId, Timeline>()
  for (const auction of history.auctions) {
    let fromMs = Number.NEGATIVE_INFINITY
    let before = stateAt(auction, undefined, fromMs)
    const states = [before]
    for (const head of entries(auction.id)) {
      fromMs = Math.max(fromMs, askedForMs(head, sources) ?? closedFromMs(before, history))
      before = stateAt(auction, head, fromMs)
      states.push(before)
    }
    timelines.set(auction.id, { auction, states, knownMs: Number.POSITIVE_INFINITY })
  }
  for (const attempt of history.attempts) {
    for (const told of whatWasTold(timelines, attempt)) {
      for (const each of [told.timeline, told.state]) {
        if (each !== undefined) each.knownMs = Math.min(each.knownMs, attempt.answeredAtMs)
      }
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

/** Undefined for an end by time, for which nobody asks, and for what nobody is left to have asked for. */
function askedForMs({ id, auctionId, event }: Entry, { bids, purchases, cancellations }: SourcesOfEntries) {
  if (event.type === 'bought') return purchases.get(auctionId)
  if (event.type === 'cancelled') return cancellations.get(id)
  return bids.get(id)
}

/** No process closes an auction before the margin is over, by its own clock. */
const closedFromMs = (before: LedgerState, { marginMs, clockErrorMs }: History): number =>
  before.endMs + marginMs - clockErrorMs

const stateAt = (auction: StoredAuction, head: Entry | undefined, fromMs: number): LedgerState => ({
  head,
  priceMinor: priceMinor(auction, head),
  leastMinor: leastMinor(auction, head),
  bidCount: head?.state.bidCount ?? 0,
  endMs: endMs(auction, head),
  isReserveMet: isReserveMet(auction, head),
  isOffered: isOffered(auction, head),
  isClosed: isEnd(head),
  fromMs,
  knownMs: Number.POSITIVE_INFINITY,
})

/**
 * Those that the ledger can have been in at some moment between two: it has left the one before when somebody is told of what
 * follows, and comes to none that was not asked for. There are few, of many.
 */
export function statesDuring({ states }: Timeline, fromMs: number, toMs: number): readonly LedgerState[] {
  const first = firstIndex(states, ({ knownMs }) => knownMs >= fromMs)
  const end = firstIndex(states, (state) => state.fromMs > toMs)
  return states.slice(Math.max(first - 1, 0), end)
}

/** Where a condition begins to hold, which holds from there on. */
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

/** Whether a reader can have seen a state, by the number of bids and the result. It is one alone, but where maxima were raised. */
export const isLike =
  ({ bidCount, result }: SeenAuction) =>
  (state: LedgerState): boolean =>
    state.bidCount === bidCount && state.isClosed === (result !== undefined)

type Told = { readonly timeline: Timeline | undefined; readonly state: LedgerState | undefined }

/** What somebody was told of auctions and their ledgers. Of several states that it can have been, the first one was reached then. */
function whatWasTold(timelines: Timelines, attempt: Attempt): readonly Told[] {
  const { answer } = attempt
  const toldBySeeing = (seen: SeenAuction): Told => {
    const timeline = timelines.get(seen.id)
    return { timeline, state: timeline?.states.find(isLike(seen)) }
  }
  switch (answer.outcome) {
    case 'accepted': {
      if ('bid' in answer) {
        const timeline = timelines.get(answer.bid.auctionId)
        return [{ timeline, state: timeline?.states.find(({ head }) => head?.id === answer.bid.id) }]
      }
      if ('bidCount' in answer.auction) return [toldBySeeing(answer.auction), toldByKey(timelines, attempt)]
      return [{ timeline: timelines.get(answer.auction.id), state: undefined }]
    }
    case 'read':
      return [toldBySeeing(answer.auction)]
    case 'listed':
      return answer.auctions.map(toldBySeeing)
    case 'refused':
      return toldByRefusal(timelines, attempt, answer)
    case 'unknown':
      return []
    default:
      return answer satisfies never
  }
}

/** A cancellation with a key that is accepted has an entry of its own, which may be none of those that are alike. */
function toldByKey(timelines: Timelines, attempt: Attempt): Told {
  if (attempt.type !== 'cancel-auction' || attempt.key === undefined) return { timeline: undefined, state: undefined }
  const timeline = timelines.get(attempt.cancellation.auctionId)
  const isUnderKey = ({ head }: LedgerState) => clientKey(head?.requestKey) === attempt.key
  return { timeline, state: timeline?.states.find((state) => isCancelled(state) && isUnderKey(state)) }
}

function toldByRefusal(timelines: Timelines, attempt: Attempt, told: Refused): readonly Told[] {
  const { code, minimumNextBidMinor } = told
  const auctionId = auctionAskedFor(attempt)
  const timeline = auctionId && timelines.get(auctionId)
  if (timeline === undefined) return []
  const { states } = timeline
  if (code === 'auction-cancelled') return [{ timeline, state: states.find(isCancelled) }]
  if (code === 'auction-has-bids') return [{ timeline, state: states.find(({ head }) => head?.state.leader) }]
  if (minimumNextBidMinor === undefined) return []
  return [{ timeline, state: states.find((state) => state.leastMinor === minimumNextBidMinor && !state.isClosed) }]
}

/** The auction that somebody wanted to do something with. */
export function auctionAskedFor(attempt: Attempt): AuctionId | undefined {
  switch (attempt.type) {
    case 'place-bid':
      return attempt.bid.auctionId
    case 'buy-now':
      return attempt.purchase.auctionId
    case 'cancel-auction':
      return attempt.cancellation.auctionId
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
