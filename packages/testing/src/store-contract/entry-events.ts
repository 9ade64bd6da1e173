import type { Entry } from '@auction/domain/store'
import {
  type EntrySample,
  sampleAdmission,
  sampleBought,
  sampleCancelled,
  sampleClosed,
  sampleCorrected,
  sampleEntry,
  sampleMaximumRaised,
  samplePurchased,
  sampleSealedLedger,
  strangeTexts,
} from '../samples.ts'
import { auctionIdOf, entryIdsOf, headOf, keepingEntries, ledgerOf } from './helpers.ts'
import type { Suite } from './suite.ts'

const most = Number.MAX_SAFE_INTEGER
const extendedEndMs = Date.parse('2030-02-07T12:05:00.250Z')
const automatic = { bidderId: 3, amountMinor: 105_00 }

/** The optional fields of a bid: none, each alone, all, and the largest values. */
const bids: readonly EntrySample[] = [
  {},
  { maximumMinor: 300_00 },
  { maximumMinor: 100_00 },
  { maximumMinor: 1e15 - 1, bidderId: most },
  { automatic },
  { extendedEndMs },
  { admission: { registerSequence: most, limitMinor: 1e15 - 1, paddle: '№ 1.2' } },
  { admission: { registerSequence: 0, byClaim: true } },
  { maximumMinor: 300_00, automatic: { bidderId: 2, amountMinor: 250_00 }, extendedEndMs, requestKey: 'all' },
  {
    bidderId: most - 1,
    maximumMinor: 1e15 - 1,
    automatic: { bidderId: most, amountMinor: 1e15 - 2 },
    extendedEndMs: 253_402_300_799_999,
  },
]

/** Each entry has a separate auction and two ids. */
const apart = <Made extends Entry>(make: (sample: EntrySample) => Made, samples: readonly EntrySample[]) =>
  samples.map((sample, index) => make({ id: 2 * index + 1, auctionId: index + 1, ...sample }))

/** A bid on a corrected auction. For a store, any entry may be the first of its auction. */
function afterCorrection(sample: EntrySample): Entry {
  const { corrections } = sampleCorrected({ id: 7, sequence: 2 }, { description: 'Four drawers.' }).state
  const bid = sampleEntry(sample)
  return { ...bid, state: { ...bid.state, ...(corrections && { corrections }) } }
}

/** Entries of all events are kept exactly: absent fields stay absent, and values stay exact. */
export function entryEvents(suite: Suite): void {
  const { test, expect } = suite
  const keeps = keepingEntries(suite)

  keeps(
    'keeps the maximum, the automatic bid and the moved end of a bid, each alone and together',
    apart(sampleEntry, bids),
  )
  keeps(
    'keeps a raised maximum',
    // For a store, any entry may be the first of its auction.
    apart((sample) => ({ ...sampleMaximumRaised({ ...sample, sequence: 2 }), sequence: 1 }), bids),
  )
  keeps('keeps the leader’s maximum and the moved end in the state of an ended auction', [
    ...apart((sample) => ({ ...sampleClosed({ ...sample, sequence: 2 }), sequence: 1 }), bids),
  ])
  keeps('keeps the end of an auction whose reserve was not met', [
    { ...sampleClosed({ sequence: 3 }, { reserveMet: false }), sequence: 1 },
    { ...sampleClosed({ id: 2, auctionId: 2, sequence: 2, extendedEndMs }, { reserveMet: false }), sequence: 1 },
  ])
  keeps('keeps the end of an auction that was bought', [
    sampleBought(),
    sampleBought({ id: most - 1, auctionId: most, bidderId: most, amountMinor: 1e15 - 1, requestKey: 'bought' }),
    // An auction below its reserve may have bids.
    { ...sampleBought({ id: 5, auctionId: 3, sequence: 2, maximumMinor: 300_00, extendedEndMs }), sequence: 1 },
  ])
  keeps('keeps a purchase at a falling price, with its format and its version', [
    samplePurchased(),
    samplePurchased({ id: most - 1, auctionId: most, bidderId: most, amountMinor: 1e15 - 1, requestKey: 'purchased' }),
  ])
  admissions(keeps)
  keeps('keeps the end of an auction that was cancelled, with its reason or without one', [
    sampleCancelled(),
    { ...sampleCancelled({ id: 3, auctionId: 2, sequence: 3, extendedEndMs, requestKey: 'over' }), sequence: 1 },
    ...['', ...strangeTexts, '🏺'.repeat(200)].map((reason, index) =>
      sampleCancelled({ id: 10 + index, auctionId: 10 + index }, reason),
    ),
    sampleCancelled({ id: 100, auctionId: 100 }, 'A fake.', { isForced: true }),
  ])
  keeps('keeps corrected and removed texts, in the event and in the state of later entries', [
    sampleCorrected(),
    sampleCorrected({ id: most - 1, auctionId: most, requestKey: 'corrected' }, { title: null, description: null }),
    sampleCorrected({ id: 3, auctionId: 2 }, { description: '🏺'.repeat(10_000) }),
    ...strangeTexts.map((text, index) =>
      sampleCorrected({ id: 10 + index, auctionId: 10 + index }, { title: text, description: text }),
    ),
    afterCorrection({ id: 100, auctionId: 100 }),
    afterCorrection({ id: 101, auctionId: 101, maximumMinor: 300_00, extendedEndMs }),
  ])

  test('keeps sealed bids, withdrawals by bidders, and their result with the sequences that everyone may see', async ({
    store,
  }) => {
    const ledgers = [{}, { id: most - 4, auctionId: most, bidderId: most - 1, requestKey: 'sealed' }]
    for (const ledger of ledgers.map(sampleSealedLedger)) {
      const [{ auctionId } = {}, last] = [ledger[0], ledger.at(-1)]
      expect(await store.append(ledger)).toBe(4)
      expect(await ledgerOf(store, auctionId)).toStrictEqual(ledger)
      expect(await headOf(store, auctionId)).toStrictEqual(last)
    }
  })

  test('lists entries of all events in one ledger, and finds each by its id, and none by the id of an automatic bid', async ({
    store,
  }) => {
    const entries: readonly Entry[] = [
      sampleEntry({ id: 1, maximumMinor: 300_00 }),
      sampleEntry({ id: 3, sequence: 2, bidderId: 3, automatic: { bidderId: 2, amountMinor: 110_00 }, extendedEndMs }),
      sampleMaximumRaised({ id: 5, sequence: 3, maximumMinor: 400_00, extendedEndMs }),
      sampleClosed({ id: 7, sequence: 4, extendedEndMs }, { reserveMet: false }),
    ]
    expect(await store.append(entries)).toBe(4)
    expect(await ledgerOf(store)).toStrictEqual(entries)
    expect(await headOf(store)).toStrictEqual(entries.at(-1))
    for (const entry of entries) expect(await store.findEntries([entry.id])).toStrictEqual([entry])
    expect(await store.findEntries(entryIdsOf([2, 4, 6]))).toStrictEqual([])
    expect(await store.listEntries(auctionIdOf(1), { limit: 1, before: 3 })).toStrictEqual(entries.slice(1, 2))
  })
}

function admissions(keeps: ReturnType<typeof keepingEntries>): void {
  keeps(
    'keeps how a register admitted the buyer, and the bidder of a sealed bid',
    [
      sampleBought({ auctionId: 1 }),
      samplePurchased({ id: 2, auctionId: 2 }),
      ...sampleSealedLedger({ id: 3 }).slice(0, 1),
    ].map((entry, index) => ({
      ...entry,
      auctionId: auctionIdOf(index + 1),
      event: { ...entry.event, admission: sampleAdmission({ registerSequence: 7, paddle: '12' }) },
    })),
  )
}
