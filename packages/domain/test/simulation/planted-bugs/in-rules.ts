import type { Terms } from '../../../src/auction/auction.ts'
import type { Command } from '../../../src/auction/commands.ts'
import { decide } from '../../../src/auction/decide.ts'
import type { AuctionEvent, BidPlaced, MaximumRaised } from '../../../src/auction/events.ts'
import { type AuctionState, initialState } from '../../../src/auction/state.ts'
import { createLanes, type LaneParts, type Lanes } from '../../../src/ledger/lanes.ts'
import type { AuctionId } from '../../../src/values/ids.ts'
import type { AmountMinor } from '../../../src/values/money.ts'
import { accepted } from '../../../src/values/result.ts'
import type { PlantedBugs } from './planted.ts'

type Decision = ReturnType<typeof decide>
type Rule = (terms: Terms, state: AuctionState, command: Command, clockMs: number) => Decision

/** Lanes with other rules. */
const withRule = (plant: () => Rule) => () => ({
  createLanes: (parts: LaneParts): Lanes => createLanes({ ...parts, decide: plant() as typeof decide }), // With the same overloads.
})

/** Rules that decide with other terms, or another state. */
const withTerms = (other: (terms: Terms, command: Command) => Terms) =>
  withRule(() => (terms, state, command, clockMs) => decide(other(terms, command), state, command, clockMs))
const withState = (other: (state: AuctionState, command: Command) => AuctionState) =>
  withRule(() => (terms, state, command, clockMs) => decide(terms, other(state, command), command, clockMs))

/** Rules whose accepted bids have other events. */
const withEvent = (
  other: (event: BidPlaced | MaximumRaised, terms: Terms, state: AuctionState) => BidPlaced | MaximumRaised,
) =>
  withRule(() => (terms, state, command, clockMs) => {
    const decision = decide(terms, state, command, clockMs)
    return decision.ok && isOfBid(decision.value) ? accepted(other(decision.value, terms, state)) : decision
  })

const isOfBid = (event: AuctionEvent): event is BidPlaced | MaximumRaised =>
  event.type === 'bid-placed' || event.type === 'maximum-raised'

const least = (...amounts: readonly number[]): AmountMinor => Math.min(...amounts) as AmountMinor // All are valid amounts.

const open = ({ bidCount, leader, atMs, extendedEndMs }: AuctionState): AuctionState => ({
  ...initialState,
  bidCount,
  leader,
  atMs,
  ...(extendedEndMs !== undefined && { extendedEndMs }),
})

const endedBy = (state: AuctionState): string | undefined =>
  state.phase === 'closed' ? state.result.outcome : undefined

/** Bugs in the rules of the formats. */
export const bugsInRules: PlantedBugs = {
  'a refused bid moves the end': withRule(() => {
    const moved = new Map<AuctionId, number>()
    return (terms, state, command, clockMs) => {
      const movedMs = Math.max(moved.get(terms.id) ?? 0, state.extendedEndMs ?? 0)
      const decision = decide(terms, movedMs > 0 ? { ...state, extendedEndMs: movedMs } : state, command, clockMs)
      if (!decision.ok && decision.refusal.code === 'bid-too-low' && terms.softClose !== undefined) {
        const { extensionSeconds, latestEndTime } = terms.softClose
        moved.set(terms.id, Math.min(clockMs + extensionSeconds * 1000, latestEndTime.epochMs))
      }
      return decision
    }
  }),

  'an end moves past its latest time': withTerms((terms) => {
    if (terms.softClose === undefined) return terms
    const { iso, epochMs } = terms.softClose.latestEndTime
    return { ...terms, softClose: { ...terms.softClose, latestEndTime: { iso, epochMs: epochMs + 60_000 } } }
  }),

  'bids at any time move the end': withTerms((terms) =>
    terms.softClose === undefined ? terms : { ...terms, softClose: { ...terms.softClose, windowSeconds: 1_000 } },
  ),

  'a raised maximum moves the end': withRule(() => (terms, state, command, clockMs) => {
    const decision = decide(terms, state, command, clockMs)
    if (!decision.ok || decision.value.type !== 'maximum-raised' || terms.softClose === undefined) return decision
    return accepted({ ...decision.value, extendedEndMs: terms.softClose.latestEndTime.epochMs })
  }),

  'bids are accepted only until the original end': withState((state, command) => {
    const { extendedEndMs: _, ...others } = state
    return command.type === 'place-bid' && state.phase === 'open' ? others : state
  }),

  'an auction is closed at the original end': withState((state, command) => {
    const { extendedEndMs: _, ...others } = state
    return command.type === 'close' && state.phase === 'open' ? others : state
  }),

  'the reserve is ignored at the end': withTerms(({ reservePriceMinor, ...terms }, { type }) =>
    type === 'close' || reservePriceMinor === undefined ? terms : { ...terms, reservePriceMinor },
  ),

  'a reserve is met one minor unit below it': withTerms((terms) =>
    terms.reservePriceMinor === undefined ? terms : { ...terms, reservePriceMinor: least(terms.reservePriceMinor - 1) },
  ),

  'a maximum does not raise the price to the reserve': withEvent((event, terms, { leader }) => {
    const isLift =
      event.automatic?.bidderId === event.bidderId && event.automatic.amountMinor === terms.reservePriceMinor
    const { automatic: _, ...others } = event
    return isLift && (leader === null || leader.bidderId === event.bidderId) ? others : event
  }),

  'both of two buyers succeed': withState((state, { type }) =>
    type === 'buy-now' && endedBy(state) === 'bought' ? open(state) : state,
  ),

  'buy now is offered after the first bid': withState((state, { type }) =>
    type === 'buy-now' && state.phase === 'open' ? { ...state, leader: null } : state,
  ),

  'buy now is not offered after bids below the reserve': withTerms(({ reservePriceMinor, ...terms }, { type }) =>
    type === 'buy-now' || reservePriceMinor === undefined ? terms : { ...terms, reservePriceMinor },
  ),

  'a bid at the buy-now price buys': withRule(() => (terms, state, command, clockMs) => {
    const decision = decide(terms, state, command, clockMs)
    const isAboveOffer = !decision.ok && decision.refusal.code === 'buy-now-is-lower'
    if (!isAboveOffer || command.type !== 'place-bid') return decision
    return decide(terms, state, { type: 'buy-now', buyerId: command.bidderId }, clockMs)
  }),

  'a bid ignores the offer to buy now': withTerms(({ buyNowPriceMinor, ...terms }, { type }) =>
    type === 'place-bid' || buyNowPriceMinor === undefined ? terms : { ...terms, buyNowPriceMinor },
  ),

  'a leader with a maximum pays one increment too much': withEvent(
    ({ automatic, ...event }, { minimumBidIncrementMinor }, { leader }) => {
      if (automatic === undefined) return event
      const most =
        (automatic.bidderId === event.bidderId ? event.maximumMinor : leader?.maximumMinor) ?? automatic.amountMinor
      const amountMinor = least(automatic.amountMinor + minimumBidIncrementMinor, most)
      return { ...event, automatic: { ...automatic, amountMinor } }
    },
  ),

  'the later of two equal maximums leads': withEvent((event, _, { leader }) => {
    const ceilingMinor = event.maximumMinor ?? event.amountMinor
    const isTie =
      event.automatic !== undefined &&
      event.automatic.bidderId === leader?.bidderId &&
      leader.maximumMinor === ceilingMinor
    if (!isTie) return event
    const { automatic: __, ...others } = event
    return event.amountMinor === ceilingMinor
      ? others
      : { ...others, automatic: { bidderId: event.bidderId, amountMinor: ceilingMinor } }
  }),

  'raising a maximum moves the price': withEvent((event, { minimumBidIncrementMinor }, { leader }) => {
    if (event.type !== 'maximum-raised' || leader === null || event.automatic !== undefined) return event
    const amountMinor = least(leader.amountMinor + minimumBidIncrementMinor, event.maximumMinor)
    return { ...event, automatic: { bidderId: event.bidderId, amountMinor } }
  }),

  'the amount of a leader who also raises its maximum is dropped': withEvent((event, _, { leader }) => {
    const { maximumMinor } = event
    if (event.type !== 'bid-placed' || leader?.bidderId !== event.bidderId || maximumMinor === undefined) return event
    return maximumMinor > (leader.maximumMinor ?? leader.amountMinor)
      ? { ...event, type: 'maximum-raised', maximumMinor }
      : event
  }),

  'a maximum of the leader counts as a bid': withState((state, { type }) => {
    if (type !== 'place-bid' || state.leader === null) return state
    const { maximumMinor: _, ...leader } = state.leader
    return { ...state, leader }
  }),

  'an auction with bids is cancelled': withTerms((terms, { type }) =>
    type === 'cancel' ? { ...terms, cancellableUntilEnd: true } : terms,
  ),

  'any user may cancel': withRule(() => (terms, state, command, clockMs) => {
    if (command.type !== 'cancel') return decide(terms, state, command, clockMs)
    const { requesterId: _, ...others } = command
    return decide(terms, state, others, clockMs)
  }),

  'a reason lets any user cancel an auction with bids': withRule(
    () => (terms, state, command, clockMs) =>
      decide(terms, state, command.type === 'cancel' ? { ...command, mayForce: true } : command, clockMs),
  ),

  'a forced cancellation is recorded as an ordinary one': withRule(() => (terms, state, command, clockMs) => {
    const decision = decide(terms, state, command, clockMs)
    if (!decision.ok || decision.value.type !== 'cancelled') return decision
    const { isForced: _, ...event } = decision.value
    return accepted(event)
  }),

  'an auction with bids is corrected': withState((state, { type }) =>
    type === 'correct' ? { ...state, leader: null } : state,
  ),

  'an ended auction is corrected': withRule(
    () => (terms, state, command, clockMs) =>
      decide(terms, state, command, command.type === 'correct' ? state.atMs : clockMs),
  ),

  'a correction replaces a state that its client has not seen': () => ({
    createLanes(parts) {
      const lanes = createLanes(parts)
      return {
        ...lanes,
        submit(auctionId, command, key) {
          if (command.type !== 'correct') return lanes.submit(auctionId, command, key)
          const { expectedCorrections: _, ...any } = command
          return lanes.submit(auctionId, any as typeof command, key)
        },
      }
    },
  }),

  'a cancelled auction accepts bids': withState((state, { type }) =>
    type === 'place-bid' && endedBy(state) === 'cancelled' ? open(state) : state,
  ),

  'a cancelled auction counts as ended': withRule(() => (terms, state, command, clockMs) => {
    const decision = decide(terms, state, command, clockMs)
    if (decision.ok || decision.refusal.code !== 'auction-cancelled') return decision
    return { ok: false, refusal: { code: 'auction-ended', endTime: terms.endTime } }
  }),
}
