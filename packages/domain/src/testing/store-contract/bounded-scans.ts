import type { Auction } from '../../auction/auction.ts'
import { maxOvertimeMs } from '../../auction/ends.ts'
import { mayBeInOvertime, mayHaveStatus } from '../../auction/status.ts'
import { isoOf } from '../../moment.ts'
import { type AuctionPosition, type AuctionQuery, maxScannedAuctions, type Store } from '../../store.ts'
import { sampleAuction } from '../samples.ts'
import { idsOf, inBatches, range } from './helpers.ts'
import type { Suite } from './suite.ts'

const day = (count: number): number => Date.parse('2030-01-01T00:00:00Z') + count * 24 * 60 * 60 * 1000

const softCloseUntil = (days: number) => ({ windowSeconds: 60, extensionSeconds: 60, latestEndTime: isoOf(day(days)) })

/**
 * Of 2,500 auctions a few match. On day 22 the rare ones are active among auctions that are over and such that have not begun, and
 * so are those that end late; on day 5 all but the rare ones have not begun. On day 15, only those that can be bought may have
 * ended. On day 23, those that end late are in overtime among many that might have been; on day 46 the rare ones are among
 * many that have no soft close, or ended long before.
 */
const crowd: readonly Auction[] = range(1, 2_500).map((id) => {
  const isRare = id % 500 === 250
  const endsLate = id % 500 === 100
  const [start, end, latestEnd] = isRare ? [0, 45, 47] : id % 2 === 0 ? [10, 20, endsLate ? 25 : 21] : [40, 45]
  return sampleAuction({
    id,
    ownerId: isRare ? 2 : 1,
    productId: isRare || endsLate ? 8 : 7,
    createdAtMs: day(-10) + Math.floor(id / 3),
    startTime: isoOf(day(start)),
    endTime: isoOf(day(end) + id),
    ...(latestEnd !== undefined && { softClose: softCloseUntil(latestEnd) }),
    ...(endsLate && { buyNowPriceMinor: 900_00 }),
  })
})

const { ownerId, productId } = sampleAuction({ ownerId: 2, productId: 8 })

/** Few of them, as a store may be slow: each walk sees every auction of the crowd pass. */
const walks: readonly Omit<AuctionQuery, 'limit' | 'after'>[] = [
  { order: 'newest', ownerId },
  { order: 'newest', productId },
  { order: 'newest', status: { is: 'Active', nowMs: day(22) } },
  { order: 'newest', status: { is: 'Ended', nowMs: day(15) } },
  { order: 'newest', ownerId, productId, status: { is: 'Ended', nowMs: day(30) } },
  { order: 'endTime', ownerId, productId },
  { order: 'endTime', status: { is: 'Active', nowMs: day(5) } },
  { order: 'endTime', inOvertimeAtMs: day(23) },
]

const isMatch = (auction: Auction, { order, status, inOvertimeAtMs, ...same }: AuctionQuery): boolean =>
  (status === undefined || mayHaveStatus(auction, status.is, status.nowMs)) &&
  (status === undefined || order === 'newest' || status.nowMs < auction.endTime.epochMs) &&
  (inOvertimeAtMs === undefined || mayBeInOvertime(auction, inOvertimeAtMs)) &&
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
  /** Whether a store that does not list the auction may have looked at it all the same. */
  function mayBeLookedAt(auction: Auction, { order, status, inOvertimeAtMs, ...query }: AuctionQuery): boolean {
    const endMs = auction.endTime.epochMs
    if (seeks.some((field) => query[field] !== undefined && auction[field] !== query[field])) return false
    // In the order of ends, those that have ended come first: whoever asks for others begins behind them.
    if (order === 'endTime' && status !== undefined && endMs <= status.nowMs) return false
    if (inOvertimeAtMs === undefined) return true
    return auction.softClose !== undefined && endMs <= inOvertimeAtMs && endMs > inOvertimeAtMs - maxOvertimeMs
  }

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
    for (const query of walks) await expectBoundedWalk(store, { limit: 6, ...query })
    // More auctions than a page may look at have ended, and no page is spent on them.
    const active = { order: 'endTime', limit: 2, status: { is: 'Active', nowMs: day(30) } } as const
    expect(idsOf((await store.listAuctions(active)).auctions)).toEqual([250, 750])
    // Nor is one on those that can't be in overtime: without a soft close, or more than a week past their end.
    const overtime = { order: 'endTime', limit: 6, inOvertimeAtMs: day(46) } as const
    const page = await store.listAuctions(overtime)
    expect({ ids: idsOf(page.auctions), next: page.next }).toEqual({
      ids: [250, 750, 1250, 1750, 2250],
      next: undefined,
    })
  })
}
