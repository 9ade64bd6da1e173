import { isoOf } from '@auction/domain/moment'
import { type AgendaUpdate, agendaStages, type Stage, stages } from '@auction/domain/store'
import { at, baseMs, insertEnding, openIds, sampleAt } from './agenda-samples.ts'
import { endingAtAnyTime, paging, together, updatingAtOnce } from './agenda-updates.ts'
import {
  agendaOf,
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
import type { Suite } from './suite.ts'

/** An auction has a position on the agenda from its insert until it has ended. */
export function agenda(suite: Suite): void {
  beginning(suite)
  moving(suite)
  correcting(suite)
  ending(suite)
  endingAtAnyTime(suite)
  together(suite)
  updatingAtOnce(suite)
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

  test('keeps the times of positions exact, including times before 1970', async ({ store }) => {
    const [first, last] = [-62_135_596_800_000, 253_402_300_799_999]
    const times = [first, first + 1, -1_000, -999, -1, 0, 1, 2 ** 31, 2 ** 32 + 1, last - 1, last]
    const ends = times.map((endMs, index) => ({ ...sampleAt(index + 1, endMs - baseMs), startTime: isoOf(first) }))
    await insertAll(store, [...ends].toReversed())
    const positions = times.map((endMs, index) => [index + 1, endMs] as const)
    expect(await agendaOf(store)).toEqual(positions)
    for (const limit of [1, 4]) expect(await walk(store, { order: 'agenda', limit })).toEqual(range(1, times.length))
    for (const [index, dueByMs] of times.entries()) {
      expect(await agendaOf(store, { dueByMs })).toEqual(positions.slice(0, index + 1))
    }
    await store.updateAgenda([due(1, -500), due(3, last), due(5, -2)])
    const changed = positions.map(([id, timeMs]) => [id, id === 1 ? -500 : id === 3 ? last : timeMs] as const)
    expect(await agendaOf(store)).toEqual(changed.toSorted(([a, aMs], [b, bMs]) => aMs - bMs || a - b))
  })
}

function moving({ test, expect }: Suite): void {
  test('moves positions only to later times', async ({ store }) => {
    await insertEnding(store, [10, 20, 30])
    let positionMs = 10
    for (const dueMs of [11, 10, 11, -1e12, 25, 24, 1e10, 30]) {
      await store.updateAgenda([due(1, baseMs + dueMs)])
      positionMs = Math.max(positionMs, dueMs)
      const positions = [at(1, positionMs), at(2, 20), at(3, 30)].toSorted((a, b) => a[1] - b[1])
      expect(await agendaOf(store)).toEqual(positions)
      const dueByMs = baseMs + positionMs
      expect(await agendaOf(store, { dueByMs: dueByMs - 1 })).toEqual(
        positions.filter(([, timeMs]) => timeMs < dueByMs),
      )
      expect(await agendaOf(store, { dueByMs })).toEqual(positions.filter(([, timeMs]) => timeMs <= dueByMs))
    }
  })

  test('changes only the position of an auction, which stays open', async ({ store }) => {
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
  test('moves positions to any time after more changes, and never back to that of fewer', async ({ store }) => {
    await insertEnding(store, [10, 20])
    // The update of each step, and the position after it.
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
    for (const [afterMs, changeCount, positionMs] of steps) {
      await store.updateAgenda([due(1, baseMs + afterMs, changeCount)])
      const positions = [at(1, positionMs), at(2, 20)].toSorted((a, b) => a[1] - b[1])
      expect(await agendaOf(store)).toEqual(positions)
      const dueByMs = baseMs + positionMs
      expect(await agendaOf(store, { dueByMs })).toEqual(positions.filter(([, timeMs]) => timeMs <= dueByMs))
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

  test('brings the check of an auction forward, in its stage and with its number of changes', async ({ store }) => {
    const startsAt = (afterMs: number) => ({ startTime: isoOf(baseMs + afterMs), createdAtMs: baseMs })
    await insertAll(store, [sampleAt(1, 10), { ...sampleAt(2, 90), ...startsAt(20) }, sampleAt(3, 30)])
    // The updates of each step, and the position of the first auction after it.
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
    for (const [updates, positionMs] of steps) {
      await store.updateAgenda(updates)
      expect((await agendaOf(store)).find(([id]) => id === 1)).toEqual(at(1, positionMs))
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
}
