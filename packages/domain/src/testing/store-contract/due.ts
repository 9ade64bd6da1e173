import { isoOf } from '../../moment.ts'
import { type AuctionSample, sampleAuction } from '../samples.ts'
import { auctionIdOf, auctionIdsOf, creationKey, idsOf, insertAll, keyedAuction, listed, range } from './helpers.ts'
import type { Suite } from './suite.ts'

const endMs = Date.parse('2030-03-01T00:00:00Z')

/** Auctions of which the higher id ends sooner, a millisecond apart. */
const ending = (ids: readonly number[]): readonly AuctionSample[] =>
  ids.map((id) => ({ id, endTime: isoOf(endMs - id) }))

/** Auctions whose end is due are shown, the soonest end first, until they are forgotten. */
export function due({ test, expect }: Suite): void {
  test('finds what is due, the soonest end first, by number, and keeps to the limit', async ({ store }) => {
    await insertAll(store, ending(range(1, 25)))
    await store.insertAuction(sampleAuction({ id: 30, startTime: isoOf(0), endTime: isoOf(999_999) }))
    const soonestFirst = [30, ...range(1, 25).toReversed()]
    for (const limit of [1, 2, 20, 25, 26, 100]) {
      expect(idsOf(await store.findDue(endMs, limit))).toEqual(soonestFirst.slice(0, limit))
    }
    expect(idsOf(await store.findDue(Number.MAX_SAFE_INTEGER, 2))).toEqual([30, 25])
  })

  test('shows an auction as due from the exact millisecond of its end on', async ({ store }) => {
    // What is finer than a millisecond is dropped, and a moment without a fraction is not after one that is written with .000.
    const samples = [
      { id: 1, title: 'A vase', endTime: '2030-03-01T00:00:00.250999999Z' },
      { id: 2, endTime: '2030-02-01T00:00:00Z' },
    ]
    for (const sample of samples) {
      const auction = sampleAuction(sample)
      const dueAt = async (untilMs: number) => (await store.findDue(untilMs, 10)).filter(({ id }) => id === auction.id)
      await store.insertAuction(keyedAuction(sample, creationKey(`key-${sample.id}`)))
      expect(await dueAt(0)).toStrictEqual([])
      expect(await dueAt(auction.endTime.epochMs - 1)).toStrictEqual([])
      expect(await dueAt(auction.endTime.epochMs)).toStrictEqual([auction])
      expect(await dueAt(auction.endTime.epochMs + 1)).toStrictEqual([auction])
      expect(await dueAt(Number.MAX_SAFE_INTEGER)).toStrictEqual([auction])
    }
  })

  test('does not show an auction that ends later', async ({ store }) => {
    await insertAll(store, ending(range(1, 9)))
    expect(idsOf(await store.findDue(endMs - 4, 10))).toEqual([9, 8, 7, 6, 5, 4])
    expect(idsOf(await store.findDue(endMs - 10, 10))).toEqual([])
  })

  test('shows what is forgotten no more, and all the others', async ({ store }) => {
    await insertAll(store, ending(range(1, 12)))
    await store.forgetDue(auctionIdsOf([12, 3]))
    expect(idsOf(await store.findDue(endMs, 100))).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 2, 1])
    expect(idsOf(await store.findDue(endMs, 2))).toEqual([11, 10])
    await store.forgetDue(auctionIdsOf([3, 11]))
    await store.forgetDue([])
    expect(idsOf(await store.findDue(endMs, 100))).toEqual([10, 9, 8, 7, 6, 5, 4, 2, 1])
    await insertAll(store, ending([13]))
    expect(idsOf(await store.findDue(endMs, 3))).toEqual([13, 10, 9])
  })

  test('tells auctions apart that end in one millisecond', async ({ store }) => {
    const ids = [1, 2, 11, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1]
    await insertAll(
      store,
      ids.map((id) => ({ id })),
    )
    await store.forgetDue(auctionIdsOf([1, Number.MAX_SAFE_INTEGER]))
    const found = idsOf(await store.findDue(Number.MAX_SAFE_INTEGER, 10))
    expect(found.toSorted((a, b) => a - b)).toEqual([2, 11, Number.MAX_SAFE_INTEGER - 1])
  })

  test('takes unknown ids for nothing to forget', async ({ store }) => {
    await store.forgetDue(auctionIdsOf([1, 99]))
    await insertAll(store, ending([1, 2]))
    expect(idsOf(await store.findDue(endMs, 10))).toEqual([2, 1])
    await store.forgetDue(auctionIdsOf([98, 1, 99]))
    expect(idsOf(await store.findDue(endMs, 10))).toEqual([2])
  })

  test('forgets of an auction that it is due, and nothing else', async ({ store }) => {
    await store.insertAuction(keyedAuction({}, creationKey('a')))
    await store.forgetDue(auctionIdsOf([1]))
    expect(await store.findAuction(auctionIdOf(1))).toStrictEqual(sampleAuction())
    expect(await store.findAuctionByKey(creationKey('a'))).toStrictEqual(sampleAuction())
    for (const order of ['newest', 'endTime'] as const) {
      expect(await listed(store, { order })).toStrictEqual([sampleAuction()])
    }
    expect(await store.insertAuction(sampleAuction())).toBe('taken')
  })
}
