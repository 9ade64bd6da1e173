import type { Entry } from '../../ledger/entry.ts'
import { type EntrySample, sampleEntries, sampleEntry, sampleKey } from '../samples.ts'
import { auctionsOfOnePartition, entryIdsOf, inOrderOfIds, ledgerOf, range } from './helpers.ts'
import type { Suite } from './suite.ts'

/** An append stores what stands before the first taken key, and nothing else. */
export function takenKeys(suite: Suite): void {
  refusals(suite)
  prefixes(suite)
  freeKeys(suite)
  absentKeys(suite)
}

function refusals({ test, expect }: Suite): void {
  /** With three entries of auction 1 stored, the append stores nothing, and the three stay as they were. */
  const refuses = (name: string, entries: readonly Entry[]): void =>
    test(name, async ({ store }) => {
      const before = sampleEntries(3).map((entry) => ({ ...entry, requestKey: sampleKey(`key-${entry.sequence}`) }))
      await store.append(before)
      for (const entry of entries) {
        expect(await store.append([entry])).toEqual({ stored: 0 })
        expect(await ledgerOf(store, 1)).toStrictEqual(before)
        if (entry.auctionId !== before[0]?.auctionId) expect(await ledgerOf(store, entry.auctionId)).toStrictEqual([])
        expect(await store.findEntries([entry.id])).toStrictEqual(before.filter(({ id }) => id === entry.id))
      }
    })

  refuses('refuses a taken sequence at the head', [sampleEntry({ id: 9, sequence: 3, amountMinor: 999_00 })])
  refuses('refuses a taken sequence behind the head', [sampleEntry({ id: 9, sequence: 1, amountMinor: 999_00 })])
  refuses('refuses a taken id in the same auction', [sampleEntry({ id: 2, sequence: 4 })])
  refuses(
    'refuses a taken id in any other auction',
    range(2, 9).map((auctionId) => sampleEntry({ id: 2, auctionId })),
  )
  refuses('refuses a taken request’s key in the same auction', [
    sampleEntry({ id: 9, sequence: 4, requestKey: 'key-1' }),
    sampleEntry({ id: 9, sequence: 4, requestKey: 'key-3' }),
  ])
  refuses(
    'refuses a taken request’s key in any other auction',
    range(2, 9).map((auctionId) => sampleEntry({ id: 9, auctionId, requestKey: 'key-2' })),
  )
  refuses('refuses an entry that is stored already', [
    sampleEntry({ id: 3, sequence: 3, requestKey: 'key-3' }),
    sampleEntry({ id: 3, sequence: 3 }),
  ])
}

function prefixes({ test, expect }: Suite): void {
  /** Of six entries of three auctions, the fourth conflicts: the three before it are stored, those behind it are not. */
  const storesPrefixBefore = (name: string, conflictOf: (b: number, c: number) => EntrySample): void =>
    test(name, async ({ store }) => {
      const [a, b, c] = auctionsOfOnePartition(store)
      const first = sampleEntry({ id: 1, auctionId: b, requestKey: 'first' })
      await store.append([first])
      const before = [
        sampleEntry({ id: 11, auctionId: a, sequence: 1 }),
        sampleEntry({ id: 12, auctionId: b, sequence: 2, requestKey: 'second' }),
        sampleEntry({ id: 13, auctionId: c, sequence: 1 }),
      ]
      const behind = [
        sampleEntry({ id: 15, auctionId: c, sequence: 2 }),
        sampleEntry({ id: 16, auctionId: a, sequence: 2, requestKey: 'third' }),
      ]
      expect(await store.append([...before, sampleEntry(conflictOf(b, c)), ...behind])).toEqual({ stored: 3 })
      expect(await ledgerOf(store, a)).toStrictEqual(before.slice(0, 1))
      expect(await ledgerOf(store, b)).toStrictEqual([first, ...before.slice(1, 2)])
      expect(await ledgerOf(store, c)).toStrictEqual(before.slice(2, 3))
      expect(await store.findEntries(entryIdsOf([14, 15, 16]))).toStrictEqual([])
      expect(await store.findEntriesByKey([sampleKey('third')])).toStrictEqual([])
      expect(await store.append(behind)).toEqual({ stored: 2 })
    })

  storesPrefixBefore('stores exactly what stands before a taken sequence', (b) => ({ id: 14, auctionId: b }))
  storesPrefixBefore('stores exactly what stands before a taken id', (b) => ({ id: 1, auctionId: b, sequence: 3 }))
  storesPrefixBefore('stores exactly what stands before a taken request’s key', (_, c) => ({
    id: 14,
    auctionId: c,
    sequence: 2,
    requestKey: 'first',
  }))
  storesPrefixBefore('sees that an append takes a sequence twice', (_, c) => ({ id: 14, auctionId: c }))
  storesPrefixBefore('sees that an append takes an id twice', (_, c) => ({ id: 12, auctionId: c, sequence: 2 }))
  storesPrefixBefore('sees that an append takes a request’s key twice', (_, c) => ({
    id: 14,
    auctionId: c,
    sequence: 2,
    requestKey: 'second',
  }))

  test('stores nothing behind a conflict at the beginning, and all before one at the end', async ({ store }) => {
    const [a, b] = auctionsOfOnePartition(store)
    await store.append([sampleEntry({ auctionId: a })])
    const taken = sampleEntry({ id: 2, auctionId: a })
    const others = sampleEntries(3, { auctionId: b, afterId: 10 })
    expect(await store.append([taken, ...others])).toEqual({ stored: 0 })
    expect(await ledgerOf(store, b)).toStrictEqual([])
    expect(await store.append([...others, taken])).toEqual({ stored: 3 })
    expect(await ledgerOf(store, b)).toStrictEqual(others)
  })
}

function freeKeys({ test, expect }: Suite): void {
  test('takes no key for an entry that it does not store', async ({ store }) => {
    const [a, b, c] = auctionsOfOnePartition(store)
    await store.append([sampleEntry({ id: 1, auctionId: a, requestKey: 'a' })])
    const refused = [
      sampleEntry({ id: 2, auctionId: a, requestKey: 'b' }), // The sequence is taken.
      sampleEntry({ id: 1, auctionId: b, requestKey: 'c' }), // The id is.
      sampleEntry({ id: 3, auctionId: c, requestKey: 'a' }), // The key is.
    ]
    for (const entry of refused) expect(await store.append([entry])).toEqual({ stored: 0 })
    const free = [
      sampleEntry({ id: 2, auctionId: b, requestKey: 'c' }),
      sampleEntry({ id: 3, auctionId: c, requestKey: 'b' }),
    ]
    for (const entry of free) expect(await store.append([entry])).toEqual({ stored: 1 })
    expect(inOrderOfIds(await store.findEntriesByKey(['b', 'c'].map(sampleKey)))).toStrictEqual(free)
  })

  test('is none the worse for a hundred taken keys', async ({ store }) => {
    const entry = sampleEntry({ requestKey: 'a' })
    await store.append([entry])
    for (let time = 1; time <= 100; time++) expect(await store.append([entry])).toEqual({ stored: 0 })
    expect(await store.append([sampleEntry({ id: 2, sequence: 2 })])).toEqual({ stored: 1 })
    expect((await ledgerOf(store)).length).toBe(2)
  })
}

function absentKeys({ test, expect }: Suite): void {
  test('does not take entries without a key for twins, in one auction or in many', async ({ store }) => {
    const [a, b, c] = auctionsOfOnePartition(store)
    const entries = [a, b, c].flatMap((auctionId, index) => sampleEntries(3, { auctionId, afterId: index * 10 }))
    expect(await store.append(entries)).toEqual({ stored: 9 })
    for (const id of range(1, 3)) {
      expect(await store.append([sampleEntry({ id: 100 + id, auctionId: a, sequence: 3 + id })])).toEqual({ stored: 1 })
    }
    for (const auctionId of range(201, 216)) {
      expect(await store.append([sampleEntry({ id: auctionId, auctionId })])).toEqual({ stored: 1 })
    }
    expect((await ledgerOf(store, a)).length).toBe(6)
  })
}
