import { isoOf } from '../../moment.ts'
import type { AuctionQuery } from '../../store.ts'
import { type AuctionSample, sampleAuction } from '../samples.ts'
import { walk } from './auction-lists.ts'
import { auctionIdOf, idsOf, insertAll, listed, range } from './helpers.ts'
import { otherHandle, type Suite } from './suite.ts'

const nowMs = Date.parse('2030-02-10T12:00:00Z')
const weekMs = 7 * 24 * 60 * 60 * 1000
const overtime = { order: 'endTime', inOvertimeAtMs: nowMs } as const

/** An auction that ended so long ago, and may go on for so long, in milliseconds. */
const sampleInOvertime = (id: number, agoMs: number, leftMs = 1): AuctionSample => ({
  id,
  startTime: '2030-01-01T00:00:00Z',
  endTime: isoOf(nowMs - agoMs),
  softClose: { windowSeconds: 60, extensionSeconds: 60, latestEndTime: isoOf(nowMs + leftMs) },
})

/** Auctions past their `endTime` that bids may keep open are listed by themselves, the soonest `endTime` first. */
export function overtimeLists({ test, expect }: Suite): void {
  test('lists auctions in overtime as they are, from their end until a millisecond before their latest end', async ({
    store,
  }) => {
    const { softClose: _, ...plain } = sampleInOvertime(1, 0)
    const isThere: readonly (readonly [sample: AuctionSample, isThere: boolean])[] = [
      [sampleInOvertime(2, 0), true],
      [sampleInOvertime(3, -1), false],
      [sampleInOvertime(4, 1, 0), false],
      [sampleInOvertime(5, 1, -1), false],
      [{ ...sampleInOvertime(6, weekMs - 1), title: 'A vase' }, true],
      [{ ...sampleInOvertime(7, weekMs, 0) }, false],
      [{ ...sampleInOvertime(8, 1_000), reservePriceMinor: 0, buyNowPriceMinor: 900_00 }, true],
      [{ ...plain, buyNowPriceMinor: 900_00, reservePriceMinor: 200_00, cancellableUntilEnd: true }, false],
    ]
    for (const [sample] of isThere) await store.insertAuction(sampleAuction(sample))
    const there = isThere.filter(([, is]) => is).map(([sample]) => sampleAuction(sample))
    expect(await listed(store, overtime)).toStrictEqual(there.toSorted((a, b) => a.endTime.epochMs - b.endTime.epochMs))
  })

  test('lists the soonest end first of those in overtime, whatever their latest ends, and the lower id of one millisecond', async ({
    store,
  }) => {
    const samples = [
      sampleInOvertime(10, 500, 3),
      sampleInOvertime(Number.MAX_SAFE_INTEGER, 500, 1),
      sampleInOvertime(9, 500, 2_000),
      sampleInOvertime(3, 600, 5_000),
      sampleInOvertime(4, 400, 4),
      sampleInOvertime(100, 500, 1),
    ]
    for (const sample of samples) await store.insertAuction(sampleAuction(sample))
    const inOrder = [3, 9, 10, 100, Number.MAX_SAFE_INTEGER, 4]
    expect(idsOf(await listed(store, overtime))).toEqual(inOrder)
    for (const limit of [1, 2, 5, 6]) expect(await walk(store, { ...overtime, limit })).toEqual(inOrder)
  })

  test('keeps lists of those in overtime to their limit, and says whether they go on', async ({ store }) => {
    await insertAll(
      store,
      range(1, 9).map((id) => sampleInOvertime(id, 1_000 - id)),
    )
    // Some that are not: before, between and behind those that are.
    await insertAll(store, [sampleInOvertime(10, 2_000, 0), sampleInOvertime(11, 995, 0), sampleInOvertime(12, -1)])
    for (const limit of [1, 8, 9, 10]) {
      const { auctions, next } = await store.listAuctions({ ...overtime, limit })
      expect(idsOf(auctions)).toEqual(range(1, Math.min(limit, 9)))
      expect(next).toEqual(limit < 9 ? { order: 'endTime', endMs: nowMs - 1_000 + limit, id: limit } : undefined)
    }
  })

  test('lists those in overtime that come after a place, whether or not an auction stands there', async ({ store }) => {
    await insertAll(store, [sampleInOvertime(10, 2_000), sampleInOvertime(20, 2_000), sampleInOvertime(15, 1_000)])
    const places: readonly (readonly [agoMs: number, id: number, ids: readonly number[]])[] = [
      [2 * weekMs, 99, [10, 20, 15]],
      [2_001, 99, [10, 20, 15]],
      [2_000, 9, [10, 20, 15]],
      [2_000, 10, [20, 15]],
      [2_000, 20, [15]],
      [1_500, 1, [15]],
      [1_000, 15, []],
      [0, Number.MAX_SAFE_INTEGER, []],
      [-1_000, 1, []],
    ]
    for (const [agoMs, id, ids] of places) {
      const after = { order: 'endTime', endMs: nowMs - agoMs, id: auctionIdOf(id) } as const
      expect(idsOf(await listed(store, { ...overtime, after }))).toEqual(ids)
    }
  })

  test('skips and repeats nothing in overtime while others insert', async (subject) => {
    const other = await otherHandle(subject)
    // Each later id ended later.
    const sample = (id: number) => sampleInOvertime(id, 1_000 - 2 * Math.floor(id / 2))
    await insertAll(subject.store, range(1, 12).map(sample))
    const more = range(13, 20)
    const query: AuctionQuery = { ...overtime, limit: 2 }
    const seen = await walk(subject.store, query, (page) =>
      insertAll(other, more.slice(page * 2 - 2, page * 2).map(sample)),
    )
    expect(seen).toEqual(range(1, 20))
  })
}
