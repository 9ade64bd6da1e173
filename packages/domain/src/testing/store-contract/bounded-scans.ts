import type { Auction } from '../../auction/auction.ts'
import { statusAt } from '../../auction/status.ts'
import { isoOf } from '../../moment.ts'
import { type AuctionPosition, type AuctionQuery, maxScannedAuctions, type Store } from '../../store.ts'
import { sampleAuction } from '../samples.ts'
import { idsOf, inBatches, range } from './helpers.ts'
import type { Suite } from './suite.ts'

const day = (count: number): number => Date.parse('2030-01-01T00:00:00Z') + count * 24 * 60 * 60 * 1000

/**
 * Of 2,500 auctions a few match. On day 30 the rare ones are active among auctions that are over and such that have not begun;
 * on day 5 all the others have not begun.
 */
const crowd: readonly Auction[] = range(1, 2_500).map((id) => {
  const isRare = id % 500 === 250
  const [start, end] = isRare ? [0, 45] : id % 2 === 0 ? [10, 20] : [40, 45]
  return sampleAuction({
    id,
    ownerId: isRare ? 2 : 1,
    productId: isRare || id % 500 === 100 ? 8 : 7,
    createdAtMs: day(-10) + Math.floor(id / 3),
    startTime: isoOf(day(start)),
    endTime: isoOf(day(end) + id),
  })
})

const { ownerId, productId } = sampleAuction({ ownerId: 2, productId: 8 })

/** Few of them, as a store may be slow: each walk sees every auction of the crowd pass. */
const walks: readonly Omit<AuctionQuery, 'limit' | 'after'>[] = [
  { order: 'newest', ownerId },
  { order: 'newest', productId },
  { order: 'newest', status: { is: 'Active', nowMs: day(30) } },
  { order: 'newest', ownerId, productId, status: { is: 'Ended', nowMs: day(30) } },
  { order: 'endTime', ownerId, productId },
  { order: 'endTime', status: { is: 'Active', nowMs: day(5) } },
  { order: 'endTime', productId, status: { is: 'Pending', nowMs: day(30) } },
]

const isMatch = (auction: Auction, { status, ...same }: AuctionQuery): boolean =>
  (status === undefined || statusAt(auction, status.nowMs) === status.is) &&
  (same.ownerId === undefined || auction.ownerId === same.ownerId) &&
  (same.productId === undefined || auction.productId === same.productId)

/** Below 0 where an auction stands before a place in its order, 0 where it stands there. */
const fromPlace = (place: AuctionPosition, { id, createdAtMs, endTime }: Auction): number =>
  place.order === 'newest'
    ? place.createdAtMs - createdAtMs || place.id - id
    : endTime.epochMs - place.endMs || id - place.id

const isBehind = (auction: Auction, place: AuctionPosition | undefined): boolean =>
  place === undefined || fromPlace(place, auction) > 0

/** However few of many auctions match, a page costs no more than a bounded number of them, and the walk ends with all. */
export function boundedScans({ test, expect, seeks }: Suite): void {
  /** Whether a store that does not match the auction may have looked at it all the same. */
  const mayBeLookedAt = (auction: Auction, { order, status, ...query }: AuctionQuery): boolean =>
    seeks.every((field) => query[field] === undefined || auction[field] === query[field]) &&
    // In the order of ends, those that have ended come first: whoever asks for others begins behind them.
    !(order === 'endTime' && status !== undefined && status.is !== 'Ended' && auction.endTime.epochMs <= status.nowMs)

  async function expectBoundedWalk(store: Store, query: AuctionQuery): Promise<void> {
    const seen: number[] = []
    let after: AuctionPosition | undefined
    for (let page = 1; page <= 50; page++) {
      const { auctions, next } = await store.listAuctions({ ...query, ...(after && { after }) })
      const from = after
      const passed = crowd.filter((each) => isBehind(each, from) && (next === undefined || !isBehind(each, next)))
      expect(passed.filter((each) => mayBeLookedAt(each, query)).length <= maxScannedAuctions).toBe(true)
      expect(passed.length > 0 || next === undefined).toBe(true)
      seen.push(...idsOf(auctions))
      if (next === undefined) break
      after = next
    }
    const matching = crowd.filter((each) => isMatch(each, query))
    const inOrder = matching.toSorted((a, b) =>
      query.order === 'newest' ? b.id - a.id : a.endTime.epochMs - b.endTime.epochMs,
    )
    expect(seen).toEqual(idsOf(inOrder))
  }

  test('looks at a bounded number of auctions for a page, and shows all that match as pages go on', async ({
    store,
  }) => {
    const inserted = await inBatches(crowd, (auction) => store.insertAuction(auction))
    expect(new Set(inserted)).toEqual(new Set(['inserted']))
    for (const query of walks) await expectBoundedWalk(store, { limit: 4, ...query })
    // More auctions than a page may look at have ended, and no page is spent on them.
    const status = { is: 'Active', nowMs: day(30) } as const
    expect(idsOf((await store.listAuctions({ order: 'endTime', limit: 2, status })).auctions)).toEqual([250, 750])
  })
}
