import { isoOf } from '@auction/domain/moment'
import { type AuctionPosition, type AuctionQuery, maxScannedAuctions, type Store } from '@auction/domain/store'
import { sampleAuction } from '../samples.ts'
import { expectedIds, hasWord, isInList, type Placed, storeCrowd } from './crowd.ts'
import { idsOf, pagesOf, range } from './helpers.ts'
import type { Suite } from './suite.ts'

const day = (count: number): number => Date.parse('2030-01-01T00:00:00Z') + count * 24 * 60 * 60 * 1000

/**
 * 2,500 auctions. A few have a rare owner, product or word, and one of the oldest has a unique owner. From the 1,300th
 * on, all but the rare ones and one in a hundred have ended. Every two-hundredth of the others has been moved.
 */
const crowd: readonly Placed[] = range(1, 2_500).map((id) => {
  const isRare = id % 500 === 250
  const endMs = day(20) + ((id * 7) % 2_500)
  const auction = sampleAuction({
    id,
    ownerId: isRare ? 2 : id === 100 ? 3 : 1,
    productId: isRare || id % 500 === 100 ? 8 : 7,
    title: isRare ? 'old vase' : 'vase',
    createdAtMs: day(-10) + Math.floor(id / 3),
    startTime: isoOf(day(0)),
    endTime: isoOf(endMs),
  })
  const hasEnded = id >= 1_300 && !isRare && id % 100 !== 50
  return { auction, dueMs: hasEnded ? undefined : id % 200 === 0 ? endMs + 5_000 : endMs }
})

const { ownerId, productId } = sampleAuction({ ownerId: 2, productId: 8 })

/** The queries are few, because a store may be slow: each walk passes every auction. */
const walks: readonly AuctionQuery[] = [
  { order: 'newest', limit: 6, ownerId },
  { order: 'newest', limit: 6, ownerId: sampleAuction({ ownerId: 3 }).ownerId },
  { order: 'newest', limit: 6, productId },
  { order: 'newest', onlyOpen: true, limit: 200 },
  { order: 'newest', limit: 6, onlyOpen: true, ownerId },
  { order: 'newest', limit: 6, onlyOpen: true, productId },
  { order: 'agenda', limit: 6, ownerId },
  { order: 'agenda', limit: 6, productId, dueByMs: day(20) + 2_000 },
  { order: 'agenda', limit: 6, ownerId, productId },
  { order: 'ended', limit: 6, productId },
  { order: 'newest', limit: 6, words: ['old', 'vase'] },
  { order: 'newest', limit: 6, words: ['vase'], onlyOpen: true, productId },
]

/** Below 0 for an auction before a place in its order, 0 for an auction at the place. */
function fromPlace({ order, timeMs, id }: AuctionPosition, { auction, dueMs = 0 }: Placed): number {
  if (order === 'agenda') return dueMs - timeMs || auction.id - id
  // All have ended at the same time.
  return (order === 'newest' ? timeMs - auction.createdAtMs : 0) || id - auction.id
}

const comesAfter = (placed: Placed, place: AuctionPosition | undefined): boolean =>
  place === undefined || fromPlace(place, placed) > 0

/** A page examines a bounded number of auctions, however few match, and all pages together list all matches. */
export function boundedScans({ test, expect, seeks }: Suite): void {
  /** Whether a store may examine the auction without listing it. */
  function mayBeExamined(placed: Placed, query: AuctionQuery): boolean {
    const { ownerId = placed.auction.ownerId, productId = placed.auction.productId, onlyOpen } = query
    const isPassedOver = {
      ownerId: placed.auction.ownerId !== ownerId,
      productId: placed.auction.productId !== productId,
      onlyOpen: onlyOpen === true && placed.dueMs === undefined,
    }
    return isInList(placed, query) && !seeks.some((filter) => isPassedOver[filter])
  }

  async function expectBoundedWalk(store: Store, query: AuctionQuery): Promise<void> {
    const seen: number[] = []
    for await (const { items, next, after } of pagesOf(store, query)) {
      const passed = crowd.filter(
        (member) => comesAfter(member, after) && (next === undefined || !comesAfter(member, next)),
      )
      const examined = passed.filter((member) => mayBeExamined(member, query))
      // A search follows the list of one of its words.
      const counts = query.words?.map((word) => examined.filter((member) => hasWord(member, word)).length)
      expect(Math.min(...(counts ?? [examined.length])) <= maxScannedAuctions).toBe(true)
      expect(passed.length > 0 || next === undefined).toBe(true)
      seen.push(...idsOf(items.map(({ auction }) => auction)))
    }
    expect(seen).toEqual(expectedIds(crowd, query))
  }

  test('examines a bounded number of auctions for a page, and lists all matches page by page', async ({ store }) => {
    expect(new Set(await storeCrowd(store, crowd))).toEqual(new Set(['inserted']))
    for (const query of walks) await expectBoundedWalk(store, query)
    // More auctions have ended than a page may examine. No page of the agenda examines them, or auctions that are not
    // due.
    const query = { order: 'agenda', limit: 100, ownerId, dueByMs: day(20) + 1_500 } as const
    const { items, next } = await store.listAuctions(query)
    expect([idsOf(items.map(({ auction }) => auction)), next]).toEqual([expectedIds(crowd, query), undefined])
  })
}
