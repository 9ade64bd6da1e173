import { auctionStatuses, mayBeInOvertime, mayHaveStatus } from '../../auction/status.ts'
import { toMoment } from '../../moment.ts'
import type { AuctionQuery, Store } from '../../store.ts'
import { type AuctionSample, sampleAuction } from '../samples.ts'
import { walk } from './auction-lists.ts'
import { idsOf, insertAll, listed, range } from './helpers.ts'
import type { Suite } from './suite.ts'

type Status = (typeof auctionStatuses)[number]

/** The lists in which an auction stands: of each status, and by their ends of those that are active and of those in overtime. */
async function listsWith(store: Store, id: number, nowMs: number): Promise<readonly string[]> {
  const queries: Readonly<Record<string, Partial<AuctionQuery>>> = {
    ...Object.fromEntries(auctionStatuses.map((is) => [is, { status: { is, nowMs } }])),
    'Active, by ends': { order: 'endTime', status: { is: 'Active', nowMs } },
    'in overtime': { order: 'endTime', inOvertimeAtMs: nowMs },
  }
  const found: string[] = []
  for (const [name, query] of Object.entries(queries)) {
    if (idsOf(await listed(store, query)).includes(id)) found.push(name)
  }
  return found
}

type Turn = readonly [from: string, lists: readonly (Status | 'Active, by ends' | 'in overtime')[]]

const softCloseUntil = (latestEndTime: string) => ({ windowSeconds: 60, extensionSeconds: 60, latestEndTime })

/**
 * In which lists auctions stand from when on. What is finer than a millisecond is dropped, and a moment without a fraction is not
 * after one that is written with .000. Whether an auction was cancelled, its terms can't tell.
 */
const turns: readonly (readonly [sample: AuctionSample, turns: readonly Turn[]])[] = [
  [
    { startTime: '2030-01-31T12:00:00.500999999Z', endTime: '2030-02-07T12:00:00Z' },
    [
      ['2030-01-31T12:00:00.500Z', ['Active', 'Cancelled', 'Active, by ends']],
      ['2030-02-07T12:00:00Z', ['Ended', 'Cancelled']],
    ],
  ],
  [
    { startTime: '2030-01-31T12:00:00Z', endTime: '2030-02-07T12:00:00.250999999Z' },
    [
      ['2030-01-31T12:00:00Z', ['Active', 'Cancelled', 'Active, by ends']],
      ['2030-02-07T12:00:00.250Z', ['Ended', 'Cancelled']],
    ],
  ],
  [
    {
      startTime: '2030-01-31T12:00:00Z',
      endTime: '2030-02-07T12:00:00.000999999Z',
      softClose: softCloseUntil('2030-02-07T12:00:00.750999999Z'),
    },
    [
      ['2030-01-31T12:00:00Z', ['Active', 'Cancelled', 'Active, by ends']],
      ['2030-02-07T12:00:00Z', ['Active', 'Ended', 'Cancelled', 'in overtime']],
      ['2030-02-07T12:00:00.750Z', ['Ended', 'Cancelled']],
    ],
  ],
  [
    // A week is the longest that a soft close may let an auction run.
    { endTime: '2030-02-07T12:00:00Z', softClose: softCloseUntil('2030-02-14T12:00:00Z') },
    [
      ['2030-01-31T12:00:00Z', ['Active', 'Cancelled', 'Active, by ends']],
      ['2030-02-07T12:00:00Z', ['Active', 'Ended', 'Cancelled', 'in overtime']],
      ['2030-02-14T12:00:00Z', ['Ended', 'Cancelled']],
    ],
  ],
  [
    { startTime: '2030-01-31T12:00:00.500Z', endTime: '2030-02-07T12:00:00Z', buyNowPriceMinor: 900_00 },
    [
      ['2030-01-31T12:00:00.500Z', ['Active', 'Ended', 'Cancelled', 'Active, by ends']],
      ['2030-02-07T12:00:00Z', ['Ended', 'Cancelled']],
    ],
  ],
  [
    {
      endTime: '2030-02-07T12:00:00Z',
      softClose: softCloseUntil('2030-02-07T12:10:00Z'),
      reservePriceMinor: 0,
      buyNowPriceMinor: 900_00,
    },
    [
      ['2030-01-31T12:00:00Z', ['Active', 'Ended', 'Cancelled', 'Active, by ends']],
      ['2030-02-07T12:00:00Z', ['Active', 'Ended', 'Cancelled', 'in overtime']],
      ['2030-02-07T12:10:00Z', ['Ended', 'Cancelled']],
    ],
  ],
  [
    { reservePriceMinor: 200_00, cancellableUntilEnd: true },
    [
      ['2030-01-31T12:00:00Z', ['Active', 'Cancelled', 'Active, by ends']],
      ['2030-02-07T12:00:00Z', ['Ended', 'Cancelled']],
    ],
  ],
]

const nowMs = Date.parse('2030-02-15T00:00:00Z')
const windows = [
  { startTime: '2030-03-01T00:00:00Z', endTime: '2030-04-01T00:00:00Z', latestEndTimes: ['2030-04-02T00:00:00Z'] },
  { startTime: '2030-01-01T00:00:00Z', endTime: '2030-04-01T00:00:00Z', latestEndTimes: ['2030-04-08T00:00:00Z'] },
  {
    startTime: '2030-01-01T00:00:00Z',
    endTime: '2030-02-10T00:00:00Z',
    // Some are in overtime, and others are over.
    latestEndTimes: ['2030-02-16T00:00:00Z', '2030-02-12T00:00:00Z'],
  },
] as const
const owners = [1, 11, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1]
const products = [7, 77, 1]
const buyNowPriceMinor = 900_00

/** The format of an auction, by its id. */
function formatOf(id: number, latestEndTime: string): AuctionSample {
  const softClose = softCloseUntil(latestEndTime)
  const formats = [
    {},
    { softClose },
    { buyNowPriceMinor },
    { softClose, buyNowPriceMinor },
    { reservePriceMinor: 200_00 },
  ]
  return formats[id % formats.length] ?? {}
}

/** Auctions of all statuses, formats, owners and products, in an order in which no filter has a run. */
const mixed: readonly AuctionSample[] = windows.flatMap(({ startTime, endTime, latestEndTimes }, index) =>
  range(0, 23).map((each) => {
    const id = 3 * each + index + 1
    return {
      id,
      startTime,
      endTime,
      ...formatOf(id, latestEndTimes[each % latestEndTimes.length] ?? endTime),
      ownerId: owners[(id * 5) % 4] ?? 1,
      productId: products[Math.floor(id / 12) % 3] ?? 1,
      // Some in each millisecond.
      createdAtMs: nowMs + Math.floor(id / 9),
    }
  }),
)

type Order = AuctionQuery['order']
type Filter = Pick<AuctionQuery, 'status' | 'inOvertimeAtMs' | 'ownerId' | 'productId'>

/** What may be asked of the ends of auctions in each order. */
const times: Readonly<Record<Order, readonly Filter[]>> = {
  newest: [{}, ...auctionStatuses.map((is) => ({ status: { is, nowMs } }))],
  endTime: [{}, { status: { is: 'Active', nowMs } }, { inOvertimeAtMs: nowMs }],
}

/** Each filter alone, and all together in twos and threes. */
const filtersOf = (order: Order): readonly Filter[] =>
  times[order].flatMap((time) =>
    [undefined, ...owners].flatMap((ownerId) =>
      [undefined, ...products].map((productId) => ({
        ...time,
        ...(ownerId && { ownerId: sampleAuction({ ownerId }).ownerId }),
        ...(productId && { productId: sampleAuction({ productId }).productId }),
      })),
    ),
  )

function expectedIds(filter: Filter, order: Order): readonly number[] {
  const { status, inOvertimeAtMs, ownerId, productId } = filter
  const found = mixed.map(sampleAuction).filter(
    (auction) =>
      (status === undefined || mayHaveStatus(auction, status.is, status.nowMs)) &&
      // In the order of ends, those past their end are listed by themselves.
      (order === 'newest' || status === undefined || status.nowMs < auction.endTime.epochMs) &&
      (inOvertimeAtMs === undefined || mayBeInOvertime(auction, inOvertimeAtMs)) &&
      (ownerId === undefined || auction.ownerId === ownerId) &&
      (productId === undefined || auction.productId === productId),
  )
  return idsOf(
    order === 'newest'
      ? found.toSorted((a, b) => b.id - a.id)
      : found.toSorted((a, b) => a.endTime.epochMs - b.endTime.epochMs || a.id - b.id),
  )
}

/** Auctions are listed by what their status may be, and by owner and product. */
export function auctionFilters({ test, expect }: Suite): void {
  test('filters by the status that an auction may have, which turns at the exact millisecond of its start and ends', async ({
    store,
  }) => {
    for (const [index, [sample, listedFrom]] of turns.entries()) {
      const id = index + 1
      await store.insertAuction(sampleAuction({ ...sample, id }))
      let before: readonly string[] = ['Pending', 'Cancelled']
      expect(await listsWith(store, id, 0)).toEqual(before)
      for (const [from, lists] of listedFrom) {
        const { epochMs } = toMoment(from)
        expect(await listsWith(store, id, epochMs - 1)).toEqual(before)
        expect(await listsWith(store, id, epochMs)).toEqual(lists)
        before = lists
      }
      expect(await listsWith(store, id, nowMs + 1e12)).toEqual(before)
    }
  })

  for (const order of ['newest', 'endTime'] as const) {
    const name = order === 'newest' ? 'the newest first' : 'by their ends'

    test(`filters by status, owner and product, alone and together, listed ${name}`, async ({ store }) => {
      await insertAll(store, mixed)
      for (const filter of filtersOf(order)) {
        expect(idsOf(await listed(store, { order, ...filter }))).toEqual(expectedIds(filter, order))
      }
      const stranger = sampleAuction({ ownerId: 111, productId: 777 })
      expect(await listed(store, { order, ownerId: stranger.ownerId })).toEqual([])
      expect(await listed(store, { order, productId: stranger.productId })).toEqual([])
    })

    test(`fills its pages with auctions that match, listed ${name}`, async ({ store }) => {
      await insertAll(store, mixed)
      // Few of them, as a store may be slow.
      const narrow = filtersOf(order).filter(({ status, inOvertimeAtMs, ownerId, productId }) =>
        status === undefined && inOvertimeAtMs === undefined
          ? ownerId === undefined || productId === undefined
          : ownerId === undefined && status?.is !== 'Cancelled',
      )
      for (const filter of narrow) {
        const first = await store.listAuctions({ order, limit: 4, ...filter })
        expect(idsOf(first.auctions)).toEqual(expectedIds(filter, order).slice(0, 4))
        expect(await walk(store, { order, limit: 5, ...filter })).toEqual(expectedIds(filter, order))
      }
    })
  }
}
