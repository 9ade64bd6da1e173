import { auctionStatuses, statusAt } from '../../auction/status.ts'
import type { AuctionQuery, Store } from '../../store.ts'
import { type AuctionSample, sampleAuction } from '../samples.ts'
import { walk } from './auction-lists.ts'
import { idsOf, insertAll, listed, range } from './helpers.ts'
import type { Suite } from './suite.ts'

/** The statuses under which an auction is listed. */
async function statusesListed(store: Store, id: number, nowMs: number): Promise<readonly string[]> {
  const found: string[] = []
  for (const is of auctionStatuses) {
    const inBothOrders = [
      ...(await listed(store, { status: { is, nowMs } })),
      ...(await listed(store, { order: 'endTime', status: { is, nowMs } })),
    ]
    for (const auction of inBothOrders) if (auction.id === id) found.push(is)
  }
  return found
}

const nowMs = Date.parse('2030-02-15T00:00:00Z')
const windows = [
  { startTime: '2030-03-01T00:00:00Z', endTime: '2030-04-01T00:00:00Z' },
  { startTime: '2030-01-01T00:00:00Z', endTime: '2030-04-01T00:00:00Z' },
  { startTime: '2030-01-01T00:00:00Z', endTime: '2030-02-01T00:00:00Z' },
]
const owners = [1, 11, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1]
const products = [7, 77, 1]

/** Auctions of all statuses, owners and products, in an order in which no filter has a run. */
const mixed: readonly AuctionSample[] = range(1, 72).map((id) => ({
  id,
  ...windows[id % 3],
  ownerId: owners[(id * 5) % 4] ?? 1,
  productId: products[Math.floor(id / 12) % 3] ?? 1,
  // Some in each millisecond.
  createdAtMs: nowMs + Math.floor(id / 9),
}))

type Filter = Pick<AuctionQuery, 'status' | 'ownerId' | 'productId'>

/** Each filter alone, and all together in twos and threes. */
const filters: readonly Filter[] = [undefined, ...auctionStatuses].flatMap((is) =>
  [undefined, ...owners].flatMap((ownerId) =>
    [undefined, ...products].map((productId) => ({
      ...(is && { status: { is, nowMs } }),
      ...(ownerId && { ownerId: sampleAuction({ ownerId }).ownerId }),
      ...(productId && { productId: sampleAuction({ productId }).productId }),
    })),
  ),
)

function expectedIds({ status, ownerId, productId }: Filter, order: AuctionQuery['order']): readonly number[] {
  const found = mixed
    .map(sampleAuction)
    .filter(
      (auction) =>
        (status === undefined || statusAt(auction, status.nowMs) === status.is) &&
        (ownerId === undefined || auction.ownerId === ownerId) &&
        (productId === undefined || auction.productId === productId),
    )
  return idsOf(
    order === 'newest'
      ? found.toSorted((a, b) => b.id - a.id)
      : found.toSorted((a, b) => a.endTime.epochMs - b.endTime.epochMs || a.id - b.id),
  )
}

/** Auctions are listed by status, owner and product. */
export function auctionFilters({ test, expect }: Suite): void {
  // What is finer than a millisecond is dropped, and a moment without a fraction is not after one that is written with .000.
  const edges = [
    { startTime: '2030-01-31T12:00:00.500999999Z', endTime: '2030-02-07T12:00:00Z' },
    { startTime: '2030-01-31T12:00:00Z', endTime: '2030-02-07T12:00:00.250999999Z' },
  ]

  test('filters by the status, which turns at the exact millisecond of the start and of the end', async ({ store }) => {
    for (const [index, times] of edges.entries()) {
      const { id, startTime, endTime } = sampleAuction({ id: index + 1, ...times })
      await store.insertAuction(sampleAuction({ id, ...times }))
      const statusesAt = (atMs: number) => statusesListed(store, id, atMs)
      expect(await statusesAt(0)).toEqual(['Pending', 'Pending'])
      expect(await statusesAt(startTime.epochMs - 1)).toEqual(['Pending', 'Pending'])
      expect(await statusesAt(startTime.epochMs)).toEqual(['Active', 'Active'])
      expect(await statusesAt(endTime.epochMs - 1)).toEqual(['Active', 'Active'])
      expect(await statusesAt(endTime.epochMs)).toEqual(['Ended', 'Ended'])
      expect(await statusesAt(endTime.epochMs + 1e12)).toEqual(['Ended', 'Ended'])
    }
  })

  for (const order of ['newest', 'endTime'] as const) {
    const name = order === 'newest' ? 'the newest first' : 'by their ends'

    test(`filters by status, owner and product, alone and together, listed ${name}`, async ({ store }) => {
      await insertAll(store, mixed)
      for (const filter of filters) {
        expect(idsOf(await listed(store, { order, ...filter }))).toEqual(expectedIds(filter, order))
      }
      const stranger = sampleAuction({ ownerId: 111, productId: 777 })
      expect(await listed(store, { order, ownerId: stranger.ownerId })).toEqual([])
      expect(await listed(store, { order, productId: stranger.productId })).toEqual([])
    })

    test(`fills its pages with auctions that match, listed ${name}`, async ({ store }) => {
      await insertAll(store, mixed)
      const narrow = filters.filter(({ status, ownerId, productId }) =>
        status === undefined ? ownerId === undefined || productId === undefined : ownerId === undefined,
      )
      for (const filter of narrow) {
        const first = await store.listAuctions({ order, limit: 4, ...filter })
        expect(idsOf(first.auctions)).toEqual(expectedIds(filter, order).slice(0, 4))
        expect(await walk(store, { order, limit: 2, ...filter })).toEqual(expectedIds(filter, order))
      }
    })
  }
}
