import { type AgendaUpdate, agendaStages } from '@auction/domain/store'
import { sampleAuction } from '../samples.ts'
import { at, baseMs, insertEnding, openIds, sampleAt } from './agenda-samples.ts'
import {
  agendaOf,
  auctionIdOf,
  creationKey,
  due,
  ended,
  idsOf,
  insertAll,
  keyedAuction,
  listed,
  range,
  walk,
} from './helpers.ts'
import { otherHandle, type Suite } from './suite.ts'

export function endingAtAnyTime({ test, expect }: Suite): void {
  test('ends auctions at any time, before or after that of their position', async ({ store }) => {
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

  test('keeps the position of an auction that is inserted again', async ({ store }) => {
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

export function together({ test, expect }: Suite): void {
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
      (afterMs: number, changeCount?: number): Update =>
      (id) =>
        due(id, baseMs + afterMs, changeCount)
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
}

export function updatingAtOnce({ test, expect }: Suite): void {
  test('makes concurrent updates of one auction, in any order', async (subject) => {
    const handles = [subject.store, await otherHandle(subject)]
    const ids = range(1, 12)
    await insertEnding(subject.store, ids)
    // Each call names all auctions, alternately from the first to the last and from the last to the first.
    const calls = range(0, 9).map((call) => {
      const updates = ids.map((id) => {
        if (id % 4 === 0 && call % 3 === 1) return ended(id, baseMs + call)
        // Of every fifth, the most changes count, and not the latest time.
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

export function paging({ test, expect }: Suite): void {
  test('skips and repeats no auction on the agenda while positions move and auctions end', async (subject) => {
    const other = await otherHandle(subject)
    await insertEnding(subject.store, range(1, 12))
    const betweens: Readonly<Record<number, readonly AgendaUpdate[]>> = {
      1: [due(2, baseMs + 50), due(3, baseMs + 30), due(5, baseMs + 100), ended(6, baseMs), ended(1, baseMs)],
      2: [ended(8, baseMs), due(4, baseMs + 9), ended(10, baseMs)],
    }
    const query = { order: 'agenda', limit: 3 } as const
    const seen = await walk(subject.store, query, (page) => other.updateAgenda(betweens[page] ?? []))
    // An auction that moves to a time after the position is listed there again; one that moves to a time before it is
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
