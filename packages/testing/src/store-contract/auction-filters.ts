import { isoOf } from '@auction/domain/moment'
import { type AuctionQuery, agendaStages } from '@auction/domain/store'
import { sampleAuction } from '../samples.ts'
import { expectedIds, type Placed, storeCrowd } from './crowd.ts'
import { idsOf, listed, orderNames, orders, range, walk } from './helpers.ts'
import type { Suite } from './suite.ts'

type Order = AuctionQuery['order']
type Filter = Pick<AuctionQuery, 'stages' | 'dueByMs' | 'ownerId' | 'productId'>

const nowMs = Date.parse('2030-02-15T00:00:00Z')
const owners = [1, 11, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1]
const products = [7, 77, 1]

const outcomes = ['sold', 'unsold', 'bought', 'cancelled'] as const

/** Auctions of all owners, products and stages, some moved, so that no filter matches only neighbours. */
const mixed: readonly Placed[] = range(1, 72).map((id) => {
  const endMs = nowMs - 20 + ((id * 5) % 40)
  const isPending = id % 7 === 5
  const auction = sampleAuction({
    id,
    startTime: isPending ? isoOf(endMs) : '2030-01-01T00:00:00Z',
    endTime: isoOf(isPending ? endMs + 99 : endMs),
    ownerId: owners[(id * 5) % 4] ?? 1,
    productId: products[Math.floor(id / 12) % 3] ?? 1,
    // Several in each millisecond.
    createdAtMs: nowMs - 100 + Math.floor(id / 9),
  })
  if (id % 7 < 2) return { auction, dueMs: undefined, outcome: outcomes[Math.floor(id / 7) % 4] ?? 'sold' }
  return { auction, dueMs: id % 7 === 3 ? endMs + 10 : endMs }
})

/** The filters by stage that each order supports. */
const places: Readonly<Record<Order, readonly Filter[]>> = {
  newest: [{}, { stages: agendaStages }, { stages: ['cancelled'] }, { stages: ['open', 'unsold'] }],
  agenda: [{}, { dueByMs: nowMs }, { stages: ['pending'], dueByMs: nowMs }, { stages: ['open'] }],
  ended: [{}, { stages: ['sold', 'unsold', 'bought'] }, { stages: ['cancelled'] }],
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

/** Auctions are filtered by their stages, and by owner and product. */
export function auctionFilters({ test, expect }: Suite): void {
  for (const order of orders) {
    const name = orderNames[order]

    test(`filters by stage, owner and product, alone and together, listed ${name}`, async ({ store }) => {
      await storeCrowd(store, mixed)
      for (const filter of filtersOf(order)) {
        const query = { order, limit: 100, ...filter }
        expect(idsOf(await listed(store, query))).toEqual(expectedIds(mixed, query))
      }
      const stranger = sampleAuction({ ownerId: 111, productId: 777 })
      expect(await listed(store, { order, ownerId: stranger.ownerId })).toEqual([])
      expect(await listed(store, { order, productId: stranger.productId })).toEqual([])
    })

    test(`fills its pages with auctions that match, listed ${name}`, async ({ store }) => {
      await storeCrowd(store, mixed)
      // The list has only a few, because a store may be slow.
      const narrow = filtersOf(order).filter(
        ({ ownerId, productId }) => ownerId === undefined || productId === undefined,
      )
      for (const filter of narrow) {
        const query = { order, limit: 5, ...filter }
        const expected = expectedIds(mixed, query)
        expect(idsOf(await listed(store, { ...query, limit: 4 }))).toEqual(expected.slice(0, 4))
        expect(await walk(store, query)).toEqual(expected)
      }
    })
  }
}
