import type { Entry } from '@auction/domain/store'
import { sampleEntries, sampleEntry } from '../samples.ts'
import { auctionIdOf, ledgerOf, range, sequencesOf } from './helpers.ts'
import { otherHandle, type Suite } from './suite.ts'

/** Twelve entries with falling ids, because processes take ids from separate blocks, and with the same time. */
const entries: readonly Entry[] = range(1, 12).map((sequence) => sampleEntry({ id: 50 - sequence, sequence, atMs: 7 }))

/** An auction's entries are listed newest first, page by page. */
export function entryLists({ test, expect }: Suite): void {
  test('lists entries newest first, by number, up to the limit', async ({ store }) => {
    await store.append(entries)
    const newestFirst = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
    for (const limit of [1, 2, 11, 12, 13, 102]) {
      const page = await store.listEntries(auctionIdOf(1), { limit })
      expect(sequencesOf(page)).toEqual(newestFirst.slice(0, limit))
    }
  })

  test('lists the entries before a sequence', async ({ store }) => {
    await store.append(entries)
    const before = async (sequence: number, limit = 3) =>
      sequencesOf(await store.listEntries(auctionIdOf(1), { limit, before: sequence }))
    expect(await before(100)).toEqual([12, 11, 10])
    expect(await before(13)).toEqual([12, 11, 10])
    expect(await before(12)).toEqual([11, 10, 9])
    expect(await before(10)).toEqual([9, 8, 7])
    expect(await before(3)).toEqual([2, 1])
    expect(await before(2)).toEqual([1])
    expect(await before(1)).toEqual([])
    expect(await before(12, 102)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  })

  test('lists no entries before the first sequence or a lower number', async ({ store }) => {
    await store.append(sampleEntries(3))
    for (const before of [1, 0, -1, -2, -3, -100, Number.MIN_SAFE_INTEGER]) {
      expect(await store.listEntries(auctionIdOf(1), { limit: 2, before })).toStrictEqual([])
      expect(await store.listEntries(auctionIdOf(1), { limit: 100, before })).toStrictEqual([])
    }
  })

  test('skips and repeats no entries from page to page while others append', async (subject) => {
    const other = await otherHandle(subject)
    await subject.store.append(sampleEntries(9))
    const seen: number[] = []
    for (let round = 0; seen.at(-1) !== 1 && round < 20; round++) {
      const before = seen.at(-1)
      const query = { limit: 2, ...(before === undefined ? {} : { before }) }
      seen.push(...sequencesOf(await subject.store.listEntries(auctionIdOf(1), query)))
      const next = sampleEntries(10 + round * 2).slice(-2)
      await other.append(round === 0 ? next.slice(1) : next)
    }
    expect(seen).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
    expect(sequencesOf(await ledgerOf(subject.store)).slice(9, 10)).toEqual([10])
  })
}
