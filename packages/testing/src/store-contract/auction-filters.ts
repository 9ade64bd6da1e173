import { isoOf } from '@auction/domain/moment'
import {
  type AuctionQuery,
  agendaStages,
  givenKeys,
  type ListKey,
  type ListKeys,
  listKeys,
  stages,
} from '@auction/domain/store'
import { sampleAuction } from '../samples.ts'
import { expectedIds, type Placed, storeCrowd } from './crowd.ts'
import { idsOf, listed, orderNames, orders, range, walk } from './helpers.ts'
import type { Suite } from './suite.ts'

type Order = AuctionQuery['order']
type Filter = Pick<AuctionQuery, 'stages' | 'dueByMs' | ListKey>

const nowMs = Date.parse('2030-02-15T00:00:00Z')
/** The values of each list key. */
const values = {
  ownerId: [1, 11, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1],
  productId: [7, 77, Number.MAX_SAFE_INTEGER],
} as const satisfies Readonly<Record<ListKey, readonly number[]>>

const outcomes = ['sold', 'unsold', 'bought', 'cancelled'] as const

/** Auctions of all owners, products and stages, some moved, so that no filter matches only neighbours. */
const mixed: readonly Placed[] = range(1, 72).map((id) => {
  const endMs = nowMs - 20 + ((id * 5) % 40)
  const isPending = id % 7 === 5
  const auction = sampleAuction({
    id,
    startTime: isPending ? isoOf(endMs) : '2030-01-01T00:00:00Z',
    endTime: isoOf(isPending ? endMs + 99 : endMs),
    ownerId: values.ownerId[(id * 5) % 4] ?? 1,
    productId: values.productId[Math.floor(id / 12) % 3] ?? 7,
    title: `vase ${id % 9 === 0 ? 'rare' : ''} ${id % 2 === 0 ? 'red one two three four five' : 'blue'}`,
    // Several in each millisecond.
    createdAtMs: nowMs - 100 + Math.floor(id / 9),
  })
  if (id % 7 < 2) return { auction, dueMs: undefined, outcome: outcomes[Math.floor(id / 7) % 4] ?? 'sold' }
  return { auction, dueMs: id % 7 === 3 ? endMs + 10 : endMs }
})

/** The filters by stage that each order supports. */
const positions: Readonly<Record<Order, readonly Filter[]>> = {
  newest: [{}, { stages: agendaStages }, { stages: ['cancelled'] }, { stages: ['open', 'unsold'] }],
  agenda: [{}, { dueByMs: nowMs }, { stages: ['pending'], dueByMs: nowMs }, { stages: ['open'] }],
  ended: [{}, { stages: ['sold', 'unsold', 'bought'] }, { stages: ['cancelled'] }],
}

/** Each filter alone, and all together in twos and threes. */
const filtersOf = (order: Order): readonly Filter[] =>
  listKeys.reduce(
    (filters, key) =>
      filters.flatMap((filter) => [filter, ...values[key].map((value) => ({ ...filter, ...keyWith(key, value) }))]),
    positions[order],
  )

const keyWith = (key: ListKey, value: number): ListKeys => ({ [key]: sampleAuction({ [key]: value })[key] })

const { ownerId, productId } = sampleAuction({ ownerId: 11, productId: 7 })
const search = (words: string, filter: Filter = {}): AuctionQuery => ({
  ...{ order: 'newest', limit: 3, words: words.split(' ') },
  ...filter,
})

/** A word of few auctions, which have all stages, one of half of them, and the largest search. */
const searches: readonly AuctionQuery[] = [
  ...stages.map((stage) => search('rare', { stages: [stage] })),
  ...positions.newest.flatMap((position) => [search('red', position), search('rare red', { ...position, productId })]),
  ...[{}, { ownerId }, { productId }, { ownerId, productId, stages: agendaStages }].map((filter) =>
    search('vase blue', filter),
  ),
  search('vase red rare one two three four five', { stages: ['open', 'sold', 'cancelled'] }),
]

/** Auctions are filtered by their stages, and by list keys. */
export function auctionFilters({ test, expect }: Suite): void {
  for (const order of orders) {
    const name = orderNames[order]

    test(`filters by stage, owner and product, alone and together, listed ${name}`, async ({ store }) => {
      await storeCrowd(store, mixed)
      for (const filter of filtersOf(order)) {
        const query = { order, limit: 100, ...filter }
        expect(idsOf(await listed(store, query))).toEqual(expectedIds(mixed, query))
      }
      for (const key of listKeys) expect(await listed(store, { order, ...keyWith(key, 777) })).toEqual([])
    })

    test(`fills its pages with auctions that match, listed ${name}`, async ({ store }) => {
      await storeCrowd(store, mixed)
      // The list has only a few, because a store may be slow.
      const narrow = filtersOf(order).filter((filter) => givenKeys(filter).length < listKeys.length)
      for (const filter of narrow) {
        const query = { order, limit: 5, ...filter }
        const expected = expectedIds(mixed, query)
        expect(idsOf(await listed(store, { ...query, limit: 4 }))).toEqual(expected.slice(0, 4))
        expect(await walk(store, query)).toEqual(expected)
      }
    })
  }
}

/** Searches are filtered in the same way, whichever of their lists is the shortest. */
export function filteredSearches({ test, expect }: Suite): void {
  test('filters a search by every stage, owner and product, alone and together, page by page', async ({ store }) => {
    await storeCrowd(store, mixed)
    for (const query of searches) {
      expect([query, await walk(store, query)]).toEqual([query, expectedIds(mixed, query)])
    }
  })
}
