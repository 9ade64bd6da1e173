import { correctedFields, type PublicEvent } from '@auction/domain'
import type { Corrected } from '@auction/domain/auction'
import type { Entry } from '@auction/domain/store'
import { type Follower, type History, show, type Violation } from '../history.ts'
import { blockIn, isRepair, type RepairEvent } from './repairs.ts'
import type { LedgerState, Timeline, Timelines } from './timeline.ts'

/**
 * What a follower saw of an auction is exactly what its entries show, from its place on, in order, each stored before
 * it was shown. So all followers saw the same of an entry.
 */
export function checkFollowers(history: History, timelines: Timelines): Violation[] {
  const { followers = [] } = history
  return followers.flatMap((follower): Violation[] => {
    const finding = findingOf(follower, timelines.get(follower.auctionId), history)
    if (finding === undefined) return []
    const message = `a follower of auction ${follower.auctionId} from ${follower.from}: ${finding}`
    return [{ invariant: 7, message }]
  })
}

function findingOf(
  { from, position, seen }: Follower,
  timeline: Timeline | undefined,
  { clockErrorMs, storedAtMs }: History,
): string | undefined {
  if (timeline === undefined) return 'the auction is not stored'
  const expected = shownBy(timeline).filter(({ entry: { sequence } }) => sequence > from && sequence <= position)
  for (const [index, { event, atMs }] of seen.entries()) {
    const next = expected[index]
    const right = show(next?.event)
    if (show(plain(event)) !== right) return `it saw ${show(event)} instead of ${right}`
    const leastMs = next && (storedAtMs?.get(next.entry.id) ?? next.entry.atMs - clockErrorMs)
    if (leastMs === undefined || atMs < leastMs) return `it saw ${show(event)} before that was stored`
  }
  const missed = expected[seen.length]
  return missed && `it did not see ${show(missed.event)}`
}

/** The ends as numbers, without the texts of the moments. */
const plain = (event: PublicEvent): object => ({
  ...event,
  ...('effectiveEndTime' in event && { effectiveEndTime: event.effectiveEndTime.epochMs }),
  ...('previousEndTime' in event && { previousEndTime: event.previousEndTime.epochMs }),
})

type Shown = { readonly entry: Entry; readonly event: object }

/** What each entry shows to everybody who may read the auction, by a second implementation. */
function shownBy({ states }: Timeline): readonly Shown[] {
  return states.flatMap((state, index) => {
    const before = states[index - 1]
    if (state.head === undefined || before === undefined || before.isClosed) return []
    const event = eventOf(state.head, state, before)
    return event === undefined ? [] : [{ entry: state.head, event }]
  })
}

function eventOf(entry: Entry, state: LedgerState, before: LedgerState): object | undefined {
  const { auctionId, sequence, atMs, event, currency } = entry
  const recorded = { auctionId, sequence, atMs }
  if (entry.state.phase === 'closed') {
    const status = event.type === 'cancelled' ? 'Cancelled' : 'Ended'
    return { ...recorded, type: 'ended', status, result: entry.state.result, currency, metadata: state.texts.metadata }
  }
  if (event.type === 'corrected') {
    return { ...recorded, type: 'corrected', fields: correctedNames(event), by: event.by }
  }
  const shown = { currency, ...valuesAfter(entry, state) }
  if (isRepair(event)) return { ...recorded, ...shown, ...repairShown(entry, event) }
  if (state.bidCount === before.bidCount) return undefined
  return { ...recorded, ...shown, type: 'bids', bids: bidsOf(entry), previousLeaderId: outbidBy(entry, before.head) }
}

function valuesAfter({ atMs, event, state: { leader } }: Entry, state: LedgerState): object {
  // A repair after the end has the last time before it.
  const shownMs = isRepair(event) && atMs + 1 === state.endMs ? state.endMs : atMs
  const isActive = shownMs >= state.auction.startTime.epochMs && shownMs < state.endMs
  return {
    currentPriceMinor: state.priceMinor,
    minimumNextBidMinor: state.leastMinor,
    maximumNextBidMinor: state.highestMinor,
    bidCount: state.bidCount,
    leaderId: leader?.bidderId,
    effectiveEndTime: state.endMs,
    isReserveMet: state.isReserveMet,
    isBuyNowOffered: state.isOffered && isActive,
  }
}

/** The parts of a repair that everybody sees: neither the editor nor a reserve. */
function repairShown(entry: Entry, event: RepairEvent): object {
  const { type, reason } = event
  const by = 'staff'
  if (type === 'withdrawn') {
    const { bidderId } = event
    return { type, by, reason, bidderId, isBlocked: blockIn(event) }
  }
  if (type === 'reserve-lowered') return { type, by: event.by, reason, bids: bidsOf(entry) }
  return { type, by, reason, previousEndTime: event.previousEndMs }
}

/** The fields of a correction, in the order of those of a new auction. */
const correctedNames = (event: Corrected): readonly string[] => {
  const names = [...Object.keys(event), ...(event.terms?.fields ?? [])]
  return correctedFields.filter((name) => names.includes(name))
}

/** The leader whom an entry outbids, if any. */
function outbidBy({ state }: Entry, before: Entry | undefined): number | undefined {
  const previous = before?.state.leader?.bidderId
  return previous === state.leader?.bidderId ? undefined : previous
}

/** The bids of an entry: the placed one, and the automatic one, which has the next id. */
function bidsOf({ id, auctionId, event, currency, atMs }: Entry): readonly object[] {
  if (!('automatic' in event) && event.type !== 'bid-placed') return []
  const { automatic } = event
  const common = { auctionId, currency, timestampMs: atMs }
  const { type } = event
  const own = type === 'bid-placed' ? [{ ...common, id, bidderId: event.bidderId, amountMinor: event.amountMinor }] : []
  return automatic === undefined ? own : [...own, { ...common, id: id + 1, ...automatic, automatic: true }]
}
