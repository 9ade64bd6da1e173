import type { WantedAuctions } from '@auction/domain/store'
import { sampleAuction } from '../samples.ts'
import {
  auctionIdOf,
  auctionIdsOf,
  creationKey,
  findByIds,
  findByKey,
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
export function auctions(suite: Suite): void {
  byId(suite)
  byKey(suite)
}

function byId({ test, expect }: Suite): void {
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
    expect(await findByKey(store, creationKey('a'))).toBe(undefined)
    for (const order of orders) {
      expect(await store.listAuctions({ order, limit: 10 })).toStrictEqual({ items: [], next: undefined })
    }
    await store.insertAuction(keyedAuction({ id: 11 }, creationKey('aa')))
    expect(await store.findAuction(auctionIdOf(1))).toBe(undefined)
    expect(await findByKey(store, creationKey('a'))).toBe(undefined)
  })

  test('finds the auctions of many ids that exist, without their descriptions', async ({ store }) => {
    const ids = [...range(1, 6), Number.MAX_SAFE_INTEGER]
    const samples = ids.map((id) => sampleAuction({ id, title: `vase ${id}`, description: 'It is old.' }))
    for (const sample of samples) await store.insertAuction(sample)
    const find = async (wanted: readonly number[]) => inOrderOfIds(await findByIds(store, auctionIdsOf(wanted)))
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
    expect(await findByKey(store, creationKey('a'))).toBe(undefined)
  })
}

function byKey({ test, expect }: Suite): void {
  test('finds the auctions of many keys that exist, and returns the key of each, if it has one', async ({ store }) => {
    for (const id of range(1, 4)) await store.insertAuction(keyedAuction({ id }, creationKey(`${id}`)))
    await store.insertAuction(sampleAuction({ id: 5 }))
    const keyed = (id: number) => ({ auction: sampleAuction({ id }), requestKey: creationKey(`${id}`) })
    const find = async (wanted: WantedAuctions) =>
      (await store.findAuctions(wanted)).toSorted((a, b) => a.auction.id - b.auction.id)
    const keysOf = (ids: readonly number[]) => ids.map((id) => creationKey(`${id}`))
    expect(await find({ keys: keysOf([3, 9, 1]) })).toStrictEqual([keyed(1), keyed(3)])
    expect(await find({ keys: keysOf(range(1, 130)) })).toStrictEqual(range(1, 4).map(keyed))
    expect(await find({ keys: keysOf([7]) })).toStrictEqual([])
    expect(await find({ keys: [] })).toStrictEqual([])
    expect(idsOf((await find({ keys: keysOf([2, 2]) })).map(({ auction }) => auction)).at(-1)).toBe(2)
    expect(await find({ ids: auctionIdsOf([2, 5]) })).toStrictEqual([keyed(2), { auction: sampleAuction({ id: 5 }) }])
  })

  test('finds an auction by the key of its request, and does not return the key elsewhere', async ({ store }) => {
    expect(await store.insertAuction(keyedAuction({ id: 1 }, creationKey('a')))).toBe('inserted')
    expect(await store.insertAuction(keyedAuction({ id: 2 }, creationKey('b')))).toBe('inserted')
    expect(await findByKey(store, creationKey('a'))).toStrictEqual(sampleAuction({ id: 1 }))
    expect(await findByKey(store, creationKey('b'))).toStrictEqual(sampleAuction({ id: 2 }))
    expect(await store.findAuction(auctionIdOf(1))).toStrictEqual(sampleAuction({ id: 1 }))
    expect(await listed(store)).toStrictEqual([sampleAuction({ id: 2 }), sampleAuction({ id: 1 })])
  })

  test('returns taken for the key of another auction, and keeps the stored auction', async ({ store }) => {
    await store.insertAuction(keyedAuction({ id: 1 }, creationKey('a')))
    for (const id of range(2, 9)) {
      expect(await store.insertAuction(keyedAuction({ id, ownerId: id }, creationKey('a')))).toBe('taken')
      expect(await store.findAuction(auctionIdOf(id))).toBe(undefined)
    }
    expect(await findByKey(store, creationKey('a'))).toStrictEqual(sampleAuction({ id: 1 }))
    expect(await listed(store)).toStrictEqual([sampleAuction({ id: 1 })])
    expect(await store.insertAuction(sampleAuction({ id: 2 }))).toBe('inserted')
  })

  test('stores no key of an auction that it does not store', async ({ store }) => {
    await store.insertAuction(keyedAuction({ id: 1 }, creationKey('a')))
    expect(await store.insertAuction(keyedAuction({ id: 1 }, creationKey('b')))).toBe('taken')
    expect(await store.insertAuction(keyedAuction({ id: 2 }, creationKey('a')))).toBe('taken')
    expect(await store.insertAuction(keyedAuction({ id: 2 }, creationKey('b')))).toBe('inserted')
    expect(await findByKey(store, creationKey('b'))).toStrictEqual(sampleAuction({ id: 2 }))
    expect(idsOf(await listed(store))).toEqual([2, 1])
  })

  test('stores any number of auctions without a key, and auctions with a key', async ({ store }) => {
    for (const id of range(1, 6)) {
      const auction = id === 3 ? keyedAuction({ id }, creationKey('a')) : sampleAuction({ id })
      expect(await store.insertAuction(auction)).toBe('inserted')
    }
    expect(idsOf(await listed(store))).toEqual([6, 5, 4, 3, 2, 1])
    expect(await findByKey(store, creationKey('a'))).toStrictEqual(sampleAuction({ id: 3 }))
  })
}
