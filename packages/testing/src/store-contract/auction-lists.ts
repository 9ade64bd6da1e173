import { isoOf } from '@auction/domain/moment'
import type { AuctionPosition, ListedItem } from '@auction/domain/store'
import { type AuctionSample, sampleAuction } from '../samples.ts'
import { auctionIdOf, idsOf, insertAll, listed, range, walk } from './helpers.ts'
import { otherHandle, type Suite } from './suite.ts'

type Order = AuctionPosition['order']

/** A moment, in milliseconds since 1970. */
const baseMs = 1_890_000_000_000

/** An auction with a time in an order, and its place. */
const sampleAt = (order: Order, timeMs: number, id: number): AuctionSample =>
  order === 'newest' ? { id, createdAtMs: timeMs } : { id, startTime: '1960-01-01T00:00:00Z', endTime: isoOf(timeMs) }

const placeAt = (order: Order, timeMs: number, id: number): AuctionPosition => ({ order, timeMs, id: auctionIdOf(id) })

/** Auctions whose times rise with their ids, several in each millisecond. */
const samplesAt = (order: Order, ids: readonly number[], perMs = 2): readonly AuctionSample[] =>
  ids.map((id) => sampleAt(order, baseMs + Math.floor(id / perMs), id))

/** The ids from 1 to `last` in the order in which `samplesAt` are listed. */
const inOrder = (order: Order, last: number): readonly number[] =>
  order === 'newest' ? range(1, last).toReversed() : range(1, last)

const placeOf = ({ auction, position }: ListedItem) => [Number(auction.id), position] as const

/** Auctions are listed in two orders, page by page. */
export function auctionLists({ test, expect }: Suite): void {
  test('lists the newest first, by number, regardless of ids and the order of inserts', async ({ store }) => {
    const samples: readonly AuctionSample[] = [
      { id: 1, createdAtMs: 1_000 },
      { id: 2, createdAtMs: 999 },
      { id: 5, createdAtMs: baseMs + 1 },
      { id: 3, createdAtMs: baseMs + 2 },
      { id: 4, createdAtMs: baseMs },
      { id: 7, createdAtMs: -1_000 },
      { id: 6, createdAtMs: -999 },
    ]
    for (const sample of samples) await store.insertAuction(sampleAuction(sample))
    expect(idsOf(await listed(store))).toEqual([3, 5, 4, 1, 2, 6, 7])
    expect(await walk(store, { order: 'newest', limit: 1 })).toEqual([3, 5, 4, 1, 2, 6, 7])
  })

  test('lists the earliest on the agenda first, by number, regardless of ids and the order of inserts', async ({
    store,
  }) => {
    const samples: readonly AuctionSample[] = [
      sampleAt('agenda', 1_000, 1),
      sampleAt('agenda', 999, 2),
      { id: 5, endTime: '2030-03-01T00:00:00.1Z' },
      { id: 3, endTime: '2030-03-01T00:00:00.099999999Z' },
      { id: 6, endTime: '2030-03-01T00:00:00Z' },
      sampleAt('agenda', -1_000, 4),
    ]
    for (const sample of samples) {
      await store.insertAuction(sampleAuction({ startTime: '1960-01-01T00:00:00Z', ...sample }))
    }
    expect(idsOf(await listed(store, { order: 'agenda' }))).toEqual([4, 2, 1, 6, 3, 5])
    expect(await walk(store, { order: 'agenda', limit: 1 })).toEqual([4, 2, 1, 6, 3, 5])
  })

  test('returns each auction with its place in the order of the list', async ({ store }) => {
    const samples = [
      { ...sampleAt('agenda', baseMs + 250, 1), createdAtMs: -1 },
      { ...sampleAt('agenda', -baseMs / 10, Number.MAX_SAFE_INTEGER), createdAtMs: baseMs + 1 },
      { id: 3, endTime: '2030-03-01T00:00:00.099999999Z', createdAtMs: 0 },
    ]
    await insertAll(store, samples)
    const placesOf = async (order: Order) => (await store.listAuctions({ order, limit: 10 })).items.map(placeOf)
    expect(await placesOf('newest')).toEqual([
      [Number.MAX_SAFE_INTEGER, placeAt('newest', baseMs + 1, Number.MAX_SAFE_INTEGER)],
      [3, placeAt('newest', 0, 3)],
      [1, placeAt('newest', -1, 1)],
    ])
    expect(await placesOf('agenda')).toEqual([
      [Number.MAX_SAFE_INTEGER, placeAt('agenda', -baseMs / 10, Number.MAX_SAFE_INTEGER)],
      [1, placeAt('agenda', baseMs + 250, 1)],
      [3, placeAt('agenda', Date.parse('2030-03-01T00:00:00.099Z'), 3)],
    ])
  })

  for (const order of ['newest', 'agenda'] as const) {
    pages(order)
  }

  function pages(order: Order): void {
    const name = order === 'newest' ? 'the newest first' : 'by the agenda'

    test(`lists ${name} the auctions after a place, with or without an auction at that place`, async ({ store }) => {
      const samples = [sampleAt(order, 1_000, 10), sampleAt(order, 1_000, 20), sampleAt(order, 2_000, 15)]
      await insertAll(store, samples)
      const after = async (timeMs: number, id: number) =>
        idsOf(await listed(store, { order, after: placeAt(order, timeMs, id) }))
      // In ascending order; of each place, how many of the auctions are before it, and whether one is at it.
      const places: readonly (readonly [timeMs: number, id: number, before: number, isTaken: boolean])[] = [
        [999, 99, 0, false],
        [1_000, 9, 0, false],
        [1_000, 10, 0, true],
        [1_000, 12, 1, false],
        [1_000, 20, 1, true],
        [1_500, 1, 2, false],
        [1_500, 99, 2, false],
        [2_000, 15, 2, true],
        [2_000, 16, 3, false],
        [3_000, 1, 3, false],
      ]
      for (const [timeMs, id, before, isTaken] of places) {
        const rest =
          order === 'newest' ? [10, 20, 15].slice(0, before).toReversed() : [10, 20, 15].slice(before + Number(isTaken))
        expect(await after(timeMs, id)).toEqual(rest)
      }
    })

    test(`skips and repeats no auction of one millisecond, listed ${name}`, async ({ store }) => {
      const most = Number.MAX_SAFE_INTEGER
      const upwards = [...range(1, 11), 100, most - 2, most - 1, most]
      const samples = upwards.toSorted((a, b) => (a % 7) - (b % 7)).map((id) => sampleAt(order, baseMs, id))
      await insertAll(store, samples)
      const all = order === 'newest' ? upwards.toReversed() : upwards
      for (const limit of [1, 2, 5]) expect(await walk(store, { order, limit })).toEqual(all)
    })

    test(`skips and repeats no auction during inserts, listed ${name}`, async (subject) => {
      const other = await otherHandle(subject)
      const old = order === 'newest' ? range(1, 12) : range(7, 18)
      // On the agenda, new auctions before the position are not listed; those after it are.
      const more = order === 'newest' ? range(13, 22) : [...range(1, 6), ...range(19, 22)]
      await insertAll(subject.store, samplesAt(order, old))
      const insertMore = (page: number) => insertAll(other, samplesAt(order, more.slice(page * 2 - 2, page * 2)))
      const seen = await walk(subject.store, { order, limit: 2 }, insertMore)
      expect(seen).toEqual(order === 'newest' ? old.toReversed() : range(7, 22))
      expect(await walk(subject.store, { order, limit: 100 })).toEqual(inOrder(order, 22))
    })
  }
}
