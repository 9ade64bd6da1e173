import { isoOf } from '@auction/domain/moment'
import {
  type AuctionPosition,
  type AuctionQuery,
  agendaStages,
  maxScannedAuctions,
  type Store,
} from '@auction/domain/store'
import { sampleAuction } from '../samples.ts'
import { conditionsOf, expectedIds, isInList, type Placed, storeCrowd } from './crowd.ts'
import { canSearch, idsOf, pagesOf, range } from './helpers.ts'
import type { Suite } from './suite.ts'

const day = (count: number): number => Date.parse('2030-01-01T00:00:00Z') + count * 24 * 60 * 60 * 1000

const outcomes = ['sold', 'unsold', 'bought'] as const

/**
 * 2,500 auctions. Most have one owner, one product and one word, `porcelain`. A few of all ages have a rare owner,
 * product and word, and the oldest are the only ones of their stages, but for 1,100 of the newest that were sold. Half
 * of the auctions have the word `red`, and the others `blue`, but for the oldest, which have both.
 */
const crowd: readonly Placed[] = range(1, 2_500).map((id) => {
  const isRare = id % 500 === 250
  const isPending = id > 40 && id <= 60
  const endMs = day(20) + ((id * 7) % 2_500)
  const colours = ['red', 'blue'].filter((_, index) => id <= 6 || (id === 2_500 ? 1 : id % 2) === index)
  const auction = sampleAuction({
    id,
    ownerId: isRare ? 2 : id === 100 || id % 20 === 7 ? 3 : 1,
    productId: isRare || id % 500 === 100 ? 8 : 7,
    title: ['porcelain', ...(isRare ? ['old'] : []), ...colours].join(' '),
    createdAtMs: day(-10) + Math.floor(id / 3),
    startTime: isoOf(isPending ? endMs : day(-20)),
    endTime: isoOf(isPending ? endMs + 1 : endMs),
  })
  if (id <= 20) return { auction, dueMs: undefined, outcome: 'cancelled' }
  if (id <= 40) return { auction, dueMs: undefined, outcome: outcomes[id % 3] ?? 'sold' }
  if (id > 1_300 && id % 12 > 0 && !isRare) return { auction, dueMs: undefined, outcome: 'sold' }
  return { auction, dueMs: id % 200 === 0 ? endMs + 5_000 : endMs }
})

const { ownerId, productId } = sampleAuction({ ownerId: 2, productId: 8 })
const [common, few] = [sampleAuction({ ownerId: 1, productId: 7 }), sampleAuction({ ownerId: 3 })]

/** Each has a list with few auctions. The queries are few, because a store may be slow. */
const shortLists: readonly AuctionQuery[] = [
  { order: 'newest', limit: maxScannedAuctions },
  { order: 'newest', limit: 20, stages: ['cancelled'] },
  { order: 'newest', limit: 20, stages: ['pending'] },
  { order: 'newest', limit: 20, stages: ['unsold', 'bought'] },
  { order: 'newest', limit: 20, stages: ['unsold', 'cancelled'], ownerId: common.ownerId, productId: common.productId },
  { order: 'newest', limit: 6, ownerId },
  { order: 'newest', limit: 6, productId },
  { order: 'newest', limit: 500, stages: agendaStages },
  { order: 'newest', limit: 20, stages: ['open'], ownerId: few.ownerId },
  { order: 'newest', limit: 6, stages: ['open'], productId },
  { order: 'newest', limit: 6, ownerId: common.ownerId, productId },
  { order: 'agenda', limit: 6, stages: ['open'], ownerId },
  { order: 'agenda', limit: 6, productId, dueByMs: day(20) + 2_000 },
  { order: 'agenda', limit: 6, ownerId, productId: common.productId },
  { order: 'agenda', limit: 6, stages: ['pending'] },
  { order: 'ended', limit: 20, stages: ['cancelled'] },
  { order: 'ended', limit: 20, stages: ['bought'] },
  { order: 'ended', limit: 20, stages: outcomes, ownerId: few.ownerId },
  { order: 'ended', limit: 6, productId },
  { order: 'newest', limit: 6, words: ['old', 'porcelain'] },
  { order: 'newest', limit: 6, words: ['porcelain'], ownerId },
  { order: 'newest', limit: 6, words: ['porcelain'], stages: ['open'], productId },
  { order: 'newest', limit: 20, words: ['porcelain', 'red'], stages: ['cancelled'] },
]

/** All lists have more auctions than a page may examine. Those of the words have few in common. */
const longLists = {
  ofWords: { order: 'newest', limit: 6, words: ['red', 'blue'] },
  ofOwner: { order: 'newest', limit: 500, ownerId: common.ownerId, productId: common.productId },
} as const satisfies Record<string, AuctionQuery>

/** Below 0 for an auction before a position in its order, 0 for an auction at the position. */
function fromPosition({ order, timeMs, id }: AuctionPosition, { auction, dueMs = 0 }: Placed): number {
  if (order === 'agenda') return dueMs - timeMs || auction.id - id
  // All have ended at the same time.
  return (order === 'newest' ? timeMs - auction.createdAtMs : 0) || id - auction.id
}

const comesAfter = (placed: Placed, position: AuctionPosition | undefined): boolean =>
  position === undefined || fromPosition(position, placed) > 0

/** Pages examine a bounded number of auctions, and are full if the auctions of a query are in a short list. */
export function boundedScans({ test, expect }: Suite): void {
  /** Returns the number of pages. */
  async function expectBoundedWalk(store: Store, query: AuctionQuery): Promise<number> {
    const seen: number[] = []
    let pages = 0
    for await (const { items, next, after } of pagesOf(store, query)) {
      pages += 1
      const passed = crowd.filter(
        (member) =>
          isInList(member, query) && comesAfter(member, after) && (next === undefined || !comesAfter(member, next)),
      )
      // A page follows the list of one condition.
      const counts = conditionsOf(query).map((hasIt) => passed.filter(hasIt).length)
      const examined = Math.min(passed.length, ...counts)
      expect(Math.max(examined, maxScannedAuctions)).toBe(maxScannedAuctions)
      expect(passed.length > 0 ? undefined : next).toBe(undefined)
      seen.push(...idsOf(items.map(({ auction }) => auction)))
    }
    expect(seen).toEqual(expectedIds(crowd, query))
    return pages
  }

  const name = 'examines a bounded number of auctions for a page, and fills each page of a query that has a short list'
  test(name, async ({ store }) => {
    expect(new Set(await storeCrowd(store, crowd))).toEqual(new Set(['inserted']))
    for (const query of shortLists) {
      if (query.words !== undefined && !canSearch(store)) continue
      const pages = await expectBoundedWalk(store, query)
      expect([query, pages]).toEqual([query, Math.max(1, Math.ceil(expectedIds(crowd, query).length / query.limit))])
    }
    await expectBoundedWalk(store, canSearch(store) ? longLists.ofWords : longLists.ofOwner)
  })
}
