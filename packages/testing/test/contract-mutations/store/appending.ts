import { type AuctionState, type BidPlaced, evolve, initialState } from '@auction/domain/auction'
import type { AmountMinor } from '@auction/domain/money'
import type { Entry } from '@auction/domain/store'
import { sampleEntry } from '../../../src/samples.ts'
import { type StoreMutation, wrongCall, wrongCalls, wrongCount, wrongEntries } from '../planted.ts'
import { asToday, to15Digits } from '../prove-contract.ts'

const one = 'stores an entry, and returns it as the head, in a list, by its id and by its key'
const hundreds = 'stores the largest append, and finds all its entries at once'
const exact = 'keeps the smallest and largest numbers of an entry exact'
const oldCurrency = 'keeps the currency of an entry after ISO 4217 removes it or changes its exponent'
const states = 'keeps the state unchanged, for any event and sequence'
const closed = 'keeps the end of an auction: unsold, and sold after its bids'
const counts = 'returns for every append how many entries are stored, an integer from 0 to their number'

const appending: readonly StoreMutation[] = [
  wrongCalls('forgets entries', one, () => ({ append: async ({ length }) => length })),
  wrongCall(
    'loses the last entry of an append',
    [one, closed],
    'append',
    async (right, entries) => (await right.append(entries.slice(0, -1))) + 1,
  ),
  wrongCall('throws for an empty append', 'stores nothing for an empty append', 'append', async (right, entries) => {
    if (entries.length === 0) throw new RangeError('nothing to insert')
    return right.append(entries)
  }),
  wrongCall('stores at most 100 entries', hundreds, 'append', (right, entries) => right.append(entries.slice(0, 100))),
  wrongCount('returns undefined for a taken key', counts, (stored, { length }) =>
    stored === length ? stored : undefined,
  ),
  wrongCount('says undefined of what it stored', [counts, one], () => undefined),
  wrongCount('says NaN of an empty append', counts, (stored, { length }) => (stored / length) * length),
  wrongCount('says -1 where nothing is stored', counts, (stored) => stored || -1),
  wrongCount('returns which part of an append is stored', counts, (stored, { length }) =>
    length === 0 ? 0 : stored / length,
  ),
  wrongCount('says more than it was given', counts, (stored, { length }) => (stored < length ? length + 1 : stored)),
  wrongCount('says a text', counts, (stored) => `${stored}`),
]

const withState = (entry: Entry, state: Partial<AuctionState>) =>
  ({ ...entry, state: { ...entry.state, ...state } }) as Entry // The fields fit its phase.

const fields: readonly StoreMutation[] = [
  wrongEntries('keeps amounts in single precision', exact, (entry) =>
    entry.event.type === 'bid-placed'
      ? { ...entry, event: { ...entry.event, amountMinor: Math.fround(entry.event.amountMinor) as AmountMinor } } // Wrong on purpose.
      : entry,
  ),
  wrongEntries('keeps bidders to 15 digits', exact, (entry) =>
    entry.event.type === 'bid-placed'
      ? { ...entry, event: { ...entry.event, bidderId: to15Digits(entry.event.bidderId) as BidPlaced['bidderId'] } } // Wrong on purpose.
      : entry,
  ),
  wrongEntries('keeps only the seconds of entries', [one, exact], (entry) => ({
    ...entry,
    atMs: Math.floor(entry.atMs / 1000) * 1000,
  })),
  wrongEntries('supports only one currency of entries', [exact, oldCurrency], (entry) => ({
    ...entry,
    currency: sampleEntry().currency,
  })),
  wrongEntries('takes the decimals of entries from the current table', oldCurrency, (entry) => ({
    ...entry,
    currency: asToday(entry.currency),
  })),
  wrongEntries('recomputes the state from the event', [states, closed], (entry) => ({
    ...entry,
    state: evolve(initialState, entry),
  })),
  wrongEntries('uses the sequence as the number of bids', [states, closed], (entry) =>
    withState(entry, { bidCount: entry.sequence }),
  ),
  wrongEntries('uses the time of the entry as that of the state', states, (entry) =>
    withState(entry, { atMs: entry.atMs }),
  ),
  wrongEntries('keeps numbers of bids in 32 bits', states, (entry) =>
    withState(entry, { bidCount: entry.state.bidCount | 0 }),
  ),
  wrongEntries('does not support unsold results', closed, (entry) =>
    entry.state.phase === 'closed' && entry.state.leader === null ? withState(entry, { phase: 'open' }) : entry,
  ),
  wrongEntries(
    'drops the result of the event, which is also in the state',
    closed,
    (entry) => (entry.event.type === 'closed' ? ({ ...entry, event: { type: 'closed' } } as Entry) : entry), // The missing result is the bug.
  ),
  wrongEntries('drops the leader of a closed auction', closed, (entry) =>
    entry.state.phase === 'closed' ? withState(entry, { leader: null }) : entry,
  ),
  wrongEntries('drops keys', one, ({ requestKey: _, ...entry }) => entry),
  wrongEntries(
    'returns an absent key as undefined',
    states,
    // The cast: exact optional properties forbid the bug.
    (entry) => ({ ...entry, requestKey: entry.requestKey }) as Entry,
  ),
  wrongEntries('keeps no time before 1970', exact, (entry) => ({ ...entry, atMs: Math.max(0, entry.atMs) })),
  wrongEntries('keeps no moved end before 1970', exact, (entry) =>
    entry.state.extendedEndMs === undefined
      ? entry
      : withState(entry, { extendedEndMs: Math.max(0, entry.state.extendedEndMs) }),
  ),
]

export const appendingMutations: readonly StoreMutation[] = [...appending, ...fields]
