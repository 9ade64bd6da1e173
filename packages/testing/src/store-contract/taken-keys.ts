import type { Entry } from '@auction/domain/store'
import { type EntrySample, sampleEntries, sampleEntry, sampleKey } from '../samples.ts'
import { entryIdsOf, headOf, inOrderOfIds, ledgerOf, range } from './helpers.ts'
import type { Suite } from './suite.ts'

/** An append stores only the entries before the first taken key. */
export function takenKeys(suite: Suite): void {
  refusals(suite)
  prefixes(suite)
  freeKeys(suite)
  absentKeys(suite)
}

function refusals({ test, expect }: Suite): void {
  /** The append stores nothing, and three stored entries of auction 1 stay unchanged. */
  const refuses = (name: string, entries: readonly Entry[]): void =>
    test(name, async ({ store }) => {
      const before = sampleEntries(3).map((entry) => ({ ...entry, requestKey: sampleKey(`key-${entry.sequence}`) }))
      await store.append(before)
      for (const entry of entries) {
        expect(await store.append([entry])).toBe(0)
        expect(await ledgerOf(store, 1)).toStrictEqual(before)
        expect(await headOf(store, 1)).toStrictEqual(before.at(-1))
        if (entry.auctionId !== before[0]?.auctionId) expect(await ledgerOf(store, entry.auctionId)).toStrictEqual([])
        expect(await store.findEntries([entry.id])).toStrictEqual(before.filter(({ id }) => id === entry.id))
      }
    })

  refuses('refuses a taken sequence at the head', [sampleEntry({ id: 9, sequence: 3, amountMinor: 999_00 })])
  refuses('refuses a taken sequence before the head', [sampleEntry({ id: 9, sequence: 1, amountMinor: 999_00 })])
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
  /** The fourth of six entries has a taken key: the store keeps the three before it, but not it and those after it. */
  const storesPrefixBefore = (name: string, conflict: EntrySample): void =>
    test(name, async ({ store }) => {
      const first = sampleEntry({ requestKey: 'first' })
      await store.append([first])
      await store.append([sampleEntry({ id: 2, auctionId: 2, requestKey: 'other' })])
      const right = range(2, 7).map((sequence) =>
        sampleEntry({ id: 10 + sequence, sequence, requestKey: `key-${sequence}` }),
      )
      const before = right.slice(0, 3)
      const behind = right.slice(4)
      const wrong = sampleEntry({ id: 15, sequence: 5, requestKey: 'key-5', ...conflict })
      expect(await store.append([...before, wrong, ...behind])).toBe(3)
      expect(await ledgerOf(store)).toStrictEqual([first, ...before])
      expect(await headOf(store)).toStrictEqual(before.at(-1))
      expect(await store.findEntries(entryIdsOf([15, 16, 17]))).toStrictEqual([])
      expect(await store.findEntriesByKey(['key-5', 'key-6', 'key-7'].map(sampleKey))).toStrictEqual([])
      expect(await store.append(right.slice(3))).toBe(3)
      expect(await ledgerOf(store)).toStrictEqual([first, ...right])
    })

  storesPrefixBefore('stores exactly the entries before a taken sequence', { sequence: 1 })
  storesPrefixBefore('stores exactly the entries before a taken id', { id: 1 })
  storesPrefixBefore('stores exactly the entries before an id of another auction', { id: 2 })
  storesPrefixBefore('stores exactly the entries before a taken request’s key', { requestKey: 'first' })
  storesPrefixBefore('stores exactly the entries before a request’s key of another auction', {
    requestKey: 'other',
  })
  storesPrefixBefore('detects a duplicate sequence within an append', { sequence: 3 })
  storesPrefixBefore('detects a duplicate id within an append', { id: 13 })
  storesPrefixBefore('detects a duplicate request’s key within an append', { requestKey: 'key-3' })
}

function freeKeys({ test, expect }: Suite): void {
  test('stores no key of an entry that it does not store', async ({ store }) => {
    const [a, b, c] = [1, 2, 3]
    await store.append([sampleEntry({ id: 1, auctionId: a, requestKey: 'a' })])
    const refused = [
      sampleEntry({ id: 2, auctionId: a, requestKey: 'b' }), // The sequence is taken.
      sampleEntry({ id: 1, auctionId: b, requestKey: 'c' }), // The id is.
      sampleEntry({ id: 3, auctionId: c, requestKey: 'a' }), // The key is.
    ]
    for (const entry of refused) expect(await store.append([entry])).toBe(0)
    const free = [
      sampleEntry({ id: 2, auctionId: b, requestKey: 'c' }),
      sampleEntry({ id: 3, auctionId: c, requestKey: 'b' }),
    ]
    for (const entry of free) expect(await store.append([entry])).toBe(1)
    expect(inOrderOfIds(await store.findEntriesByKey(['b', 'c'].map(sampleKey)))).toStrictEqual(free)
  })

  test('keeps working after a hundred taken keys', async ({ store }) => {
    const entry = sampleEntry({ requestKey: 'a' })
    await store.append([entry])
    for (let time = 1; time <= 100; time++) expect(await store.append([entry])).toBe(0)
    expect(await store.append([sampleEntry({ id: 2, sequence: 2 })])).toBe(1)
    expect((await ledgerOf(store)).length).toBe(2)
  })
}

function absentKeys({ test, expect }: Suite): void {
  test('does not treat entries without a key as duplicates, in one auction or in many', async ({ store }) => {
    const ledgers = range(1, 3).map((auctionId) => sampleEntries(3, { auctionId, afterId: auctionId * 10 }))
    for (const ledger of ledgers) expect(await store.append(ledger)).toBe(3)
    for (const id of range(1, 3)) {
      expect(await store.append([sampleEntry({ id: 100 + id, sequence: 3 + id })])).toBe(1)
    }
    for (const auctionId of range(201, 216)) {
      expect(await store.append([sampleEntry({ id: auctionId, auctionId })])).toBe(1)
    }
    const atOnce = range(301, 316).map((auctionId) => store.append([sampleEntry({ id: auctionId, auctionId })]))
    expect(await Promise.all(atOnce)).toEqual(range(301, 316).map(() => 1))
    expect((await ledgerOf(store)).length).toBe(6)
  })
}
