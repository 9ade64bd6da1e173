import type { AuctionId } from '../../ids.ts'
import type { Entry } from '../../ledger/entry.ts'
import type { StoredAuction } from '../../store.ts'
import type { Attempt, History, SeenAuction } from '../history.ts'
import type { Sources } from './check-sources.ts'
import { leastMinor, priceMinor } from './rules.ts'

/** What an auction's ledger said for some time: all up to and with its `head`. */
export type LedgerState = {
  readonly head: Entry | undefined
  readonly priceMinor: number
  readonly leastMinor: number | undefined
  readonly bidCount: number
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

export function timelinesOf(history: History, bidSources: Sources): Timelines {
  const entries = entriesOf(history)
  const timelines = new Map<AuctionId, Timeline>()
  for (const auction of history.auctions) {
    // No process closes an auction before the margin is over, by its own clock.
    const closedFromMs = auction.endTime.epochMs + history.marginMs - history.clockErrorMs
    let fromMs = Number.NEGATIVE_INFINITY
    const states = [stateAt(auction, undefined, fromMs)]
    for (const head of entries(auction.id)) {
      fromMs = Math.max(fromMs, head.event.type === 'closed' ? closedFromMs : (bidSources.get(head.id) ?? fromMs))
      states.push(stateAt(auction, head, fromMs))
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

const stateAt = (auction: StoredAuction, head: Entry | undefined, fromMs: number): LedgerState => ({
  head,
  priceMinor: priceMinor(auction, head),
  leastMinor: leastMinor(auction, head),
  bidCount: head?.state.bidCount ?? 0,
  isClosed: head?.event.type === 'closed',
  fromMs,
  knownMs: Number.POSITIVE_INFINITY,
})

/** Whether the ledger can have been in a state at some moment between two. */
export function canHaveBeen({ states }: Timeline, state: LedgerState, fromMs: number, toMs: number): boolean {
  const next = states[states.indexOf(state) + 1]
  return state.fromMs <= toMs && (next === undefined || next.knownMs >= fromMs)
}

/** The state that a reader saw, if there ever was such a one. */
export const stateSeen = ({ states }: Timeline, { bidCount, result }: SeenAuction): LedgerState | undefined =>
  states.find((state) => state.bidCount === bidCount && state.isClosed === (result !== undefined))

type Told = { readonly timeline: Timeline | undefined; readonly state: LedgerState | undefined }

/** What somebody was told of auctions and their ledgers. */
function whatWasTold(timelines: Timelines, attempt: Attempt): readonly Told[] {
  const { answer } = attempt
  const toldBySeeing = (seen: SeenAuction): Told => {
    const timeline = timelines.get(seen.id)
    return { timeline, state: timeline && stateSeen(timeline, seen) }
  }
  switch (answer.outcome) {
    case 'accepted': {
      if (!('bid' in answer)) return [{ timeline: timelines.get(answer.auction.id), state: undefined }]
      const timeline = timelines.get(answer.bid.auctionId)
      return [{ timeline, state: timeline?.states.find(({ head }) => head?.id === answer.bid.id) }]
    }
    case 'read':
      return [toldBySeeing(answer.auction)]
    case 'listed':
      return answer.auctions.map(toldBySeeing)
    case 'refused': {
      const { minimumNextBidMinor: told } = answer
      if (told === undefined || attempt.type !== 'place-bid') return []
      const timeline = timelines.get(attempt.bid.auctionId)
      return [{ timeline, state: timeline?.states.find((state) => state.leastMinor === told && !state.isClosed) }]
    }
    case 'unknown':
      return []
    default:
      return answer satisfies never
  }
}
