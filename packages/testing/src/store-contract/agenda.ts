import { isoOf } from '@auction/domain/moment'
import { type AgendaUpdate, agendaStages, type Stage, type Store, stages } from '@auction/domain/store'
import { type AuctionSample, sampleAuction } from '../samples.ts'
import {
  agendaOf,
  auctionIdOf,
  check,
  creationKey,
  due,
  ended,
  findByKey,
  idsOf,
  insertAll,
  keyedAuction,
  listed,
  range,
  walk,
} from './helpers.ts'
import { otherHandle, type Suite } from './suite.ts'

const baseMs = Date.parse('2030-02-10T12:00:00Z')

/** An auction that ends this many milliseconds after `baseMs`. */
const sampleAt = (id: number, afterMs: number): AuctionSample => ({
  id,
  startTime: '0001-01-01T00:00:00Z',
  endTime: isoOf(baseMs + afterMs),
})

/** A place on the agenda, of an auction that is due this many milliseconds after `baseMs`. */
const at = (id: number, afterMs: number) => [id, baseMs + afterMs] as const

/** Inserts an auction for each end, in milliseconds after `baseMs`, with the ids 1, 2, 3 … */
const insertEnding = (store: Store, afterMs: readonly number[]) => {
  const samples = afterMs.map((ms, index) => sampleAt(index + 1, ms))
  return insertAll(store, samples)
}

const openIds = async (store: Store) => idsOf(await listed(store, { stages: agendaStages })).toSorted((a, b) => a - b)

/** An auction has a place on the agenda from its insert until it has ended. */
export function agenda(suite: Suite): void {
  beginning(suite)
  moving(suite)
  correcting(suite)
  ending(suite)
  together(suite)
  paging(suite)
}

function beginning({ test, expect }: Suite): void {
  test('puts an auction on the agenda at its end, with or without a soft close', async ({ store }) => {
    const softClose = { windowSeconds: 60, extensionSeconds: 60, latestEndTime: isoOf(baseMs + 9_000) }
    await insertAll(store, [sampleAt(1, 2_000), { ...sampleAt(2, 1_000), softClose }, sampleAt(3, 1_500)])
    await store.insertAuction(keyedAuction({ ...sampleAt(4, 3_000), buyNowPriceMinor: 900_00 }, creationKey('a')))
    expect(await agendaOf(store)).toEqual([at(2, 1_000), at(3, 1_500), at(1, 2_000), at(4, 3_000)])
  })

  test('puts an auction that starts after its creation on the agenda at its start, as pending', async ({ store }) => {
    const startsAt = (id: number, createdMs: number) => ({
      ...{ id, createdAtMs: baseMs + createdMs, startTime: isoOf(baseMs + 10), endTime: isoOf(baseMs + 90) },
    })
    await insertAll(store, [startsAt(1, 10), startsAt(2, 9), startsAt(3, 11)])
    expect(await agendaOf(store)).toEqual([at(2, 10), at(1, 90), at(3, 90)])
    const idsIn = async (stage: Stage) => idsOf(await listed(store, { stages: [stage] }))
    expect([await idsIn('pending'), await idsIn('open')]).toEqual([[2], [3, 1]])
    await store.updateAgenda([due(2, baseMs + 80)])
    expect(await agendaOf(store)).toEqual([at(2, 80), at(1, 90), at(3, 90)])
    expect([await idsIn('pending'), await idsIn('open')]).toEqual([[], [3, 1, 2]])
  })

  test('lists the auctions due by a time, including that millisecond, and none after it', async ({ store }) => {
    const ends = [0, 1, 1, 2, 60_000]
    await insertEnding(store, ends)
    for (const afterMs of [-1, 0, 1, 2, 59_999, 60_000]) {
      const count = ends.filter((endMs) => endMs <= afterMs).length
      const query = { order: 'agenda', dueByMs: baseMs + afterMs } as const
      const { items, next } = await store.listAuctions({ ...query, limit: 10 })
      expect([idsOf(items.map(({ auction }) => auction)), next]).toEqual([range(1, count), undefined])
      if (count > 0) expect((await store.listAuctions({ ...query, limit: count })).next).toBe(undefined)
      for (const limit of [1, 2]) expect(await walk(store, { ...query, limit })).toEqual(range(1, count))
    }
  })

  test('keeps the times of places exact, including times before 1970', async ({ store }) => {
    const [first, last] = [-62_135_596_800_000, 253_402_300_799_999]
    const times = [first, first + 1, -1_000, -999, -1, 0, 1, 2 ** 31, 2 ** 32 + 1, last - 1, last]
    const ends = times.map((endMs, index) => ({ ...sampleAt(index + 1, endMs - baseMs), startTime: isoOf(first) }))
    await insertAll(store, [...ends].toReversed())
    const places = times.map((endMs, index) => [index + 1, endMs] as const)
    expect(await agendaOf(store)).toEqual(places)
    for (const limit of [1, 4]) expect(await walk(store, { order: 'agenda', limit })).toEqual(range(1, times.length))
    for (const [index, dueByMs] of times.entries()) {
      expect(await agendaOf(store, { dueByMs })).toEqual(places.slice(0, index + 1))
    }
    await store.updateAgenda([due(1, -500), due(3, last), due(5, -2)])
    const changed = places.map(([id, timeMs]) => [id, id === 1 ? -500 : id === 3 ? last : timeMs] as const)
    expect(await agendaOf(store)).toEqual(changed.toSorted(([a, aMs], [b, bMs]) => aMs - bMs || a - b))
  })
}

function moving({ test, expect }: Suite): void {
  test('moves places only to later times', async ({ store }) => {
    await insertEnding(store, [10, 20, 30])
    let placeMs = 10
    for (const dueMs of [11, 10, 11, -1e12, 25, 24, 1e10, 30]) {
      await store.updateAgenda([due(1, baseMs + dueMs)])
      placeMs = Math.max(placeMs, dueMs)
      const places = [at(1, placeMs), at(2, 20), at(3, 30)].toSorted((a, b) => a[1] - b[1])
      expect(await agendaOf(store)).toEqual(places)
      const dueByMs = baseMs + placeMs
      expect(await agendaOf(store, { dueByMs: dueByMs - 1 })).toEqual(places.filter(([, timeMs]) => timeMs < dueByMs))
      expect(await agendaOf(store, { dueByMs })).toEqual(places.filter(([, timeMs]) => timeMs <= dueByMs))
    }
  })

  test('changes only the place of an auction, which stays open', async ({ store }) => {
    const auction = keyedAuction({ ...sampleAt(1, 0), title: 'A vase', description: 'It is old.' }, creationKey('a'))
    const { requestKey, ...shown } = auction
    const { description: _, ...inLists } = shown
    await store.insertAuction(auction)
    await store.updateAgenda([due(1, baseMs + 1)])
    expect(await store.findAuction(auction.id)).toStrictEqual(shown)
    expect(await findByKey(store, requestKey)).toStrictEqual(inLists)
    for (const query of [{}, { stages: agendaStages }, { order: 'agenda' }] as const) {
      expect(await listed(store, query)).toStrictEqual([inLists])
    }
    await store.updateAgenda([ended(1, baseMs + 2)])
    expect(await store.findAuction(auction.id)).toStrictEqual(shown)
    expect(await findByKey(store, requestKey)).toStrictEqual(inLists)
    expect(await listed(store)).toStrictEqual([inLists])
  })
}

function correcting({ test, expect }: Suite): void {
  test('moves places to any time after more corrections, and never back to that of fewer', async ({ store }) => {
    await insertEnding(store, [10, 20])
    // The update of each step, and the place after it.
    const steps = [
      [30, undefined, 30],
      [5, 1, 5],
      [40, 0, 5],
      [40, undefined, 5],
      [4, 1, 5],
      [7, 1, 7],
      [-1e12, 3, -1e12],
      [50, 2, -1e12],
      [25, 20, 25],
      [60, 3, 25],
    ] as const
    for (const [afterMs, corrections, placeMs] of steps) {
      await store.updateAgenda([due(1, baseMs + afterMs, corrections)])
      const places = [at(1, placeMs), at(2, 20)].toSorted((a, b) => a[1] - b[1])
      expect(await agendaOf(store)).toEqual(places)
      const dueByMs = baseMs + placeMs
      expect(await agendaOf(store, { dueByMs })).toEqual(places.filter(([, timeMs]) => timeMs <= dueByMs))
    }
    await store.updateAgenda([{ ...due(1, baseMs + 3, 21), isPending: true }])
    expect(await agendaOf(store)).toEqual([at(1, 3), at(2, 20)])
    expect(idsOf(await listed(store, { stages: ['pending'] }))).toEqual([1])
    await store.updateAgenda([due(1, baseMs + 4, 21)])
    expect(idsOf(await listed(store, { stages: ['pending'] }))).toEqual([])
    await store.updateAgenda([ended(1, baseMs)])
    await store.updateAgenda([due(1, baseMs + 5, 22)])
    expect(await agendaOf(store)).toEqual([at(2, 20)])
  })

  test('brings the check of an auction forward, in its stage and with its corrections', async ({ store }) => {
    const startsAt = (afterMs: number) => ({ startTime: isoOf(baseMs + afterMs), createdAtMs: baseMs })
    await insertAll(store, [sampleAt(1, 10), { ...sampleAt(2, 90), ...startsAt(20) }, sampleAt(3, 30)])
    // The updates of each step, and the place of the first auction after it.
    const steps = [
      [[check(1, baseMs + 8)], 8],
      [[check(1, baseMs + 9), check(9, baseMs)], 8],
      [[due(1, baseMs + 40)], 40],
      [[due(1, baseMs + 20, 2)], 20],
      [[check(1, baseMs + 12), check(2, baseMs + 15), check(1, baseMs + 6), check(1, baseMs + 7)], 6],
      [[due(1, baseMs + 90, 1)], 6],
      [[due(1, baseMs + 7, 2)], 7],
      [[due(1, baseMs + 50, 2), check(1, baseMs + 11)], 11],
    ] as const
    for (const [updates, placeMs] of steps) {
      await store.updateAgenda(updates)
      expect((await agendaOf(store)).find(([id]) => id === 1)).toEqual(at(1, placeMs))
    }
    expect(await agendaOf(store)).toEqual([at(1, 11), at(2, 15), at(3, 30)])
    const idsIn = async (stage: Stage) => idsOf(await listed(store, { stages: [stage] }))
    expect([await idsIn('pending'), await idsIn('open')]).toEqual([[2], [3, 1]])
    await store.updateAgenda([ended(3, baseMs + 30)])
    await store.updateAgenda([check(3, baseMs)])
    expect(await agendaOf(store)).toEqual([at(1, 11), at(2, 15)])
    const { items } = await store.listAuctions({ order: 'ended', limit: 9 })
    expect(items.map(({ position }) => position.timeMs)).toEqual([baseMs + 30])
  })
}

function ending({ test, expect }: Suite): void {
  test('removes an ended auction from the agenda permanently', async ({ store }) => {
    await insertEnding(store, [10, 20, 30])
    await store.updateAgenda([ended(2, baseMs + 25)])
    const again: readonly (readonly AgendaUpdate[])[] = [
      [],
      [due(2, baseMs + 20)],
      [due(2, baseMs + 26)],
      [due(2, baseMs + 1e9)],
      [ended(2, baseMs + 5)],
      [ended(2, baseMs + 99, 'cancelled'), due(2, baseMs + 100)],
    ]
    for (const updates of again) {
      await store.updateAgenda(updates)
      expect(await agendaOf(store)).toEqual([at(1, 10), at(3, 30)])
      expect(await openIds(store)).toEqual([1, 3])
      for (const query of [{}, { stages }]) {
        expect(idsOf(await listed(store, query)).toSorted()).toEqual([1, 2, 3])
      }
      const { items } = await store.listAuctions({ order: 'ended', stages: ['sold'], limit: 3 })
      expect(items.map(({ position }) => position)).toEqual([{ order: 'ended', timeMs: baseMs + 25, id: 2 }])
    }
  })

  test('keeps auctions in their stage whatever the time of its server is, until an update', async ({ store }) => {
    const [past, future] = ['2001-02-03T04:05:06Z', '9999-12-30T00:00:00Z'] as const
    const [pastMs, futureMs] = [Date.parse(past), Date.parse(future)]
    const [end, laterEnd] = [isoOf(pastMs + 9_000), isoOf(futureMs + 9_000)]
    await insertAll(store, [
      { id: 1, createdAtMs: pastMs - 9, startTime: past, endTime: end },
      { id: 2, createdAtMs: pastMs, startTime: past, endTime: end },
      { id: 3, createdAtMs: pastMs - 8, startTime: past, endTime: laterEnd },
      { id: 4, createdAtMs: futureMs, startTime: future, endTime: laterEnd },
      { id: 5, createdAtMs: pastMs, startTime: past, endTime: end },
      { id: 6, createdAtMs: pastMs, startTime: past, endTime: laterEnd },
    ])
    await store.updateAgenda([ended(5, futureMs), ended(6, pastMs + 1)])
    const idsIn = async (stage: Stage) => idsOf(await listed(store, { stages: [stage] }))
    expect([await idsIn('pending'), await idsIn('open'), await idsIn('sold')]).toEqual([
      [3, 1],
      [4, 2],
      [6, 5],
    ])
    expect(await openIds(store)).toEqual([1, 2, 3, 4])
    expect((await agendaOf(store)).map(([id]) => id)).toEqual([1, 3, 2, 4])
    expect(idsOf(await listed(store, { order: 'ended' }))).toEqual([5, 6])
  })

  test('ends auctions at any time, before or after that of their place', async ({ store }) => {
    const times = [-1e12, 9, 10, 11, 1e12, -baseMs, -baseMs - 1]
    await insertEnding(
      store,
      times.map(() => 10),
    )
    for (const [index, endedMs] of times.entries()) {
      await store.updateAgenda([ended(index + 1, baseMs + endedMs)])
      const left = range(index + 2, times.length)
      expect(await agendaOf(store)).toEqual(left.map((id) => at(id, 10)))
      expect(await openIds(store)).toEqual(left)
    }
  })

  test('keeps the place of an auction that is inserted again', async ({ store }) => {
    for (const id of [1, 2]) await store.insertAuction(keyedAuction(sampleAt(id, 10), creationKey(`key-${id}`)))
    await store.updateAgenda([due(1, baseMs + 20), ended(2, baseMs + 20)])
    for (const afterMs of [10, 15, 30]) {
      for (const id of [1, 2]) {
        const sameKey = keyedAuction(sampleAt(10 + id, afterMs), creationKey(`key-${id}`))
        expect(await store.insertAuction(sampleAuction(sampleAt(id, afterMs)))).toBe('taken')
        expect(await store.insertAuction(sameKey)).toBe('taken')
      }
      expect(await agendaOf(store)).toEqual([at(1, 20)])
    }
  })
}

function together({ test, expect }: Suite): void {
  test('ignores unknown auctions, and makes the other updates of the call', async ({ store }) => {
    await insertAll(store, [sampleAt(2, 10), sampleAt(4, 10), sampleAt(6, 10)])
    await store.updateAgenda([])
    await store.updateAgenda([due(1, baseMs + 50), ended(3, baseMs)])
    await store.updateAgenda([due(1, baseMs), due(2, baseMs + 20), ended(5, baseMs), ended(4, baseMs), due(7, baseMs)])
    expect(await agendaOf(store)).toEqual([at(6, 10), at(2, 20)])
    for (const id of [1, 3, 5, 7]) expect(await store.findAuction(auctionIdOf(id))).toBe(undefined)
    expect(idsOf(await listed(store)).toSorted()).toEqual([2, 4, 6])
    // An auction that was unknown then starts like any other.
    await insertAll(store, [sampleAt(1, 5), sampleAt(3, 40)])
    expect(await agendaOf(store)).toEqual([at(1, 5), at(6, 10), at(2, 20), at(3, 40)])
  })

  test('makes several updates of one auction in one call as if each were a separate call', async ({ store }) => {
    type Update = (id: number) => AgendaUpdate
    const dueAt =
      (afterMs: number, corrections?: number): Update =>
      (id) =>
        due(id, baseMs + afterMs, corrections)
    const endedAt =
      (afterMs: number): Update =>
      (id) =>
        ended(id, baseMs + afterMs)
    // The updates of each auction. The first five stay open, due at 30.
    const updatesOf: readonly (readonly Update[])[] = [
      [dueAt(30), dueAt(20)],
      [dueAt(20), dueAt(30)],
      [dueAt(5), dueAt(30), dueAt(30)],
      [dueAt(40), dueAt(30, 2), dueAt(50, 1)],
      [dueAt(30, 1), dueAt(29, 1), dueAt(99)],
      [dueAt(30, 9), endedAt(40)],
      [dueAt(30), endedAt(40)],
      [endedAt(40), dueAt(30)],
      [dueAt(20), endedAt(15), dueAt(30)],
      [endedAt(15), endedAt(16), dueAt(99)],
    ]
    await insertEnding(
      store,
      updatesOf.map(() => 10),
    )
    const updates = range(0, 2).flatMap((step) =>
      updatesOf.flatMap((ofOne, index) => ofOne.slice(step, step + 1).map((update) => update(index + 1))),
    )
    // A second time, they change nothing.
    for (const _ of ['once', 'twice']) {
      await store.updateAgenda(updates)
      expect(await agendaOf(store)).toEqual(range(1, 5).map((id) => at(id, 30)))
      expect(await openIds(store)).toEqual(range(1, 5))
    }
  })

  test('makes concurrent updates of one auction, in any order', async (subject) => {
    const handles = [subject.store, await otherHandle(subject)]
    const ids = range(1, 12)
    await insertEnding(subject.store, ids)
    // Each call names all auctions, alternately from the first to the last and from the last to the first.
    const calls = range(0, 9).map((call) => {
      const updates = ids.map((id) => {
        if (id % 4 === 0 && call % 3 === 1) return ended(id, baseMs + call)
        // Of every fifth, the most corrections count, and not the latest time.
        if (id % 5 === 0) return due(id, baseMs + 100 * id + 18 - ((call * 7) % 10), (call * 7) % 10)
        return due(id, baseMs + 100 * id + ((call * 7) % 10))
      })
      return handles[call % 2]?.updateAgenda(call % 4 < 2 ? updates : updates.toReversed())
    })
    await Promise.all(calls)
    const open = ids.filter((id) => id % 4 !== 0)
    for (const handle of handles) {
      expect(await agendaOf(handle)).toEqual(open.map((id) => [id, baseMs + 100 * id + 9]))
      expect(await openIds(handle)).toEqual(open)
    }
  })
}

function paging({ test, expect }: Suite): void {
  test('skips and repeats no auction on the agenda while places move and auctions end', async (subject) => {
    const other = await otherHandle(subject)
    await insertEnding(subject.store, range(1, 12))
    const betweens: Readonly<Record<number, readonly AgendaUpdate[]>> = {
      1: [due(2, baseMs + 50), due(3, baseMs + 30), due(5, baseMs + 100), ended(6, baseMs), ended(1, baseMs)],
      2: [ended(8, baseMs), due(4, baseMs + 9), ended(10, baseMs)],
    }
    const query = { order: 'agenda', limit: 3 } as const
    const seen = await walk(subject.store, query, (page) => other.updateAgenda(betweens[page] ?? []))
    // An auction that moves to a place after the position is listed there again; one that moves to a place before it is
    // not.
    expect(seen).toEqual([1, 2, 3, 4, 7, 8, 4, 9, 11, 12, 3, 2, 5])
  })

  test('lists the newest open auctions, page by page, while others end', async (subject) => {
    const other = await otherHandle(subject)
    await insertAll(
      subject.store,
      range(1, 20).map((id) => ({ ...sampleAt(id, id), createdAtMs: baseMs + Math.floor(id / 2) })),
    )
    await subject.store.updateAgenda(
      range(1, 20).map((id) => (id % 3 === 0 ? ended(id, baseMs) : due(id, baseMs + 99))),
    )
    const query = { order: 'newest', stages: agendaStages, limit: 4 } as const
    const open = range(1, 20)
      .filter((id) => id % 3 !== 0)
      .toReversed()
    for (const limit of [1, 4, 14, 15]) expect(await walk(subject.store, { ...query, limit })).toEqual(open)
    const ends = [13, 19, 1].map((id) => ended(id, baseMs))
    const seen = await walk(subject.store, query, (page) => other.updateAgenda(ends.slice(page - 1, page)))
    expect(seen).toEqual(open.filter((id) => id !== 13 && id !== 1))
  })
}
