import { requestKeyOf } from '@auction/domain/request-key'
import type { Entry } from '@auction/domain/store'
import { sampleCancelled, sampleEntries, sampleEntry, sampleKey } from '../samples.ts'
import {
  agendaOf,
  auctionIdsOf,
  check,
  creationKey,
  due,
  ended,
  idsOf,
  inBatches,
  inOrderOfIds,
  keyedAuction,
  ledgerOf,
  range,
} from './helpers.ts'
import type { Suite } from './suite.ts'

/** The maximum number of entries, heads, keys or updates in one call of the domain. */
const most = 500

const extendedEndMs = 253_402_300_799_999

/** Entries of the maximum size: each has the reason of a cancellation. */
const longest: readonly Entry[] = range(1, most).map((sequence) => {
  const id = Number.MAX_SAFE_INTEGER - most + sequence
  const bid = { bidderId: Number.MAX_SAFE_INTEGER, amountMinor: 1e15 - 2, maximumMinor: 1e15 - 1 }
  const entry = sampleCancelled({ id, sequence: 2, ...bid, extendedEndMs }, '🏺'.repeat(500))
  const key = `${'~'.repeat(250)}${10_000 + sequence}`
  return { ...entry, sequence, requestKey: requestKeyOf('place-bid', { caller: '🏺'.repeat(100), key }) }
})

/**
 * Where the largest append has a taken key: at the ends of the batches in which a store may write it, and between them.
 */
const takenAt = [1, 100, 101, 256, 333, most - 1]

/** The largest calls of the domain. */
export function sizes({ test, expect }: Suite): void {
  test('stores the largest append, and finds all its entries at once', async ({ store }) => {
    expect(await store.append(longest)).toBe(most)
    expect(inOrderOfIds(await store.findEntries(longest.map(({ id }) => id)))).toStrictEqual(longest)
    const keys = longest.flatMap(({ requestKey }) => requestKey ?? [])
    expect(inOrderOfIds(await store.findEntriesByKey(keys))).toStrictEqual(longest)
  })

  test('stores several of the largest appends at once', async ({ store }) => {
    const ledgers = range(1, 5).map((auctionId) => sampleEntries(most, { auctionId, afterId: auctionId * 1_000 }))
    const appended = await Promise.all(ledgers.map((ledger) => store.append(ledger)))
    expect(appended).toEqual([most, most, most, most, most])
    for (const [index, ledger] of ledgers.entries()) expect(await ledgerOf(store, index + 1)).toStrictEqual(ledger)
  })

  test('stores exactly the entries before a taken key, wherever it is in the largest appends', async ({ store }) => {
    const ledgers = takenAt.map((_, index) =>
      sampleEntries(most + 1, { auctionId: index + 1, afterId: index * 1_000 }).map((entry) => ({
        ...entry,
        requestKey: sampleKey(`key-${entry.id}`),
      })),
    )
    for (const ledger of ledgers) expect(await store.append(ledger.slice(0, 1))).toBe(1)
    const appends = ledgers.map(([first, ...right], index) => {
      const { id, sequence, requestKey } = first ?? sampleEntry()
      const clash = [{ id }, { sequence }, { requestKey }][index % 3]
      return right.map((entry, position) => (position === takenAt[index] ? ({ ...entry, ...clash } as Entry) : entry))
    })
    expect(await Promise.all(appends.map((entries) => store.append(entries)))).toEqual(takenAt)
    for (const [index, ledger] of ledgers.entries()) {
      const stored = 1 + (takenAt[index] ?? 0)
      expect(await ledgerOf(store, index + 1)).toStrictEqual(ledger.slice(0, stored))
      expect(await store.append(ledger.slice(stored))).toBe(ledger.length - stored)
    }
  })

  test('finds the heads of the maximum number of auctions in one call', async ({ store }) => {
    const withEntries = range(1, most / 25).map((index) => index * 25)
    const heads = withEntries.map((id) => sampleEntry({ id, auctionId: id }))
    for (const head of heads) expect(await store.append([head])).toBe(1)
    expect(inOrderOfIds(await store.findHeads(auctionIdsOf(range(1, most))))).toStrictEqual(heads)
  })

  test('lists the largest page of the agenda that the closer reads, and updates it in one call', async ({ store }) => {
    const ids = range(1, most + 1)
    const keyOf = (id: number) => creationKey(`key-${id}`)
    const inserted = await inBatches(ids, (id) => store.insertAuction(keyedAuction({ id }, keyOf(id))))
    expect(new Set(inserted)).toEqual(new Set(['inserted']))
    const found = [
      await store.findAuctions({ ids: auctionIdsOf(ids) }),
      await store.findAuctions({ keys: ids.map(keyOf) }),
    ]
    for (const auctions of found) expect(idsOf(inOrderOfIds(auctions.map(({ auction }) => auction)))).toEqual(ids)
    const { items, next } = await store.listAuctions({ order: 'agenda', limit: 2 * most })
    expect([idsOf(items.map(({ auction }) => auction)), next]).toEqual([ids, undefined])
    await store.updateAgenda(ids.map((id) => (id % 2 === 0 ? ended(id, 5) : due(id, extendedEndMs - id))))
    const odd = ids.filter((id) => id % 2 === 1).toReversed()
    expect(await agendaOf(store)).toEqual(odd.map((id) => [id, extendedEndMs - id]))
    // The checks of a call are the last, wherever they are in it.
    await store.updateAgenda([check(1, 5), ...ids.toReversed().map((id) => due(id, extendedEndMs))])
    expect((await agendaOf(store))[0]).toEqual([1, 5])
  })
}
