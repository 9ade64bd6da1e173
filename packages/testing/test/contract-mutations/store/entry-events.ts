import type { AuctionEvent, AuctionState } from '@auction/domain/auction'
import { automaticBidId } from '@auction/domain/ids'
import type { AmountMinor } from '@auction/domain/money'
import type { Entry } from '@auction/domain/store'
import { changingEntries, replaced, type StoreMutation } from '../planted.ts'
import { to15Digits } from '../prove-contract.ts'

const bids = 'keeps the maximum, the automatic bid and the moved end of a bid, each alone and together'
const raised = 'keeps a raised maximum'
const closed = 'keeps the leader’s maximum and the moved end in the state of an ended auction'
const unmet = 'keeps the end of an auction whose reserve was not met'
const bought = 'keeps the end of an auction that was bought'
const cancelled = 'keeps the end of an auction that was cancelled, with its reason or without one'
const corrected = 'keeps corrected and removed texts, in the event and in the state of later entries'
const all =
  'lists entries of all events in one ledger, and finds each by its id, and none by the id of an automatic bid'

/** A store that changes events of one type, possibly to invalid ones. */
const changingEvent = <Type extends AuctionEvent['type']>(
  bug: string,
  type: Type,
  change: (event: Extract<AuctionEvent, { type: Type }>) => object,
  ...caughtBy: readonly string[]
): StoreMutation =>
  changingEntries(
    bug,
    (entry) =>
      entry.event.type === type
        ? ({ ...entry, event: change(entry.event as Extract<AuctionEvent, { type: Type }>) } as Entry) // Of this type; wrong on purpose.
        : entry,
    ...caughtBy,
  )

/** A store that changes states, possibly to invalid ones. */
const changingState = (
  bug: string,
  change: (state: AuctionState) => object,
  ...caughtBy: readonly string[]
): StoreMutation =>
  changingEntries(
    bug,
    (entry) => ({ ...entry, state: change(entry.state) }) as Entry, // Wrong on purpose.
    ...caughtBy,
  )

const without = (value: object, ...names: readonly string[]): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))

const inEvents: readonly StoreMutation[] = [
  changingEvent('forgets the maximum of a bid', 'bid-placed', (event) => without(event, 'maximumMinor'), bids, all),
  changingEvent(
    'drops a maximum equal to the amount',
    'bid-placed',
    (event) => (event.maximumMinor === event.amountMinor ? without(event, 'maximumMinor') : event),
    bids,
  ),
  changingEvent('forgets bids made in reply', 'bid-placed', (event) => without(event, 'automatic'), bids, all),
  changingEvent(
    'keeps automatic bidders to 15 digits',
    'bid-placed',
    ({ automatic, ...event }) =>
      automatic ? { ...event, automatic: { ...automatic, bidderId: to15Digits(automatic.bidderId) } } : event,
    bids,
  ),
  changingEvent(
    'keeps automatic amounts in single precision',
    'bid-placed',
    ({ automatic, ...event }) =>
      automatic ? { ...event, automatic: { ...automatic, amountMinor: Math.fround(automatic.amountMinor) } } : event,
    bids,
  ),
  changingEvent(
    'forgets that a bid moves the end',
    'bid-placed',
    (event) => without(event, 'extendedEndMs'),
    bids,
    all,
  ),
  changingEvent(
    'keeps only the seconds of moved ends',
    'bid-placed',
    ({ extendedEndMs, ...event }) =>
      extendedEndMs === undefined ? event : { ...event, extendedEndMs: Math.floor(extendedEndMs / 1000) * 1000 },
    bids,
    all,
  ),
  changingEvent(
    'returns an absent automatic bid as null',
    'bid-placed',
    (event) => ({ ...event, automatic: event.automatic ?? null }),
    bids,
    'stores an entry, and returns it as the head, in a list, by its id and by its key',
  ),
  changingEvent(
    'returns an absent moved end as undefined',
    'bid-placed',
    (event) => ({ ...event, extendedEndMs: event.extendedEndMs }),
    bids,
    'stores an entry, and returns it as the head, in a list, by its id and by its key',
  ),
  changingEvent(
    'stores a raised maximum as a bid',
    'maximum-raised',
    (event) => ({ ...event, type: 'bid-placed' }),
    raised,
    all,
  ),
  changingEvent(
    'keeps the amount of a raised maximum up to the maximum',
    'maximum-raised',
    (event) => ({ ...event, maximumMinor: Math.max(event.maximumMinor, event.amountMinor * 3) }),
    raised,
  ),
  changingEvent(
    'forgets the bid that a raised maximum makes',
    'maximum-raised',
    (event) => without(event, 'automatic'),
    raised,
  ),
  changingEvent('forgets the reason of an end', 'cancelled', (event) => without(event, 'reason'), cancelled),
  changingEvent(
    'treats an empty reason as none',
    'cancelled',
    (event) => (event.reason ? event : without(event, 'reason')),
    cancelled,
  ),
  changingEvent(
    'returns an absent reason as undefined',
    'cancelled',
    (event) => ({ ...event, reason: event.reason }),
    cancelled,
  ),
  changingEvent('forgets that an end is forced', 'cancelled', (event) => without(event, 'isForced'), cancelled),
  changingEvent(
    'drops removed texts',
    'corrected',
    (event) => Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null)),
    corrected,
  ),
  changingEvent(
    'returns absent texts as null',
    'corrected',
    ({ title = null, description = null, ...event }) => ({ ...event, title, description }),
    corrected,
  ),
  changingEvent(
    'keeps 10,000 bytes of a corrected description',
    'corrected',
    ({ description, ...event }) =>
      description == null
        ? { ...event, ...(description === null && { description }) }
        : { ...event, description: Buffer.from(description).subarray(0, 10_000).toString() },
    corrected,
  ),
  changingEvent('forgets the editor of a correction', 'corrected', (event) => ({ ...event, editor: '' }), corrected),
  changingEvent(
    'keeps prices of purchases in single precision',
    'bought',
    (event) => ({ ...event, priceMinor: Math.fround(event.priceMinor) }),
    bought,
  ),
  changingEvent(
    'keeps buyers to 15 digits',
    'bought',
    (event) => ({ ...event, buyerId: to15Digits(event.buyerId) }),
    bought,
  ),
  changingEvent(
    'supports only one reason of unsold auctions',
    'closed',
    (event) =>
      event.result.outcome === 'unsold' ? { ...event, result: { outcome: 'unsold', reason: 'no-bids' } } : event,
    unmet,
    all,
  ),
]

const inStates: readonly StoreMutation[] = [
  changingState(
    'forgets the maximum of a leader',
    (state) => ({ ...state, leader: state.leader && without(state.leader, 'maximumMinor') }),
    bids,
    raised,
    closed,
    all,
  ),
  changingState(
    'keeps maximums in single precision',
    ({ leader, ...state }) => ({
      ...state,
      leader:
        leader?.maximumMinor === undefined
          ? leader
          : { ...leader, maximumMinor: Math.fround(leader.maximumMinor) as AmountMinor }, // Wrong on purpose.
    }),
    bids,
    raised,
    closed,
  ),
  changingState(
    'returns the amount as the absent maximum of a leader',
    ({ leader, ...state }) => ({
      ...state,
      leader: leader && { ...leader, maximumMinor: leader.maximumMinor ?? leader.amountMinor },
    }),
    bids,
    closed,
    unmet,
  ),
  changingState('forgets moved ends', (state) => without(state, 'extendedEndMs'), bids, raised, closed, all),
  changingState(
    'forgets the moved end of an ended auction',
    (state) => (state.phase === 'closed' ? without(state, 'extendedEndMs') : state),
    closed,
    unmet,
    bought,
    cancelled,
    all,
  ),
  changingState(
    'supports only results of sold and unsold auctions',
    (state) => (state.phase === 'closed' && /sold$/.test(state.result.outcome) ? state : { ...state, phase: 'open' }),
    bought,
    cancelled,
  ),
  changingState(
    'forgets the reason in the state',
    (state) => (state.phase === 'closed' ? { ...state, result: without(state.result, 'reason') } : state),
    unmet,
    cancelled,
    all,
  ),
  changingState(
    'forgets corrections after a bid',
    (state) => (state.bidCount > 0 ? without(state, 'corrections') : state),
    corrected,
  ),
  changingState(
    'drops a removed title from the state',
    (state) =>
      state.corrections?.title === null ? { ...state, corrections: without(state.corrections, 'title') } : state,
    corrected,
  ),
  changingState(
    'does not count automatic bids',
    (state) => ({ ...state, bidCount: state.leader === null ? 0 : 1 }),
    bids,
    raised,
    closed,
    all,
  ),
  changingEntries(
    'returns the entry’s id as that of the leading bid',
    (entry) =>
      entry.state.leader === null
        ? entry
        : ({ ...entry, state: { ...entry.state, leader: { ...entry.state.leader, bidId: entry.id } } } as Entry), // As before.
    bids,
    raised,
    all,
  ),
]

export const entryEventMutations: readonly StoreMutation[] = [
  ...inEvents,
  ...inStates,
  replaced(
    'finds an entry by the id of its automatic bid',
    (right) => ({
      findEntries: async (ids) => {
        const found = await right.findEntries(ids)
        const before = await right.findEntries(
          ids.map((id) => Math.max(1, id - 1) as typeof id), // The id before it.
        )
        return [...found, ...before.filter(({ id, event }) => 'automatic' in event && ids.includes(automaticBidId(id)))]
      },
    }),
    all,
  ),
]
