import { isoOf } from '@auction/domain/moment'
import type { AuctionPosition, ListedItem, Store } from '@auction/domain/store'
import { type AuctionSample, sampleAuction } from '../samples.ts'
import {
  auctionIdOf,
  canSearch,
  due,
  ended,
  idsOf,
  insertAll,
  listed,
  orderNames,
  orders,
  range,
  walk,
} from './helpers.ts'
import { otherHandle, type Suite } from './suite.ts'

type Order = AuctionPosition['order']

/** A moment, in milliseconds since 1970. */
const baseMs = 1_890_000_000_000

/** An auction with a time in an order. In the order `ended`, it has that time once it has ended. */
const sampleAt = (order: Order, timeMs: number, id: number): AuctionSample =>
  order === 'agenda'
    ? { id, startTime: '1960-01-01T00:00:00Z', endTime: isoOf(timeMs) }
    : { id, createdAtMs: timeMs, title: 'A desk' }

/** Inserts such auctions, and ends them for the order `ended`, in one call. */
async function insertAt(store: Store, order: Order, samples: readonly AuctionSample[]): Promise<void> {
  await insertAll(store, samples)
  if (order !== 'ended') return
  await store.updateAgenda(samples.map(({ id = 1, createdAtMs = 0 }) => ended(id, createdAtMs)))
}

const positionAt = (order: Order, timeMs: number, id: number): AuctionPosition => ({
  order,
  timeMs,
  id: auctionIdOf(id),
})

/** Auctions whose times rise with their ids, several in each millisecond. */
const samplesAt = (order: Order, ids: readonly number[], perMs = 2): readonly AuctionSample[] =>
  ids.map((id) => sampleAt(order, baseMs + Math.floor(id / perMs), id))

/** The ids from 1 to `last` in the order in which `samplesAt` are listed. */
const inOrder = (order: Order, last: number): readonly number[] =>
  order === 'agenda' ? range(1, last) : range(1, last).toReversed()

const idAndPosition = ({ auction, position }: ListedItem) => [Number(auction.id), position] as const

/** Auctions are listed in three orders, page by page. */
export function auctionLists(suite: Suite): void {
  orderedLists(suite)
  listedPositions(suite)
  for (const order of orders) pages(suite, order)
}

function orderedLists({ test, expect }: Suite): void {
  test('lists the newest first, by number, regardless of ids and the order of inserts', async ({ store }) => {
    const samples: readonly AuctionSample[] = [
      { id: 1, createdAtMs: 1_000 },
      { id: 2, createdAtMs: 999 },
      { id: 5, createdAtMs: baseMs + 1 },
      { id: 3, createdAtMs: baseMs + 2 },
      { id: 4, createdAtMs: baseMs },
      { id: 7, createdAtMs: -1_000 },
      { id: 6, createdAtMs: -999 },
      { id: 8, createdAtMs: -62_135_596_800_000 },
      { id: 9, createdAtMs: 253_402_300_799_999 },
    ]
    for (const sample of samples) await store.insertAuction(sampleAuction(sample))
    expect(idsOf(await listed(store))).toEqual([9, 3, 5, 4, 1, 2, 6, 7, 8])
    expect(await walk(store, { order: 'newest', limit: 1 })).toEqual([9, 3, 5, 4, 1, 2, 6, 7, 8])
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
}

function listedPositions({ test, expect }: Suite): void {
  test('returns each auction with its position in the order of the list', async ({ store }) => {
    const samples = [
      { ...sampleAt('agenda', baseMs + 250, 1), createdAtMs: -1 },
      { ...sampleAt('agenda', -baseMs / 10, Number.MAX_SAFE_INTEGER), createdAtMs: baseMs + 1 },
      { ...sampleAt('agenda', 0, 3), endTime: '2030-03-01T00:00:00.099999999Z', createdAtMs: 0 },
    ]
    await insertAll(store, samples)
    const positionsOf = async (order: Order) =>
      (await store.listAuctions({ order, limit: 10 })).items.map(idAndPosition)
    expect(await positionsOf('newest')).toEqual([
      [Number.MAX_SAFE_INTEGER, positionAt('newest', baseMs + 1, Number.MAX_SAFE_INTEGER)],
      [3, positionAt('newest', 0, 3)],
      [1, positionAt('newest', -1, 1)],
    ])
    expect(await positionsOf('agenda')).toEqual([
      [Number.MAX_SAFE_INTEGER, positionAt('agenda', -baseMs / 10, Number.MAX_SAFE_INTEGER)],
      [1, positionAt('agenda', baseMs + 250, 1)],
      [3, positionAt('agenda', Date.parse('2030-03-01T00:00:00.099Z'), 3)],
    ])
  })

  test('lists the latest end first, by number, of auctions that have ended, which never return', async ({ store }) => {
    const ends = [1_000, 999, baseMs + 1, baseMs + 2, baseMs, -999, -1_000]
    await insertAll(
      store,
      [1, 2, 5, 3, 4, 6, 7, 8, 9].map((id) => ({ id, createdAtMs: -id })),
    )
    expect(await listed(store, { order: 'ended' })).toEqual([])
    await store.updateAgenda([due(8, baseMs * 2), ...ends.map((endMs, index) => ended(index + 1, endMs))])
    for (const later of [[], [due(1, baseMs * 2), due(3, baseMs * 2)], [due(9, baseMs * 2)]]) {
      await store.updateAgenda(later)
      expect(idsOf(await listed(store, { order: 'ended' }))).toEqual([4, 3, 5, 1, 2, 6, 7])
    }
    expect(await walk(store, { order: 'ended', limit: 1 })).toEqual([4, 3, 5, 1, 2, 6, 7])
    const { items } = await store.listAuctions({ order: 'ended', limit: 10 })
    expect(items.map(({ position }) => position)).toEqual(
      [4, 3, 5, 1, 2, 6, 7].map((id) => positionAt('ended', ends[id - 1] ?? 0, id)),
    )
  })
}

function pages({ test, expect }: Suite, order: Order): void {
  const name = orderNames[order]

  test(`lists ${name} the auctions after a position, with or without an auction at that position`, async ({
    store,
  }) => {
    const samples = [sampleAt(order, 1_000, 10), sampleAt(order, 1_000, 20), sampleAt(order, 2_000, 15)]
    await insertAt(store, order, samples)
    const after = async (timeMs: number, id: number) =>
      idsOf(await listed(store, { order, after: positionAt(order, timeMs, id) }))
    // The positions ascend. Each says how many auctions are before it, and whether one is at it.
    const positions: readonly (readonly [timeMs: number, id: number, before: number, isTaken: boolean])[] = [
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
    for (const [timeMs, id, before, isTaken] of positions) {
      const rest =
        order === 'agenda' ? [10, 20, 15].slice(before + Number(isTaken)) : [10, 20, 15].slice(0, before).toReversed()
      expect(await after(timeMs, id)).toEqual(rest)
    }
  })

  test(`has a next page if more auctions follow, for the largest pages, listed ${name}`, async ({ store }) => {
    const count = 102
    await insertAt(store, order, samplesAt(order, range(1, count)))
    const { ownerId } = sampleAuction()
    for (const filter of [{}, { ownerId }, { ...(order === 'newest' && canSearch(store) && { words: ['desk'] }) }]) {
      for (const limit of [99, 100, 101, 102, 103]) {
        const { items, next } = await store.listAuctions({ order, limit, ...filter })
        const shown = Math.min(limit, count)
        expect(idsOf(items.map(({ auction }) => auction))).toEqual(inOrder(order, count).slice(0, shown))
        expect([limit, next]).toEqual([limit, limit < count ? items.at(-1)?.position : undefined])
      }
    }
  })

  test(`skips and repeats no auction of one millisecond, listed ${name}`, async ({ store }) => {
    const most = Number.MAX_SAFE_INTEGER
    const upwards = [...range(1, 11), 100, most - 2, most - 1, most]
    const samples = upwards.toSorted((a, b) => (a % 7) - (b % 7)).map((id) => sampleAt(order, baseMs, id))
    await insertAt(store, order, samples)
    const all = order === 'agenda' ? upwards : upwards.toReversed()
    for (const limit of [1, 2, 5]) expect(await walk(store, { order, limit })).toEqual(all)
  })

  test(`skips and repeats no auction during inserts, listed ${name}`, async (subject) => {
    const other = await otherHandle(subject)
    const old = order === 'agenda' ? range(7, 18) : range(1, 12)
    // On the agenda, new auctions before the position are not listed; those after it are.
    const more = order === 'agenda' ? [...range(1, 6), ...range(19, 22)] : range(13, 22)
    await insertAt(subject.store, order, samplesAt(order, old))
    const insertMore = (page: number) => insertAt(other, order, samplesAt(order, more.slice(page * 2 - 2, page * 2)))
    const seen = await walk(subject.store, { order, limit: 2 }, insertMore)
    expect(seen).toEqual(order === 'agenda' ? range(7, 22) : old.toReversed())
    expect(await walk(subject.store, { order, limit: 100 })).toEqual(inOrder(order, 22))
  })
}
