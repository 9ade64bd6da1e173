import type { AuctionEvent, AuctionState } from '@auction/domain/auction'
import { automaticBidId } from '@auction/domain/ids'
import type { AmountMinor } from '@auction/domain/money'
import type { Entry } from '@auction/domain/store'
import { type Plant, type StoreMutation, wrongCall, wrongEntries } from '../planted.ts'
import { type CaughtBy, to15Digits } from '../prove-contract.ts'

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
export const changingEvent = <Type extends AuctionEvent['type']>(
  bug: string,
  caughtBy: CaughtBy,
  type: Type,
  change: (event: Extract<AuctionEvent, { type: Type }>) => object,
): StoreMutation =>
  wrongEntries(bug, caughtBy, (entry) =>
    entry.event.type === type
      ? ({ ...entry, event: change(entry.event as Extract<AuctionEvent, { type: Type }>) } as Entry) // Of this type; wrong on purpose.
      : entry,
  )

/** A store that changes states, possibly to invalid ones. */
export const changingState: Plant<(state: AuctionState) => object> = (bug, caughtBy, change) =>
  wrongEntries(
    bug,
    caughtBy,
    (entry) => ({ ...entry, state: change(entry.state) }) as Entry, // Wrong on purpose.
  )

export const without = (value: object, ...names: readonly string[]): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))

const inEvents: readonly StoreMutation[] = [
  changingEvent('forgets the maximum of a bid', [bids, all], 'bid-placed', (event) => without(event, 'maximumMinor')),
  changingEvent('drops a maximum equal to the amount', bids, 'bid-placed', (event) =>
    event.maximumMinor === event.amountMinor ? without(event, 'maximumMinor') : event,
  ),
  changingEvent('forgets bids made in reply', [bids, all], 'bid-placed', (event) => without(event, 'automatic')),
  changingEvent('keeps automatic bidders to 15 digits', bids, 'bid-placed', ({ automatic, ...event }) =>
    automatic ? { ...event, automatic: { ...automatic, bidderId: to15Digits(automatic.bidderId) } } : event,
  ),
  changingEvent('keeps automatic amounts in single precision', bids, 'bid-placed', ({ automatic, ...event }) =>
    automatic ? { ...event, automatic: { ...automatic, amountMinor: Math.fround(automatic.amountMinor) } } : event,
  ),
  changingEvent('forgets that a bid moves the end', [bids, all], 'bid-placed', (event) =>
    without(event, 'extendedEndMs'),
  ),
  changingEvent('keeps only the seconds of moved ends', [bids, all], 'bid-placed', ({ extendedEndMs, ...event }) =>
    extendedEndMs === undefined ? event : { ...event, extendedEndMs: Math.floor(extendedEndMs / 1000) * 1000 },
  ),
  changingEvent(
    'returns an absent automatic bid as null',
    [bids, 'stores an entry, and returns it as the head, in a list, by its id and by its key'],
    'bid-placed',
    (event) => ({ ...event, automatic: event.automatic ?? null }),
  ),
  changingEvent(
    'returns an absent moved end as undefined',
    [bids, 'stores an entry, and returns it as the head, in a list, by its id and by its key'],
    'bid-placed',
    (event) => ({ ...event, extendedEndMs: event.extendedEndMs }),
  ),
  changingEvent('stores a raised maximum as a bid', [raised, all], 'maximum-raised', (event) => ({
    ...event,
    type: 'bid-placed',
  })),
  changingEvent('keeps the amount of a raised maximum up to the maximum', raised, 'maximum-raised', (event) => ({
    ...event,
    maximumMinor: Math.max(event.maximumMinor, event.amountMinor * 3),
  })),
  changingEvent('forgets the bid that a raised maximum makes', raised, 'maximum-raised', (event) =>
    without(event, 'automatic'),
  ),
  changingEvent('forgets the reason of an end', cancelled, 'cancelled', (event) => without(event, 'reason')),
  changingEvent('treats an empty reason as none', cancelled, 'cancelled', (event) =>
    event.reason ? event : without(event, 'reason'),
  ),
  changingEvent('returns an absent reason as undefined', cancelled, 'cancelled', (event) => ({
    ...event,
    reason: event.reason,
  })),
  changingEvent('forgets that an end is forced', cancelled, 'cancelled', (event) => without(event, 'isForced')),
  changingEvent('drops removed texts', corrected, 'corrected', (event) =>
    Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null)),
  ),
  changingEvent(
    'returns absent texts as null',
    corrected,
    'corrected',
    ({ title = null, description = null, ...event }) => ({ ...event, title, description }),
  ),
  changingEvent('keeps 10,000 bytes of a corrected description', corrected, 'corrected', ({ description, ...event }) =>
    description == null
      ? { ...event, ...(description === null && { description }) }
      : { ...event, description: Buffer.from(description).subarray(0, 10_000).toString() },
  ),
  changingEvent('forgets the editor of a correction', corrected, 'corrected', (event) => ({ ...event, editor: '' })),
  changingEvent('keeps prices of purchases in single precision', bought, 'bought', (event) => ({
    ...event,
    priceMinor: Math.fround(event.priceMinor),
  })),
  changingEvent('keeps buyers to 15 digits', bought, 'bought', (event) => ({
    ...event,
    buyerId: to15Digits(event.buyerId),
  })),
  changingEvent('supports only one reason of unsold auctions', [unmet, all], 'closed', (event) =>
    event.result.outcome === 'unsold' ? { ...event, result: { outcome: 'unsold', reason: 'no-bids' } } : event,
  ),
]

const inStates: readonly StoreMutation[] = [
  changingState('forgets the maximum of a leader', [bids, raised, closed, all], (state) => ({
    ...state,
    leader: state.leader && without(state.leader, 'maximumMinor'),
  })),
  changingState('keeps maximums in single precision', [bids, raised, closed], ({ leader, ...state }) => ({
    ...state,
    leader:
      leader?.maximumMinor === undefined
        ? leader
        : { ...leader, maximumMinor: Math.fround(leader.maximumMinor) as AmountMinor }, // Wrong on purpose.
  })),
  changingState(
    'returns the amount as the absent maximum of a leader',
    [bids, closed, unmet],
    ({ leader, ...state }) => ({
      ...state,
      leader: leader && { ...leader, maximumMinor: leader.maximumMinor ?? leader.amountMinor },
    }),
  ),
  changingState('forgets moved ends', [bids, raised, closed, all], (state) => without(state, 'extendedEndMs')),
  changingState('forgets the moved end of an ended auction', [closed, unmet, bought, cancelled, all], (state) =>
    state.phase === 'closed' ? without(state, 'extendedEndMs') : state,
  ),
  changingState('supports only results of sold and unsold auctions', [bought, cancelled], (state) =>
    state.phase === 'closed' && /sold$/.test(state.result.outcome) ? state : { ...state, phase: 'open' },
  ),
  changingState('forgets the reason in the state', [unmet, cancelled, all], (state) =>
    state.phase === 'closed' ? { ...state, result: without(state.result, 'reason') } : state,
  ),
  changingState('forgets corrections after a bid', corrected, (state) =>
    state.bidCount > 0 ? without(state, 'corrections') : state,
  ),
  changingState('drops a removed title from the state', corrected, (state) =>
    state.corrections?.title === null ? { ...state, corrections: without(state.corrections, 'title') } : state,
  ),
  changingState('does not count automatic bids', [bids, raised, closed, all], (state) => ({
    ...state,
    bidCount: state.leader === null ? 0 : 1,
  })),
  wrongEntries(
    'returns the entry’s id as that of the leading bid',
    [bids, raised, all],
    (entry) =>
      entry.state.leader === null
        ? entry
        : ({ ...entry, state: { ...entry.state, leader: { ...entry.state.leader, bidId: entry.id } } } as Entry), // As before.
  ),
]

export const entryEventMutations: readonly StoreMutation[] = [
  ...inEvents,
  ...inStates,
  wrongCall('finds an entry by the id of its automatic bid', all, 'findEntries', async (right, ids) => {
    const found = await right.findEntries(ids)
    const before = await right.findEntries(
      ids.map((id) => Math.max(1, id - 1) as typeof id), // The id before it.
    )
    return [...found, ...before.filter(({ id, event }) => 'automatic' in event && ids.includes(automaticBidId(id)))]
  }),
]
