import { isoOf } from '@auction/domain/moment'
import type { AuctionQuery, Store } from '@auction/domain/store'
import { type AuctionSample, sampleAuction } from '../samples.ts'
import { due, ended, idsOf, insertAll, listed, range, walk } from './helpers.ts'
import type { Suite } from './suite.ts'

type Order = AuctionQuery['order']
type Filter = Pick<AuctionQuery, 'onlyOpen' | 'dueByMs' | 'ownerId' | 'productId'>

const nowMs = Date.parse('2030-02-15T00:00:00Z')
const owners = [1, 11, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1]
const products = [7, 77, 1]

/** The filtered fields of an auction, with its place on the agenda in milliseconds after now, unless it has ended. */
type Mixed = { readonly sample: AuctionSample; readonly id: number; readonly dueMs: number | undefined }

/** Auctions of all owners and products, some moved and some ended, ordered so that no filter matches neighbours only. */
const mixed: readonly Mixed[] = range(1, 72).map((id) => {
  const endMs = nowMs - 20 + ((id * 5) % 40)
  const sample = {
    id,
    startTime: '2030-01-01T00:00:00Z',
    endTime: isoOf(endMs),
    ownerId: owners[(id * 5) % 4] ?? 1,
    productId: products[Math.floor(id / 12) % 3] ?? 1,
    // Several in each millisecond.
    createdAtMs: nowMs + Math.floor(id / 9),
  }
  return { id, sample, dueMs: id % 7 < 2 ? undefined : id % 7 === 3 ? endMs + 10 : endMs }
})

async function fill(store: Store): Promise<void> {
  await insertAll(
    store,
    mixed.map(({ sample }) => sample),
  )
  await store.updateAgenda(mixed.map(({ id, dueMs }) => (dueMs === undefined ? ended(id, nowMs) : due(id, dueMs))))
}

/** The filters by agenda that each order supports. */
const places: Readonly<Record<Order, readonly Filter[]>> = {
  newest: [{}, { onlyOpen: true }],
  agenda: [{}, { dueByMs: nowMs }],
}

/** Each filter alone, and all together in twos and threes. */
const filtersOf = (order: Order): readonly Filter[] =>
  places[order].flatMap((place) =>
    [undefined, ...owners].flatMap((ownerId) =>
      [undefined, ...products].map((productId) => ({
        ...place,
        ...(ownerId && { ownerId: sampleAuction({ ownerId }).ownerId }),
        ...(productId && { productId: sampleAuction({ productId }).productId }),
      })),
    ),
  )

function expectedIds({ onlyOpen, dueByMs, ownerId, productId }: Filter, order: Order): readonly number[] {
  const found = mixed.filter(
    ({ sample, dueMs }) =>
      ((order === 'newest' && onlyOpen !== true) || dueMs !== undefined) &&
      (dueByMs === undefined || (dueMs !== undefined && dueMs <= dueByMs)) &&
      (ownerId === undefined || sample.ownerId === ownerId) &&
      (productId === undefined || sample.productId === productId),
  )
  const inOrder = found.toSorted((a, b) =>
    order === 'newest' ? b.id - a.id : (a.dueMs ?? 0) - (b.dueMs ?? 0) || a.id - b.id,
  )
  return idsOf(inOrder)
}

/** Auctions are filtered by their places on the agenda, and by owner and product. */
export function auctionFilters({ test, expect }: Suite): void {
  for (const order of ['newest', 'agenda'] as const) {
    const name = order === 'newest' ? 'the newest first' : 'by the agenda'

    test(`filters by place, owner and product, alone and together, listed ${name}`, async ({ store }) => {
      await fill(store)
      for (const filter of filtersOf(order)) {
        expect(idsOf(await listed(store, { order, ...filter }))).toEqual(expectedIds(filter, order))
      }
      const stranger = sampleAuction({ ownerId: 111, productId: 777 })
      expect(await listed(store, { order, ownerId: stranger.ownerId })).toEqual([])
      expect(await listed(store, { order, productId: stranger.productId })).toEqual([])
    })

    test(`fills its pages with auctions that match, listed ${name}`, async ({ store }) => {
      await fill(store)
      // Only a few, because a store may be slow.
      const narrow = filtersOf(order).filter(
        ({ ownerId, productId }) => ownerId === undefined || productId === undefined,
      )
      for (const filter of narrow) {
        expect(idsOf(await listed(store, { order, limit: 4, ...filter }))).toEqual(
          expectedIds(filter, order).slice(0, 4),
        )
        expect(await walk(store, { order, limit: 5, ...filter })).toEqual(expectedIds(filter, order))
      }
    })
  }
}
