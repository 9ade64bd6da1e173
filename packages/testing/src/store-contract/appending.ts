import { type EntrySample, sampleClosed, sampleEntries, sampleEntry } from '../samples.ts'
import { entryIdsOf, headOf, keepingEntries, ledgerOf, range } from './helpers.ts'
import type { Suite } from './suite.ts'

const most = Number.MAX_SAFE_INTEGER

/** Entries are stored in the order given, and every read returns them unchanged. */
export function appending(suite: Suite): void {
  const { test, expect } = suite

  test('stores nothing for an empty append', async ({ store }) => {
    expect(await store.append([])).toBe(0)
    await store.append([sampleEntry()])
    expect(await store.append([])).toBe(0)
    expect(await ledgerOf(store)).toStrictEqual([sampleEntry()])
  })

  const keeps = keepingEntries(suite)
  keeps('stores an entry, and returns it as the head, in a list, by its id and by its key', [
    sampleEntry({ requestKey: 'a' }),
  ])
  const samples: readonly EntrySample[] = [
    { id: 2, auctionId: 1, bidderId: 1, amountMinor: 1, atMs: 0, currency: 'JPY' },
    { id: 5, auctionId: 5, atMs: -1, extendedEndMs: -1 },
    { id: 6, auctionId: 6, atMs: -62_135_596_800_000, extendedEndMs: -62_135_596_799_999 },
    { id: 3, auctionId: 2, bidderId: 2 ** 31, amountMinor: 2 ** 32 + 1, atMs: 2 ** 31, currency: 'KWD' },
    { id: most, auctionId: most, bidderId: most, amountMinor: 1e15 - 1, atMs: 253_402_300_799_999, requestKey: 'a' },
    { id: most - 2, auctionId: most - 2, bidderId: most - 2, amountMinor: 1e15 - 2 },
  ]
  keeps('keeps the smallest and largest numbers of an entry exact', samples.map(sampleEntry))
  keeps('keeps the currency of an entry after ISO 4217 removes it or changes its exponent', [
    sampleEntry({ currency: 'DEM', currencyExponent: 2 }),
    sampleEntry({ id: 2, auctionId: 2, currency: 'USD', currencyExponent: 0, requestKey: 'a' }),
    sampleEntry({ id: 3, auctionId: 3, currency: 'JPY', currencyExponent: 4 }),
  ])
  keeps('keeps the state unchanged, for any event and sequence', [
    { ...sampleEntry(), state: { phase: 'open', bidCount: 0, leader: null, atMs: 0 } },
    {
      ...sampleEntry({ id: 2, auctionId: 2, requestKey: 'a' }),
      state: {
        phase: 'open',
        bidCount: 7,
        leader: sampleEntry({ id: 99, bidderId: 98, sequence: 9 }).state.leader,
        atMs: 5,
      },
    },
    {
      ...sampleEntry({ id: 3, auctionId: 3 }),
      state: {
        phase: 'open',
        bidCount: 2 ** 40,
        leader: sampleEntry({ id: most, bidderId: most }).state.leader,
        atMs: 2 ** 42,
      },
    },
  ])
  results(suite)
}

function results({ test, expect }: Suite): void {
  test('keeps the end of an auction: unsold, and sold after its bids', async ({ store }) => {
    const unsold = sampleClosed({ id: 50, auctionId: 5 })
    expect(await store.append([unsold])).toBe(1)
    expect(await ledgerOf(store, 5)).toStrictEqual([unsold])
    expect(await headOf(store, 5)).toStrictEqual(unsold)

    const sold = sampleClosed({ id: 9, sequence: 4, currency: 'JPY', currencyExponent: 3, atMs: 253_402_300_799_999 })
    expect(await store.append([...sampleEntries(3), sold])).toBe(4)
    expect(await ledgerOf(store)).toStrictEqual([...sampleEntries(3), sold])
    expect(await headOf(store)).toStrictEqual(sold)
    expect(await store.findEntries(entryIdsOf([9]))).toStrictEqual([sold])
  })

  test('returns for every append how many entries are stored, an integer from 0 to their number', async ({ store }) => {
    const first = sampleEntries(3)
    const second = sampleEntries(3, { auctionId: 2, afterId: 10 })
    const partly = [sampleEntry({ id: 4, sequence: 4 }), sampleEntry({ id: 1, sequence: 5 })]
    const appends = [[], first, first, first.slice(2), partly, second, second.slice(1), []]
    for (const entries of appends) {
      const stored = await store.append(entries)
      expect(range(0, entries.length).filter((count) => count === stored)).toEqual([stored])
    }
    const atOnce = await Promise.all(
      range(1, 8).map((id) => store.append([sampleEntry({ id: 100 + id, auctionId: 2, sequence: 4 })])),
    )
    expect(atOnce.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 1])
  })
}
