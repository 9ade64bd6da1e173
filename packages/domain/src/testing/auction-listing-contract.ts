import { type Auction, auctionStatuses } from '../auction.ts'
import type { AuctionPosition, AuctionQuery, AuctionStore } from '../ports/auction-store.ts'
import type { TestRunner } from './runner.ts'
import { type AuctionSample, sampleAuction } from './samples.ts'
import { otherHandle, type StoreSubject, testsOf } from './subject.ts'

type MakeSubject = () => Promise<StoreSubject<AuctionStore>>

/** The part of the auction store's contract that is about its lists: their order, pages and statuses. */
export function auctionListingContract(runner: TestRunner, makeSubject: MakeSubject): void {
  listing(runner, makeSubject)
  paging(runner, makeSubject)
  filtering(runner, makeSubject)
}

/** A moment of creation, in milliseconds since 1970. */
const createdAtMs = 1_890_000_000_000

async function insertAll(store: AuctionStore, samples: readonly AuctionSample[]): Promise<void> {
  for (const sample of samples) await store.insert(sampleAuction(sample))
}

const idsOf = (auctions: readonly Auction[]): readonly number[] => auctions.map(({ id }) => id)

const positionOf = (sample: AuctionSample): AuctionPosition => {
  const { createdAtMs, id } = sampleAuction(sample)
  return { createdAtMs, id }
}

function listing(runner: TestRunner, makeSubject: MakeSubject): void {
  const { expect } = runner
  const test = testsOf(runner, makeSubject)

  test('lists the newest first, by number, whatever their ids and the order of their inserts', async ({ store }) => {
    await insertAll(store, [
      { id: 1, createdAtMs: 1_000 },
      { id: 2, createdAtMs: 999 },
      { id: 5, createdAtMs: createdAtMs + 1 },
      { id: 3, createdAtMs: createdAtMs + 2 },
      { id: 4, createdAtMs },
    ])
    expect(idsOf(await store.list({ limit: 10 }))).toEqual([3, 5, 4, 1, 2])
  })

  test('lists the higher id first of those of one millisecond, by number', async ({ store }) => {
    const ids = [9, Number.MAX_SAFE_INTEGER, 10, 100, 1]
    await insertAll(
      store,
      ids.map((id) => ({ id, createdAtMs })),
    )
    expect(idsOf(await store.list({ limit: 10 }))).toEqual([Number.MAX_SAFE_INTEGER, 100, 10, 9, 1])
  })

  test('keeps to the limit', async ({ store }) => {
    await insertAll(store, countFrom(1, 25))
    const newestFirst = idsOf(countFrom(1, 25).map(sampleAuction)).toReversed()
    for (const limit of [1, 2, 20, 24, 25, 26, 101]) {
      expect(idsOf(await store.list({ limit }))).toEqual(newestFirst.slice(0, limit))
    }
  })
}

/** Samples with the ids from `first` to `last`, two in each millisecond. */
const countFrom = (first: number, last: number): readonly AuctionSample[] =>
  Array.from({ length: last - first + 1 }, (_, index) => ({
    id: first + index,
    createdAtMs: createdAtMs + Math.floor((first + index) / 2),
  }))

/** The ids of all pages. `between` is done after each page, as others do it while somebody pages. */
async function walk(
  store: AuctionStore,
  query: AuctionQuery,
  between: (page: number) => Promise<void>,
): Promise<readonly number[]> {
  const seen: number[] = []
  let after: AuctionPosition | undefined
  for (let page = 1; page <= 100; page++) {
    const auctions = await store.list({ ...query, ...(after && { after }) })
    const last = auctions.at(-1)
    if (last === undefined) break
    seen.push(...idsOf(auctions))
    after = { createdAtMs: last.createdAtMs, id: last.id }
    await between(page)
  }
  return seen
}

const descending = (from: number, to: number): readonly number[] =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index)

function paging(runner: TestRunner, makeSubject: MakeSubject): void {
  const { expect } = runner
  const test = testsOf(runner, makeSubject)

  test('lists what comes after a place, whether or not an auction stands there', async ({ store }) => {
    const places = [
      { id: 10, createdAtMs: 1_000 },
      { id: 20, createdAtMs: 1_000 },
      { id: 15, createdAtMs: 2_000 },
    ]
    await insertAll(store, places)
    const after = async (sample: AuctionSample) => idsOf(await store.list({ limit: 10, after: positionOf(sample) }))
    expect(await after({ id: 1, createdAtMs: 3_000 })).toEqual([15, 20, 10])
    expect(await after({ id: 16, createdAtMs: 2_000 })).toEqual([15, 20, 10])
    expect(await after({ id: 15, createdAtMs: 2_000 })).toEqual([20, 10])
    expect(await after({ id: 99, createdAtMs: 1_500 })).toEqual([20, 10])
    expect(await after({ id: 20, createdAtMs: 1_000 })).toEqual([10])
    expect(await after({ id: 12, createdAtMs: 1_000 })).toEqual([10])
    expect(await after({ id: 10, createdAtMs: 1_000 })).toEqual([])
    expect(await after({ id: 99, createdAtMs: 999 })).toEqual([])
  })

  test('skips and repeats nothing from page to page', async ({ store }) => {
    await insertAll(store, countFrom(1, 23))
    for (const limit of [1, 2, 3, 23]) {
      expect(await walk(store, { limit }, async () => undefined)).toEqual(descending(23, 1))
    }
  })

  test('skips and repeats nothing among auctions of one millisecond', async ({ store }) => {
    await insertAll(
      store,
      countFrom(1, 12).map((sample) => ({ ...sample, createdAtMs })),
    )
    for (const limit of [1, 2, 5]) {
      expect(await walk(store, { limit }, async () => undefined)).toEqual(descending(12, 1))
    }
  })

  test('skips and repeats nothing while others insert', async (subject) => {
    const other = await otherHandle(subject)
    await insertAll(subject.store, countFrom(1, 12))
    const newer = countFrom(13, 24)
    const insertNewer = (page: number) => insertAll(other, newer.slice(page * 2 - 2, page * 2))
    expect(await walk(subject.store, { limit: 2 }, insertNewer)).toEqual(descending(12, 1))
    expect(await walk(subject.store, { limit: 100 }, async () => undefined)).toEqual(descending(24, 1))
  })
}

/** The statuses under which an auction is listed. */
async function statusesListed(store: AuctionStore, id: number, nowMs: number): Promise<readonly string[]> {
  const listed: string[] = []
  for (const is of auctionStatuses) {
    const found = await store.list({ limit: 10, status: { is, nowMs } })
    if (found.some((auction) => auction.id === id)) listed.push(is)
  }
  return listed
}

function filtering(runner: TestRunner, makeSubject: MakeSubject): void {
  const { expect } = runner
  const test = testsOf(runner, makeSubject)
  // What is finer than a millisecond is dropped, and a moment without a fraction is not after one that is written with .000.
  const edges = [
    { startTime: '2030-01-31T12:00:00.500999999Z', endTime: '2030-02-07T12:00:00Z' },
    { startTime: '2030-01-31T12:00:00Z', endTime: '2030-02-07T12:00:00.250999999Z' },
  ]

  test('filters by the status, which turns at the exact millisecond of the start and of the end', async ({ store }) => {
    for (const [index, times] of edges.entries()) {
      const { id, startTime, endTime } = sampleAuction({ id: index + 1, ...times })
      await store.insert(sampleAuction({ id, ...times }))
      const statusesAt = (nowMs: number) => statusesListed(store, id, nowMs)
      expect(await statusesAt(0)).toEqual(['Pending'])
      expect(await statusesAt(startTime.epochMs - 1)).toEqual(['Pending'])
      expect(await statusesAt(startTime.epochMs)).toEqual(['Active'])
      expect(await statusesAt(endTime.epochMs - 1)).toEqual(['Active'])
      expect(await statusesAt(endTime.epochMs)).toEqual(['Ended'])
      expect(await statusesAt(endTime.epochMs + 1e12)).toEqual(['Ended'])
    }
  })

  test('counts only auctions of the status towards the limit, from page to page', async ({ store }) => {
    const windows = [
      { startTime: '2030-03-01T00:00:00Z', endTime: '2030-04-01T00:00:00Z' },
      { startTime: '2030-01-01T00:00:00Z', endTime: '2030-04-01T00:00:00Z' },
      { startTime: '2030-01-01T00:00:00Z', endTime: '2030-02-01T00:00:00Z' },
    ]
    await insertAll(
      store,
      countFrom(1, 18).map((sample, index) => ({ ...sample, ...windows[index % 3] })),
    )
    const nowMs = Date.parse('2030-02-15T00:00:00Z')
    const expected = { Pending: [16, 13, 10, 7, 4, 1], Active: [17, 14, 11, 8, 5, 2], Ended: [18, 15, 12, 9, 6, 3] }
    for (const is of auctionStatuses) {
      expect(idsOf(await store.list({ limit: 4, status: { is, nowMs } }))).toEqual(expected[is].slice(0, 4))
      expect(await walk(store, { limit: 2, status: { is, nowMs } }, async () => undefined)).toEqual(expected[is])
    }
  })
}
