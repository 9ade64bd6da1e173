import type { Auction } from '@auction/domain/auction'
import { isoOf } from '@auction/domain/moment'
import { type AuctionPosition, type AuctionQuery, maxScannedAuctions, type Store } from '@auction/domain/store'
import { sampleAuction } from '../samples.ts'
import { due, ended, idsOf, inBatches, range } from './helpers.ts'
import type { Suite } from './suite.ts'

const day = (count: number): number => Date.parse('2030-01-01T00:00:00Z') + count * 24 * 60 * 60 * 1000

/** An auction, and its place on the agenda, unless it has ended. */
type Placed = { readonly auction: Auction; readonly dueMs: number | undefined }

/**
 * 2,500 auctions. A few have a rare owner or product, and one of the oldest has a unique owner. From the 1,300th on, all but
 * the rare ones and one in a hundred have ended. Every two-hundredth of the others has been moved.
 */
const crowd: readonly Placed[] = range(1, 2_500).map((id) => {
  const isRare = id % 500 === 250
  const endMs = day(20) + ((id * 7) % 2_500)
  const auction = sampleAuction({
    id,
    ownerId: isRare ? 2 : id === 100 ? 3 : 1,
    productId: isRare || id % 500 === 100 ? 8 : 7,
    createdAtMs: day(-10) + Math.floor(id / 3),
    startTime: isoOf(day(0)),
    endTime: isoOf(endMs),
  })
  const hasEnded = id >= 1_300 && !isRare && id % 100 !== 50
  return { auction, dueMs: hasEnded ? undefined : id % 200 === 0 ? endMs + 5_000 : endMs }
})

const { ownerId, productId } = sampleAuction({ ownerId: 2, productId: 8 })

/** Only a few queries, because a store may be slow: each walk passes every auction. */
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
]

/** Whether the auction is in the list before filters: all auctions for `newest`, those due for the agenda. */
const isInList = ({ dueMs }: Placed, { order, dueByMs = Number.POSITIVE_INFINITY }: AuctionQuery): boolean =>
  order === 'newest' || (dueMs !== undefined && dueMs <= dueByMs)

const isMatch = (placed: Placed, query: AuctionQuery): boolean =>
  isInList(placed, query) &&
  (query.onlyOpen !== true || placed.dueMs !== undefined) &&
  (query.ownerId === undefined || placed.auction.ownerId === query.ownerId) &&
  (query.productId === undefined || placed.auction.productId === query.productId)

/** Below 0 for an auction before a place in its order, 0 for an auction at the place. */
const fromPlace = ({ order, timeMs, id }: AuctionPosition, { auction, dueMs = 0 }: Placed): number =>
  order === 'newest' ? timeMs - auction.createdAtMs || id - auction.id : dueMs - timeMs || auction.id - id

const comesAfter = (placed: Placed, place: AuctionPosition | undefined): boolean =>
  place === undefined || fromPlace(place, placed) > 0

async function fill(store: Store): Promise<readonly string[]> {
  const inserted: string[] = []
  // Auctions that end are inserted first, because updates of many auctions are slow in some stores.
  for (const hasEnded of [true, false]) {
    const some = crowd.filter(({ dueMs }) => (dueMs === undefined) === hasEnded)
    inserted.push(...(await inBatches(some, ({ auction }) => store.insertAuction(auction))))
    const changed = some.filter(({ auction, dueMs }) => dueMs !== auction.endTime.epochMs)
    await store.updateAgenda(
      changed.map(({ auction: { id }, dueMs }) => (dueMs === undefined ? ended(id, day(21)) : due(id, dueMs))),
    )
  }
  return inserted
}

/** However few auctions match, a page examines a bounded number of auctions, and all pages together list all matches. */
export function boundedScans({ test, expect, seeks }: Suite): void {
  /** Whether a store may examine the auction without listing it. */
  function mayBeLookedAt(placed: Placed, query: AuctionQuery): boolean {
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
    let after: AuctionPosition | undefined
    for (let page = 1; page <= 50; page++) {
      const { items, next } = await store.listAuctions({ ...query, ...(after && { after }) })
      const from = after
      const passed = crowd.filter((each) => comesAfter(each, from) && (next === undefined || !comesAfter(each, next)))
      expect(passed.filter((each) => mayBeLookedAt(each, query)).length <= maxScannedAuctions).toBe(true)
      expect(passed.length > 0 || next === undefined).toBe(true)
      seen.push(...idsOf(items.map(({ auction }) => auction)))
      if (next === undefined) break
      after = next
    }
    const matching = crowd.filter((each) => isMatch(each, query))
    const inOrder = matching.toSorted((a, b) =>
      query.order === 'newest'
        ? b.auction.id - a.auction.id
        : (a.dueMs ?? 0) - (b.dueMs ?? 0) || a.auction.id - b.auction.id,
    )
    expect(seen).toEqual(idsOf(inOrder.map(({ auction }) => auction)))
  }

  test('examines a bounded number of auctions for a page, and lists all matches page by page', async ({ store }) => {
    expect(new Set(await fill(store))).toEqual(new Set(['inserted']))
    for (const query of walks) await expectBoundedWalk(store, query)
    // More auctions have ended than a page may examine. No page of the agenda examines them, or auctions that are not due.
    const query = { order: 'agenda', limit: 100, ownerId, dueByMs: day(20) + 1_500 } as const
    const { items, next } = await store.listAuctions(query)
    const expected = crowd.filter((each) => isMatch(each, query)).map(({ auction }) => auction.id)
    expect([idsOf(items.map(({ auction }) => auction)).toSorted(), next]).toEqual([expected.toSorted(), undefined])
  })
}
