import type { Auction } from '../../auction/auction.ts'
import { isoOf } from '../../moment.ts'
import { type AuctionPosition, type AuctionQuery, maxScannedAuctions, type Store } from '../../store.ts'
import { sampleAuction } from '../samples.ts'
import { due, ended, idsOf, inBatches, range } from './helpers.ts'
import type { Suite } from './suite.ts'

const day = (count: number): number => Date.parse('2030-01-01T00:00:00Z') + count * 24 * 60 * 60 * 1000

/** An auction, and its place on the agenda, unless it has ended. */
type Placed = { readonly auction: Auction; readonly dueMs: number | undefined }

/**
 * Of 2,500 auctions a few are rare, and one of the oldest is alone with its owner. From the 1,300th on, all but the rare ones and
 * one in a hundred have ended; of the others, every fourth has been moved.
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
  return { auction, dueMs: hasEnded ? undefined : id % 4 === 0 ? endMs + 5_000 : endMs }
})

const { ownerId, productId } = sampleAuction({ ownerId: 2, productId: 8 })

/** Few of them, as a store may be slow: each walk sees every auction of the crowd pass. */
const walks: readonly AuctionQuery[] = [
  { order: 'newest', limit: 6, ownerId },
  { order: 'newest', limit: 6, ownerId: sampleAuction({ ownerId: 3 }).ownerId },
  { order: 'newest', limit: 6, productId },
  { order: 'newest', onlyOpen: true, limit: 30 },
  { order: 'newest', limit: 6, onlyOpen: true, ownerId },
  { order: 'newest', limit: 6, onlyOpen: true, productId },
  { order: 'agenda', limit: 6, ownerId },
  { order: 'agenda', limit: 6, productId, dueByMs: day(20) + 2_000 },
  { order: 'agenda', limit: 6, ownerId, productId },
]

/** Whether the auction stands in the list that is filtered: all the newest, or what is due on the agenda. */
const isInList = ({ dueMs }: Placed, { order, dueByMs = Number.POSITIVE_INFINITY }: AuctionQuery): boolean =>
  order === 'newest' || (dueMs !== undefined && dueMs <= dueByMs)

const isMatch = (placed: Placed, query: AuctionQuery): boolean =>
  isInList(placed, query) &&
  (query.onlyOpen !== true || placed.dueMs !== undefined) &&
  (query.ownerId === undefined || placed.auction.ownerId === query.ownerId) &&
  (query.productId === undefined || placed.auction.productId === query.productId)

/** Below 0 where an auction stands before a place in its order, 0 where it stands there. */
const fromPlace = ({ order, timeMs, id }: AuctionPosition, { auction, dueMs = 0 }: Placed): number =>
  order === 'newest' ? timeMs - auction.createdAtMs || id - auction.id : dueMs - timeMs || auction.id - id

const isBehind = (placed: Placed, place: AuctionPosition | undefined): boolean =>
  place === undefined || fromPlace(place, placed) > 0

async function fill(store: Store): Promise<readonly string[]> {
  const inserted = await inBatches(crowd, ({ auction }) => store.insertAuction(auction))
  for (const from of range(0, 4)) {
    const some = crowd.slice(from * 500, (from + 1) * 500)
    await store.updateAgenda(
      some.map(({ auction: { id }, dueMs }) => (dueMs === undefined ? ended(id, day(21)) : due(id, dueMs))),
    )
  }
  return inserted
}

/** However few of many auctions match, a page costs no more than a bounded number of them, and the walk ends with all. */
export function boundedScans({ test, expect, seeks }: Suite): void {
  /** Whether a store that does not list the auction may have looked at it all the same. */
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
      const passed = crowd.filter((each) => isBehind(each, from) && (next === undefined || !isBehind(each, next)))
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

  test('looks at a bounded number of auctions for a page, and shows all that match as pages go on', async ({
    store,
  }) => {
    expect(new Set(await fill(store))).toEqual(new Set(['inserted']))
    for (const query of walks) await expectBoundedWalk(store, query)
    // More auctions than a page may look at have ended, and no page of the agenda is spent on them, nor on what is not due.
    const query = { order: 'agenda', limit: 100, ownerId, dueByMs: day(20) + 1_900 } as const
    const { items, next } = await store.listAuctions(query)
    const expected = crowd.filter((each) => isMatch(each, query)).map(({ auction }) => auction.id)
    expect([idsOf(items.map(({ auction }) => auction)).toSorted(), next]).toEqual([expected.toSorted(), undefined])
  })
}
