import { type Terms, termsOf } from '../../../src/auction/auction.ts'
import type { Command } from '../../../src/auction/commands.ts'
import { decide } from '../../../src/auction/decide.ts'
import type { Entry } from '../../../src/auction/entry.ts'
import type { AuctionEvent, BidPlaced, MaximumRaised } from '../../../src/auction/events.ts'
import { type AuctionState, evolve, initialState } from '../../../src/auction/state.ts'
import type { Store } from '../../../src/store/store.ts'
import { toPositiveDecimal } from '../../../src/values/amount.ts'
import type { AuctionId } from '../../../src/values/ids.ts'
import { type AmountMinor, type Currency, toDecimal } from '../../../src/values/money.ts'
import type { Planted } from './planted.ts'

/** A command that the rules have accepted: its entry, and what it was decided on. */
export type Accepted = { readonly entry: Entry; readonly terms: Terms; readonly state: AuctionState }

/**
 * Plants rules that accept a command with another event. A process alters each entry just before it stores it. The entry is altered in
 * place, so that the lane and the answer have the altered event as well, and later commands are decided on the altered state.
 */
export const withEvents = (plant: () => (accepted: Accepted) => AuctionEvent) => (): Planted => {
  const eventOf = plant()
  const termsById = new Map<AuctionId, Terms>()
  return {
    store: (right) => ({
      ...right,
      insertAuction(auction) {
        termsById.set(auction.id, termsOf(auction))
        return right.insertAuction(auction)
      },
    }),
    storeOfProcess: (right) => withEventsOf(right, termsById, eventOf),
  }
}

function withEventsOf(
  right: Store,
  termsById: ReadonlyMap<AuctionId, Terms>,
  eventOf: (accepted: Accepted) => AuctionEvent,
): Store {
  const states = new Map<string, AuctionState>()
  /** Entries that are sent again are altered already. */
  const altered = new WeakSet<Entry>()
  const note = ({ auctionId, sequence, state }: Entry) => void states.set(`${auctionId}/${sequence}`, state)

  function alter(entry: Entry): void {
    const { auctionId, sequence } = entry
    const terms = termsById.get(auctionId)
    if (altered.has(entry) || terms === undefined) return
    altered.add(entry)
    const state = states.get(`${auctionId}/${sequence - 1}`) ?? initialState
    const event = eventOf({ entry, terms, state })
    Object.assign(entry, { event, state: evolve(state, { ...entry, event }) })
    note(entry)
  }

  return {
    ...right,
    async findHeads(ids, signal) {
      const heads = await right.findHeads(ids, signal)
      heads.forEach(note)
      return heads
    },
    append(entries, options) {
      entries.forEach(alter)
      return right.append(entries, options)
    },
  }
}

/** Plants rules that decide with other terms, where the right rules accept. */
export const withTerms = (other: (terms: Terms, type: AuctionEvent['type']) => Terms) =>
  withEvents(
    () =>
      ({ entry, terms, state }) =>
        decidedAgain({ entry, terms: other(terms, entry.event.type), state }),
  )

/** Plants rules that decide on another state, where the right rules accept. */
export const withState = (other: (state: AuctionState, type: AuctionEvent['type']) => AuctionState) =>
  withEvents(
    () =>
      ({ entry, terms, state }) =>
        decidedAgain({ entry, terms, state: other(state, entry.event.type) }),
  )

/** Plants rules that accept bids with other events. */
export const withBidEvents = (
  other: (event: BidPlaced | MaximumRaised, terms: Terms, state: AuctionState) => BidPlaced | MaximumRaised,
) =>
  withEvents(
    () =>
      ({ entry: { event }, terms, state }) =>
        isOfBid(event) ? other(event, terms, state) : event,
  )

export const isOfBid = (event: AuctionEvent): event is BidPlaced | MaximumRaised =>
  event.type === 'bid-placed' || event.type === 'maximum-raised'

/** The event of the same command on other terms, or on another state. */
export function decidedAgain({ entry, terms, state }: Accepted): AuctionEvent {
  const command = commandOf(entry)
  const decision = command && decide(terms, state, command, entry.atMs)
  return decision?.ok ? decision.value : entry.event
}

/** The command of an entry. Cancellations and corrections are not decided again. */
function commandOf({ event, currency }: Entry): Command | undefined {
  switch (event.type) {
    case 'bid-placed':
    case 'maximum-raised': {
      const { bidderId, amountMinor, maximumMinor } = event
      const bid = { type: 'place-bid', bidderId, amount: decimalOf(amountMinor, currency) } as const
      return maximumMinor === undefined ? bid : { ...bid, maximumAmount: decimalOf(maximumMinor, currency) }
    }
    case 'bought':
      return { type: 'buy-now', buyerId: event.buyerId }
    case 'closed':
      return { type: 'close', marginMs: 0 }
    default:
      return undefined
  }
}

const decimalOf = (amountMinor: AmountMinor, currency: Currency) => toPositiveDecimal(toDecimal(amountMinor, currency))
