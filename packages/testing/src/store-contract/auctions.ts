import { sampleAuction } from '../samples.ts'
import {
  auctionIdOf,
  auctionIdsOf,
  creationKey,
  idsOf,
  inOrderOfIds,
  keyedAuction,
  listed,
  orders,
  range,
  withoutDescription,
} from './helpers.ts'
import type { Suite } from './suite.ts'

/** Auctions are inserted once, and found by their ids and by the keys of the requests that made them. */
export function auctions({ test, expect }: Suite): void {
  test('stores an auction, finds it, and lists it without its description', async ({ store }) => {
    const sample = { title: 'A vase', description: 'It is old.' }
    expect(await store.insertAuction(sampleAuction(sample))).toBe('inserted')
    expect(await store.findAuction(auctionIdOf(1))).toStrictEqual(sampleAuction(sample))
    const expected = [withoutDescription(sampleAuction(sample))]
    expect(await listed(store)).toStrictEqual(expected)
    expect(await listed(store, { order: 'agenda' })).toStrictEqual(expected)
  })

  test('does not find an auction that was not inserted', async ({ store }) => {
    expect(await store.findAuction(auctionIdOf(1))).toBe(undefined)
    expect(await store.findAuctionByKey(creationKey('a'))).toBe(undefined)
    for (const order of orders) {
      expect(await store.listAuctions({ order, limit: 10 })).toStrictEqual({ items: [], next: undefined })
    }
    await store.insertAuction(keyedAuction({ id: 11 }, creationKey('aa')))
    expect(await store.findAuction(auctionIdOf(1))).toBe(undefined)
    expect(await store.findAuctionByKey(creationKey('a'))).toBe(undefined)
  })

  test('finds the auctions of many ids that exist, without their descriptions', async ({ store }) => {
    const ids = [...range(1, 6), Number.MAX_SAFE_INTEGER]
    const samples = ids.map((id) => sampleAuction({ id, title: `vase ${id}`, description: 'It is old.' }))
    for (const sample of samples) await store.insertAuction(sample)
    const find = async (wanted: readonly number[]) => inOrderOfIds(await store.findAuctions(auctionIdsOf(wanted)))
    expect(await find([6, 99, 2, Number.MAX_SAFE_INTEGER, 11])).toStrictEqual(
      [samples[1], samples[5], samples[6]].flatMap((sample) => (sample ? [withoutDescription(sample)] : [])),
    )
    expect(idsOf(await find(range(1, 130)))).toEqual(range(1, 6))
    expect(await find([7, 8])).toStrictEqual([])
    expect(await find([])).toStrictEqual([])
    expect(new Set(idsOf(await find([3, 1, 3])))).toEqual(new Set([1, 3]))
  })

  test('returns taken for a stored auction’s id, and keeps the stored auction', async ({ store }) => {
    const first = sampleAuction({ title: 'the first' })
    await store.insertAuction(first)
    expect(await store.insertAuction(first)).toBe('taken')
    expect(await store.insertAuction(sampleAuction({ title: 'the second', createdAtMs: 1 }))).toBe('taken')
    expect(await store.insertAuction(keyedAuction({ title: 'the third' }, creationKey('a')))).toBe('taken')
    expect(await store.findAuction(auctionIdOf(1))).toStrictEqual(first)
    expect(await listed(store)).toStrictEqual([first])
    expect(await store.findAuctionByKey(creationKey('a'))).toBe(undefined)
  })

  test('finds an auction by the key of its request, and does not return the key', async ({ store }) => {
    expect(await store.insertAuction(keyedAuction({ id: 1 }, creationKey('a')))).toBe('inserted')
    expect(await store.insertAuction(keyedAuction({ id: 2 }, creationKey('b')))).toBe('inserted')
    expect(await store.findAuctionByKey(creationKey('a'))).toStrictEqual(sampleAuction({ id: 1 }))
    expect(await store.findAuctionByKey(creationKey('b'))).toStrictEqual(sampleAuction({ id: 2 }))
    expect(await store.findAuction(auctionIdOf(1))).toStrictEqual(sampleAuction({ id: 1 }))
    expect(await listed(store)).toStrictEqual([sampleAuction({ id: 2 }), sampleAuction({ id: 1 })])
  })

  test('returns taken for the key of another auction, and keeps the stored auction', async ({ store }) => {
    await store.insertAuction(keyedAuction({ id: 1 }, creationKey('a')))
    for (const id of range(2, 9)) {
      expect(await store.insertAuction(keyedAuction({ id, ownerId: id }, creationKey('a')))).toBe('taken')
      expect(await store.findAuction(auctionIdOf(id))).toBe(undefined)
    }
    expect(await store.findAuctionByKey(creationKey('a'))).toStrictEqual(sampleAuction({ id: 1 }))
    expect(await listed(store)).toStrictEqual([sampleAuction({ id: 1 })])
    expect(await store.insertAuction(sampleAuction({ id: 2 }))).toBe('inserted')
  })

  test('stores no key of an auction that it does not store', async ({ store }) => {
    await store.insertAuction(keyedAuction({ id: 1 }, creationKey('a')))
    expect(await store.insertAuction(keyedAuction({ id: 1 }, creationKey('b')))).toBe('taken')
    expect(await store.insertAuction(keyedAuction({ id: 2 }, creationKey('a')))).toBe('taken')
    expect(await store.insertAuction(keyedAuction({ id: 2 }, creationKey('b')))).toBe('inserted')
    expect(await store.findAuctionByKey(creationKey('b'))).toStrictEqual(sampleAuction({ id: 2 }))
    expect(idsOf(await listed(store))).toEqual([2, 1])
  })

  test('stores any number of auctions without a key, and auctions with a key', async ({ store }) => {
    for (const id of range(1, 6)) {
      const auction = id === 3 ? keyedAuction({ id }, creationKey('a')) : sampleAuction({ id })
      expect(await store.insertAuction(auction)).toBe('inserted')
    }
    expect(idsOf(await listed(store))).toEqual([6, 5, 4, 3, 2, 1])
    expect(await store.findAuctionByKey(creationKey('a'))).toStrictEqual(sampleAuction({ id: 3 }))
  })
}
