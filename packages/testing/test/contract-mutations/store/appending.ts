import { type AuctionState, type BidPlaced, evolve, initialState } from '@auction/domain/auction'
import type { AmountMinor } from '@auction/domain/money'
import type { Entry } from '@auction/domain/store'
import { sampleEntry } from '../../../src/samples.ts'
import { changingEntries, replaced, type StoreMutation, saying } from '../planted.ts'
import { asToday, to15Digits } from '../prove-contract.ts'

const one = 'stores an entry, and returns it as the head, in a list, by its id and by its key'
const hundreds = 'stores 500 entries in one append'
const exact = 'keeps the smallest and largest numbers of an entry exact'
const oldCurrency = 'keeps the currency of an entry after ISO 4217 removes it or changes its exponent'
const states = 'keeps the state unchanged, for any event and sequence'
const closed = 'keeps the end of an auction: unsold, and sold after its bids'
const keyOrNone = 'keeps the request’s key of an entry, and its absence'
const counts = 'returns for every append how many entries are stored, an integer from 0 to their number'

const appending: readonly StoreMutation[] = [
  replaced('forgets entries', () => ({ append: async ({ length }) => length }), one),
  replaced(
    'loses the last entry of an append',
    (right) => ({ append: async (entries) => (await right.append(entries.slice(0, -1))) + 1 }),
    one,
    closed,
  ),
  replaced(
    'throws for an empty append',
    (right) => ({
      append: async (entries) => {
        if (entries.length === 0) throw new RangeError('nothing to insert')
        return right.append(entries)
      },
    }),
    'stores nothing for an empty append',
  ),
  replaced(
    'stores at most 100 entries',
    (right) => ({ append: (entries) => right.append(entries.slice(0, 100)) }),
    hundreds,
  ),
  saying('returns undefined for a taken key', (stored, { length }) => (stored === length ? stored : undefined), counts),
  saying('says undefined of what it stored', () => undefined, counts, one),
  saying('says NaN of an empty append', (stored, { length }) => (stored / length) * length, counts),
  saying('says -1 where nothing is stored', (stored) => stored || -1, counts),
  saying(
    'returns which part of an append is stored',
    (stored, { length }) => (length === 0 ? 0 : stored / length),
    counts,
  ),
  saying('says more than it was given', (stored, { length }) => (stored < length ? length + 1 : stored), counts),
  saying('says a text', (stored) => `${stored}`, counts),
]

const withState = (entry: Entry, state: Partial<AuctionState>) =>
  ({ ...entry, state: { ...entry.state, ...state } }) as Entry // The fields fit its phase.

const fields: readonly StoreMutation[] = [
  changingEntries(
    'keeps amounts in single precision',
    (entry) =>
      entry.event.type === 'bid-placed'
        ? { ...entry, event: { ...entry.event, amountMinor: Math.fround(entry.event.amountMinor) as AmountMinor } } // Wrong on purpose.
        : entry,
    exact,
  ),
  changingEntries(
    'keeps bidders to 15 digits',
    (entry) =>
      entry.event.type === 'bid-placed'
        ? { ...entry, event: { ...entry.event, bidderId: to15Digits(entry.event.bidderId) as BidPlaced['bidderId'] } } // Wrong on purpose.
        : entry,
    exact,
  ),
  changingEntries(
    'keeps only the seconds of entries',
    (entry) => ({ ...entry, atMs: Math.floor(entry.atMs / 1000) * 1000 }),
    one,
    exact,
  ),
  changingEntries(
    'supports only one currency of entries',
    (entry) => ({ ...entry, currency: sampleEntry().currency }),
    exact,
    oldCurrency,
  ),
  changingEntries(
    'takes the decimals of entries from the current table',
    (entry) => ({ ...entry, currency: asToday(entry.currency) }),
    oldCurrency,
  ),
  changingEntries(
    'recomputes the state from the event',
    (entry) => ({ ...entry, state: evolve(initialState, entry) }),
    states,
    closed,
  ),
  changingEntries(
    'uses the sequence as the number of bids',
    (entry) => withState(entry, { bidCount: entry.sequence }),
    states,
    closed,
  ),
  changingEntries(
    'uses the time of the entry as that of the state',
    (entry) => withState(entry, { atMs: entry.atMs }),
    states,
  ),
  changingEntries(
    'keeps numbers of bids in 32 bits',
    (entry) => withState(entry, { bidCount: entry.state.bidCount | 0 }),
    states,
  ),
  changingEntries(
    'does not support unsold results',
    (entry) =>
      entry.state.phase === 'closed' && entry.state.leader === null ? withState(entry, { phase: 'open' }) : entry,
    closed,
  ),
  changingEntries(
    'drops the result of the event, which is also in the state',
    (entry) => (entry.event.type === 'closed' ? ({ ...entry, event: { type: 'closed' } } as Entry) : entry), // The missing result is the bug.
    closed,
  ),
  changingEntries(
    'drops the leader of a closed auction',
    (entry) => (entry.state.phase === 'closed' ? withState(entry, { leader: null }) : entry),
    closed,
  ),
  changingEntries('drops keys', ({ requestKey: _, ...entry }) => entry, one, keyOrNone),
  changingEntries(
    'returns an absent key as undefined',
    // The cast: exact optional properties forbid the bug.
    (entry) => ({ ...entry, requestKey: entry.requestKey }) as Entry,
    keyOrNone,
  ),
  changingEntries('keeps no time before 1970', (entry) => ({ ...entry, atMs: Math.max(0, entry.atMs) }), exact),
  changingEntries(
    'keeps no moved end before 1970',
    (entry) =>
      entry.state.extendedEndMs === undefined
        ? entry
        : withState(entry, { extendedEndMs: Math.max(0, entry.state.extendedEndMs) }),
    exact,
  ),
]

export const appendingMutations: readonly StoreMutation[] = [...appending, ...fields]
