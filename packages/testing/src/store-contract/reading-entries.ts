import { sampleEntries, sampleEntry, sampleKey } from '../samples.ts'
import { auctionIdOf, auctionIdsOf, entryIdsOf, headOf, inOrderOfIds, ledgerOf, range } from './helpers.ts'
import type { Suite } from './suite.ts'

/** Heads of auctions, and entries by their ids and by the keys of their requests. */
export function readingEntries(suite: Suite): void {
  findingEntries(suite)
  findingHeads(suite)
}

function findingEntries({ test, expect }: Suite): void {
  test('finds nothing for an empty query', async ({ store }) => {
    await store.append([sampleEntry({ requestKey: 'a' })])
    await store.append([sampleEntry({ id: 2, auctionId: 2 })])
    expect(await store.findHeads([])).toStrictEqual([])
    expect(await store.findEntries([])).toStrictEqual([])
    expect(await store.findEntriesByKey([])).toStrictEqual([])
  })

  test('finds the stored entries of many ids', async ({ store }) => {
    const second = sampleEntries(20, { auctionId: 2, afterId: 100 })
    await store.append(sampleEntries(20))
    await store.append(second)
    const entries = await store.findEntries(entryIdsOf([999, 3, 120, 500, 20, 101, 77]))
    expect(inOrderOfIds(entries)).toStrictEqual([
      ...sampleEntries(20).filter(({ id }) => id === 3 || id === 20),
      ...second.filter(({ id }) => id === 101 || id === 120),
    ])
  })

  test('finds the stored entries of many keys', async ({ store }) => {
    const keyed = range(1, 20).map((id) =>
      sampleEntry({ id, auctionId: 1 + (id % 3), sequence: Math.ceil(id / 3), requestKey: `key-${id}` }),
    )
    for (const auctionId of range(1, 3)) {
      const ledger = keyed.filter((entry) => entry.auctionId === auctionId)
      await store.append(ledger.map((entry, index) => ({ ...entry, sequence: index + 1 })))
    }
    await store.append(sampleEntries(5, { auctionId: 4, afterId: 100 }))
    const entries = await store.findEntriesByKey(['key-3', 'key-99', 'key-20', 'KEY-1', 'key', 'key-11'].map(sampleKey))
    expect(entries.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual([3, 11, 20])
    expect(entries.map(({ requestKey }) => requestKey).toSorted()).toEqual(['key-11', 'key-20', 'key-3'].map(sampleKey))
  })

  test('finds entries in the auctions that a query names', async ({ store }) => {
    const entries = range(1, 4).map((id) => sampleEntry({ id, auctionId: id, requestKey: `key-${id}` }))
    for (const entry of entries) await store.append([entry])
    const lookup = { auctionIds: auctionIdsOf([1, 3, 4]) }
    const named = entries.filter(({ id }) => id !== 2)
    expect(inOrderOfIds(await store.findEntries(entryIdsOf([4, 3, 1, 99]), lookup))).toStrictEqual(named)
    const keys = ['key-3', 'key-1', 'key-99', 'key-4'].map(sampleKey)
    expect(inOrderOfIds(await store.findEntriesByKey(keys, lookup))).toStrictEqual(named)
  })

  test('finds the entry that has taken a key from another auction', async ({ store }) => {
    const entry = sampleEntry({ requestKey: 'a' })
    await store.append([entry])
    expect(await store.append([sampleEntry({ id: 2, auctionId: 2, requestKey: 'a' })])).toBe(0)
    const lookup = { auctionIds: auctionIdsOf([2]) }
    expect(await store.findEntriesByKey([sampleKey('a')], lookup)).toStrictEqual([entry])
  })
}

function findingHeads({ test, expect }: Suite): void {
  test('finds the heads of many auctions at once, if they have entries', async ({ store }) => {
    const ledgers = range(1, 105).map((auctionId) =>
      sampleEntries(1 + (auctionId % 3), { auctionId, afterId: auctionId * 10 }),
    )
    for (const ledger of ledgers) expect(await store.append(ledger)).toBe(ledger.length)
    const heads = ledgers.flatMap((ledger) => ledger.slice(-1))
    expect(inOrderOfIds(await store.findHeads(auctionIdsOf(range(1, 105))))).toStrictEqual(heads)
    const mixed = await store.findHeads(auctionIdsOf([500, 105, 7, 1_000, 1]))
    expect(inOrderOfIds(mixed)).toStrictEqual([0, 6, 104].flatMap((index) => heads.slice(index, index + 1)))
    expect(await store.findHeads(auctionIdsOf(range(500, 510)))).toStrictEqual([])
  })

  test('returns the entry of the highest sequence as the head, by number, regardless of ids, amounts and times', async ({
    store,
  }) => {
    for (const sequence of range(1, 12)) {
      const entry = sampleEntry({ id: 50 - sequence, sequence, amountMinor: 1_000 - sequence, atMs: 7 })
      await store.append([entry])
      expect(await store.findHeads([auctionIdOf(1)])).toStrictEqual([entry])
    }
  })

  test('keeps the ledgers of auctions separate', async ({ store }) => {
    const auctionIds = [1, 2, 11, 21, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1]
    const ledgers = auctionIds.map((auctionId, index) => sampleEntries(index + 1, { auctionId, afterId: index * 100 }))
    for (const ledger of ledgers) await store.append(ledger)
    for (const [index, auctionId] of auctionIds.entries()) {
      expect(await ledgerOf(store, auctionId)).toStrictEqual(ledgers[index])
      expect(await headOf(store, auctionId)).toStrictEqual(ledgers[index]?.at(-1))
    }
  })

  test('returns an entry that a query names twice once or twice', async ({ store }) => {
    const entries = range(1, 2).map((id) => sampleEntry({ id, auctionId: id, requestKey: `key-${id}` }))
    for (const entry of entries) await store.append([entry])
    // Two waiting requests with one key name it twice.
    const keys = ['key-1', 'key-2', 'key-1'].map(sampleKey)
    const results = [
      await store.findEntriesByKey(keys),
      await store.findEntries(entryIdsOf([1, 2, 1])),
      await store.findHeads(auctionIdsOf([1, 2, 1])),
    ]
    for (const result of results) {
      expect(inOrderOfIds([...new Map(result.map((entry) => [entry.id, entry])).values()])).toStrictEqual(entries)
    }
  })
}
