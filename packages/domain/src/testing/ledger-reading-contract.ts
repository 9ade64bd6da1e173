import type { Bid } from '../bid.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { TestRunner } from './runner.ts'
import { sampleBid, sampleBids } from './samples.ts'
import { otherHandle, type StoreSubject, testsOf } from './subject.ts'

type MakeSubject = () => Promise<StoreSubject<Ledger>>

/** The part of the ledger's contract that is about reading: its heads, its pages, and bids by their ids. */
export function ledgerReadingContract(runner: TestRunner, makeSubject: MakeSubject): void {
  reading(runner, makeSubject)
  paging(runner, makeSubject)
}

export const auction = (auctionId: number) => sampleBid({ auctionId }).auctionId
export const bidIds = (ids: readonly number[]) => ids.map((id) => sampleBid({ id }).id)
export const sequencesOf = (bids: readonly Bid[]): readonly number[] => bids.map(({ sequence }) => sequence)

/** All that is stored of an auction, oldest first. */
export const contentsOf = async (ledger: Ledger, auctionId = 1): Promise<readonly Bid[]> =>
  (await ledger.page(auction(auctionId), { limit: 1_000 })).toReversed()

function reading(runner: TestRunner, makeSubject: MakeSubject): void {
  const { expect } = runner
  const test = testsOf(runner, makeSubject)

  test('knows nothing of unknown auctions and bids', async ({ store }) => {
    for (const stored of [[], [sampleBid({ id: 11, auctionId: 11 })]]) {
      await store.append(stored)
      expect(await store.head(auction(1))).toBe(undefined)
      expect(await store.page(auction(1), { limit: 10 })).toStrictEqual([])
      expect(await store.find(bidIds([1, 2]))).toStrictEqual([])
      expect(await store.find([])).toStrictEqual([])
    }
  })

  test('finds those of many ids that are stored', async ({ store }) => {
    await store.append(sampleBids(20))
    await store.append(sampleBids(20, { auctionId: 2, afterId: 100 }))
    const found = await store.find(bidIds([999, 3, 120, 500, 20, 101, 77]))
    expect(found.toSorted((a, b) => a.id - b.id)).toStrictEqual([
      ...sampleBids(20).filter(({ id }) => id === 3 || id === 20),
      ...sampleBids(20, { auctionId: 2, afterId: 100 }).filter(({ id }) => id === 101 || id === 120),
    ])
  })

  test('answers the highest sequence as the head, by number, whatever the ids, amounts and times', async ({
    store,
  }) => {
    const bids = Array.from({ length: 12 }, (_, index) =>
      sampleBid({ id: 50 - index, sequence: index + 1, amountMinor: 1_000 - index, timestampMs: 7 }),
    )
    for (const bid of bids) {
      await store.append([bid])
      expect(await store.head(auction(1))).toStrictEqual(bid)
    }
  })

  test('keeps auctions apart', async ({ store }) => {
    const auctionIds = [1, 2, 11, 21, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1]
    const bidsOf = (auctionId: number, index: number) => sampleBids(index + 1, { auctionId, afterId: index * 100 })
    await store.append(auctionIds.flatMap(bidsOf))
    for (const [index, auctionId] of auctionIds.entries()) {
      expect(await contentsOf(store, auctionId)).toStrictEqual(bidsOf(auctionId, index))
      expect(await store.head(auction(auctionId))).toStrictEqual(bidsOf(auctionId, index).at(-1))
    }
  })
}

function paging(runner: TestRunner, makeSubject: MakeSubject): void {
  const { expect } = runner
  const test = testsOf(runner, makeSubject)

  test('pages newest first, by number, and keeps to the limit', async ({ store }) => {
    await store.append(sampleBids(12))
    const newestFirst = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
    for (const limit of [1, 2, 11, 12, 13, 101]) {
      const page = await store.page(auction(1), { limit })
      expect(sequencesOf(page)).toEqual(newestFirst.slice(0, limit))
    }
  })

  test('pages what comes before a sequence', async ({ store }) => {
    await store.append(sampleBids(12))
    const before = async (sequence: number, limit = 3) =>
      sequencesOf(await store.page(auction(1), { limit, before: sequence }))
    expect(await before(100)).toEqual([12, 11, 10])
    expect(await before(13)).toEqual([12, 11, 10])
    expect(await before(12)).toEqual([11, 10, 9])
    expect(await before(10)).toEqual([9, 8, 7])
    expect(await before(3)).toEqual([2, 1])
    expect(await before(2)).toEqual([1])
    expect(await before(1)).toEqual([])
    expect(await before(12, 101)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  })

  test('pages nothing before the first sequence, and before what is none', async ({ store }) => {
    await store.append(sampleBids(3))
    for (const before of [1, 0, -1, -2, -3, -100, Number.MIN_SAFE_INTEGER]) {
      expect(await store.page(auction(1), { limit: 2, before })).toStrictEqual([])
      expect(await store.page(auction(1), { limit: 100, before })).toStrictEqual([])
    }
  })

  test('skips and repeats nothing from page to page while others append', async (subject) => {
    const other = await otherHandle(subject)
    await subject.store.append(sampleBids(9))
    const seen: number[] = []
    for (let round = 0; seen.at(-1) !== 1 && round < 20; round++) {
      const before = seen.at(-1)
      const query = { limit: 2, ...(before === undefined ? {} : { before }) }
      seen.push(...sequencesOf(await subject.store.page(auction(1), query)))
      const next = sampleBids(10 + round * 2).slice(-2)
      await other.append(round === 0 ? next.slice(1) : next)
    }
    expect(seen).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
    expect((await contentsOf(subject.store)).length > 9).toBe(true)
  })
}
