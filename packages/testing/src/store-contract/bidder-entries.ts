import type { AuctionEvent } from '@auction/domain/auction'
import { toEntryId, toUserId } from '@auction/domain/ids'
import { type AuctionEntry, apartOf, type BidderQuery, type Entry, type Store } from '@auction/domain/store'
import {
  type EntrySample,
  sampleBought,
  sampleCancelled,
  sampleClosed,
  sampleEntries,
  sampleEntry,
  sampleMaximumRaised,
  sampleSealedLedger,
} from '../samples.ts'
import { idsOf, range } from './helpers.ts'
import { otherHandle, type Suite } from './suite.ts'
import { showing } from './visibility.ts'

const [bidder, other] = [toUserId(2), toUserId(22)]
const atMs = 1_890_000_000_000

/** Bids of one user, each on a separate auction, because the order is that of all auctions. */
const bids = (samples: readonly EntrySample[]): readonly Entry[] =>
  samples.map((sample, index) => sampleEntry({ auctionId: index + 1, ...sample }))

const appendAll = (store: Store, entries: readonly Entry[]) =>
  Promise.all(entries.map((entry) => store.append([entry])))

const bidsOf = async (store: Store, query: Partial<BidderQuery> = {}, bidderId = bidder) =>
  idsOf((await store.listBidderEntries?.(bidderId, { limit: 100, ...query })) ?? [])

const after = (timeMs: number, id: number) => ({ after: { timeMs, id: toEntryId(id) } })

/** The bids and purchases of a user are listed newest first, page by page. */
export function bidderEntries(suite: Suite): void {
  suite.needing('bidderEntries', () => {
    declare(suite)
    sealed(suite)
    pages(suite)
    showing(suite)('lists a bid of a bidder at once, after lists of the previous ones', {
      turns: 6,
      write: (writer, sequence) => writer.append([sampleEntry({ id: sequence, sequence })]),
      read: async (handle) => handle.listBidderEntries?.(sampleEntry().event.bidderId, { limit: 2 }),
      expected: (written) => sampleEntries(written).slice(-2).toReversed(),
    })
  })
}

function declare({ test, expect }: Suite): void {
  test('lists the bids of a bidder newest first, by number, in all auctions, up to the limit', async ({ store }) => {
    const placed = bids([
      { id: 50, atMs: 999 },
      { id: 3, atMs: 1_000 },
      { id: 20, atMs },
      { id: 100, atMs },
      { id: 7, atMs: atMs + 1 },
      { id: 60, atMs: -1 },
    ])
    await appendAll(store, placed)
    await store.append([sampleEntry({ id: 9, auctionId: 1, sequence: 2, atMs: atMs - 1 })])
    const newestFirst = [7, 100, 20, 9, 3, 50, 60]
    for (const limit of [1, 6, 7, 8, 101]) expect(await bidsOf(store, { limit })).toEqual(newestFirst.slice(0, limit))
    expect(await store.listBidderEntries?.(bidder, { limit: 2 })).toStrictEqual([placed[4], placed[3]])
  })

  test('lists the largest pages of the bids of a bidder, and distinguishes bidders by every digit', async ({
    store,
  }) => {
    const bidderIds = [2, 2 ** 32 + 2, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1]
    for (const [index, bidderId] of bidderIds.entries()) {
      const placed = range(1, index === 0 ? 501 : 1).map((sequence) =>
        sampleEntry({ id: 1_000 * index + sequence, auctionId: index + 1, sequence, bidderId }),
      )
      await store.append(placed.slice(0, 250))
      await store.append(placed.slice(250))
    }
    const newestFirst = range(1, 501).toReversed()
    for (const limit of [100, 101, 499, 500, 501, 502]) {
      expect(await bidsOf(store, { limit })).toEqual(newestFirst.slice(0, limit))
    }
    for (const [index, id] of bidderIds.entries()) {
      expect((await bidsOf(store, { limit: 2 }, toUserId(id))).at(-1)).toBe(index === 0 ? 500 : 1_000 * index + 1)
    }
  })

  test('lists only the bids that the bidder placed, and their purchases', async ({ store }) => {
    const automatic = { bidderId: bidder, amountMinor: 110_00 }
    const ends: readonly AuctionEntry<AuctionEvent>[] = [
      sampleBought({ id: 41, auctionId: 4 }),
      sampleBought({ id: 71, auctionId: 7, bidderId: other }),
      sampleCancelled({ id: 51, auctionId: 5 }),
      sampleClosed({ id: 61, auctionId: 6, sequence: 2 }),
    ]
    await store.append([
      sampleEntry({ id: 11, maximumMinor: 200_00 }),
      sampleEntry({ id: 12, sequence: 2, bidderId: other, automatic }),
      sampleMaximumRaised({ id: 14, sequence: 3, maximumMinor: 300_00 }),
    ])
    await store.append([sampleEntry({ id: 60, auctionId: 6 })])
    for (const end of ends) await store.append([end])
    expect(await bidsOf(store)).toEqual([60, 41, 11])
    expect(await bidsOf(store, {}, other)).toEqual([12, 71])
    expect(await bidsOf(store, {}, toUserId(3))).toEqual([])
  })
}

function sealed({ test, expect }: Suite): void {
  test('lists the sealed bids of a bidder, and the withdrawals by the bidder, apart from others', async ({ store }) => {
    const ledger = sampleSealedLedger({ id: 10, bidderId: other })
    await store.append(ledger)
    await store.append([sampleEntry({ id: 5, auctionId: 2, bidderId: 3, atMs: 1 })])
    expect(await store.listBidderEntries?.(apartOf(other), { limit: 10 })).toStrictEqual([ledger[0]])
    expect(await bidsOf(store, {}, apartOf(toUserId(3)))).toEqual([12, 11])
    expect([await bidsOf(store, {}, other), await bidsOf(store, {}, toUserId(3))]).toEqual([[], [5]])
  })
}

function pages({ test, expect }: Suite): void {
  test('lists the bids of a bidder after a position, with or without a bid at it', async ({ store }) => {
    await appendAll(store, bids([10, 9, 30].map((id) => ({ id, atMs })).concat({ id: 20, atMs: atMs - 1 })))
    await appendAll(store, [sampleEntry({ id: 11, auctionId: 9, bidderId: other, atMs })])
    expect(await bidsOf(store, after(atMs + 1, 1))).toEqual([30, 10, 9, 20])
    expect(await bidsOf(store, after(atMs, 31))).toEqual([30, 10, 9, 20])
    expect(await bidsOf(store, after(atMs, 30))).toEqual([10, 9, 20])
    expect(await bidsOf(store, after(atMs, 12))).toEqual([10, 9, 20])
    expect(await bidsOf(store, after(atMs, 10))).toEqual([9, 20])
    expect(await bidsOf(store, { ...after(atMs, 30), limit: 1 })).toEqual([10])
    expect(await bidsOf(store, after(atMs, 9))).toEqual([20])
    expect(await bidsOf(store, after(atMs - 1, 99))).toEqual([20])
    expect(await bidsOf(store, after(atMs - 1, 20))).toEqual([])
    expect(await bidsOf(store, after(1, 99))).toEqual([])
  })

  test('skips and repeats no bid of a bidder from page to page while others append', async (subject) => {
    const { store } = subject
    const handle = await otherHandle(subject)
    // Three in each millisecond.
    const samples = range(1, 9).map((id) => ({ id, atMs: atMs + Math.floor(id / 3) }))
    await appendAll(store, bids(samples))
    const seen: number[] = []
    let query: BidderQuery = { limit: 2 }
    for (const round of range(1, 6)) {
      const page = (await store.listBidderEntries?.(bidder, query)) ?? []
      seen.push(...idsOf(page))
      const last = page.at(-1)
      if (last === undefined) break
      query = { limit: 2, after: { timeMs: last.atMs, id: last.id } }
      const next = { id: 20 + round, auctionId: 20 + round, atMs: atMs + 9 }
      await handle.append([sampleEntry(next)])
    }
    expect(seen).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
  })
}
