import type { Entry } from '../../../src/auction/entry.ts'
import { incrementAt } from '../../../src/auction/increments.ts'
import { type AuctionState, type Leader, termsIn } from '../../../src/auction/state.ts'
import { effectiveEndMs } from '../../../src/auction/status.ts'
import { continued, withoutBidder } from '../../../src/auction/without-bidder.ts'
import type { AuctionId } from '../../../src/values/ids.ts'
import type { AmountMinor } from '../../../src/values/money.ts'
import { refused } from '../../../src/values/result.ts'
import { withEvents, withState } from './altered-events.ts'
import { type PlantedBugs, withService } from './planted.ts'
import { decideWrongly, recordAnyway, type WrongInputs, withPlacedBids, withReductions } from './recorded-anyway.ts'

type Repairs = NonNullable<AuctionState['repairs']>

/** A state that lacks some of its repairs. */
function without(state: AuctionState, ...names: readonly Exclude<keyof Repairs, 'entryIds'>[]): AuctionState {
  if (state.repairs === undefined) return state
  const kept = Object.entries(state.repairs).filter(([name]) => !names.some((each) => each === name))
  return { ...state, repairs: Object.fromEntries(kept) as Repairs } // The ids of entries are kept.
}

const withoutBlocks: WrongInputs = ({ state }) =>
  state.repairs?.withdrawn === undefined ? undefined : { state: without(state, 'withdrawn') }

/** The inputs with the end that the auction would have without staff. */
const withoutExtension: WrongInputs = ({ terms, state }) => {
  const { latestEndShiftMs = 0 } = state.repairs ?? {}
  if (state.phase !== 'open' || latestEndShiftMs <= 0) return undefined
  return { state: { ...state, extendedEndMs: effectiveEndMs(termsIn(terms, state), state) - latestEndShiftMs } }
}

const ceilingOf = ({ amountMinor, maximumMinor }: Leader): number => maximumMinor ?? amountMinor

/** Bugs in the repairs of auctions. */
export const bugsInRepairs: PlantedBugs = {
  'the maximum of a withdrawn bidder still counts': withEvents(() => ({ entry: { event }, terms, state }) => {
    if (event.type !== 'withdrawn' || event.leader === null || state.leader?.bidderId !== event.bidderId) return event
    const theirsMinor = ceilingOf(state.leader) as AmountMinor // One of two amounts.
    const wantedMinor = Math.min(theirsMinor + incrementAt(terms, theirsMinor), ceilingOf(event.leader))
    const amountMinor = Math.max(wantedMinor, event.leader.amountMinor) as AmountMinor // At most a maximum.
    return { ...event, leader: { ...event.leader, amountMinor } }
  }),

  'a withdrawal keeps the price': withEvents(() => ({ entry: { event }, state }) => {
    if (event.type !== 'withdrawn' || event.leader === null || state.leader?.bidderId !== event.leader.bidderId)
      return event
    return { ...event, leader: state.leader }
  }),

  'a withdrawal is decided on an old head': withEvents(() => {
    const ledgers = new Map<AuctionId, Entry[]>()
    return ({ entry, terms, state }) => {
      const ledger = ledgers.get(terms.id) ?? []
      ledgers.set(terms.id, ledger)
      ledger[entry.sequence - 1] = entry
      const { event } = entry
      const count = Math.max(entry.sequence - 2, 0)
      const known = ledger.slice(0, count).filter((earlier) => earlier !== undefined)
      if (event.type !== 'withdrawn' || known.length < count) return event
      const { leader, bidCount } = continued(withoutBidder(terms, event.bidderId, state), known)
      return { ...event, leader, bidCount }
    }
  }),

  'a blocked bidder may bid': withPlacedBids(withoutBlocks),

  'a closer ignores an extension': withService((right, servedBy) => ({
    async closeDue() {
      const { items } = await servedBy.store.listAuctions({ order: 'agenda', limit: 1_000 })
      for (const { auction } of items) {
        const command = { type: 'close', marginMs: 0 } as const
        const atMs = servedBy.clock.nowMs()
        await recordAnyway(servedBy, { auctionId: auction.id, command, atMs, wrong: withoutExtension })
      }
      return right.closeDue()
    },
  })),

  'a bid ignores an extension': withService((right, servedBy) => ({
    async placeBid(bid, retry, atMs = servedBy.clock.nowMs()) {
      // A repeated request gets its first answer.
      if (retry !== undefined) return right.placeBid(bid, retry, atMs)
      const { auctionId, ...fields } = bid
      const command = { type: 'place-bid', ...fields } as const
      const decided = await decideWrongly(servedBy, { auctionId, command, atMs, wrong: withoutExtension })
      if (!decided || decided.decision.ok || decided.decision.refusal.code !== 'auction-ended')
        return right.placeBid(bid, retry, atMs)
      return refused(decided.decision.refusal)
    },
  })),

  'an extension leaves the latest end': withState((state, type) =>
    type === 'bid-placed' || type === 'maximum-raised' ? without(state, 'latestEndShiftMs') : state,
  ),

  'a closing loses bids that arrived before it': withEvents(
    () =>
      ({ entry: { event, atMs } }) =>
        event.type === 'ended-early' ? { ...event, endMs: Math.min(event.endMs, atMs - 50) } : event,
  ),

  'a result does not show that it was early': withState((state, type) =>
    type === 'closed' ? without(state, 'isEndedEarly') : state,
  ),

  'the reserve from before counts at the end': withState((state, type) =>
    type === 'closed' ? without(state, 'reservePriceMinor') : state,
  ),

  'an owner lowers the reserve again': withReductions(({ state }) =>
    state.repairs?.reservePriceMinor === undefined ? undefined : { state: without(state, 'reservePriceMinor') },
  ),

  'a lower reserve of the owner is called one of staff': withEvents(
    () =>
      ({ entry: { event } }) =>
        event.type === 'reserve-lowered' ? { ...event, by: 'staff' } : event,
  ),

  'a correction does not say who made it': withEvents(() => ({ entry: { event } }) => {
    if (event.type !== 'corrected') return event
    const { by: _, ...unnamed } = event
    return unnamed
  }),

  'a blocked bidder stays blocked': withEvents(
    () =>
      ({ entry: { event } }) =>
        event.type === 'withdrawn' && event.isUnblocked === true ? { ...event, isBlocked: true } : event,
  ),

  'a reserve is lowered without the key of its request': withService((right) => ({
    lowerReserve: (request, _, arrivedAtMs) => right.lowerReserve(request, undefined, arrivedAtMs),
  })),
}
