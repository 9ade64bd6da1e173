import { createManualClock, createMemoryStore, type ManualClock } from '@auction/adapters/memory'
import { unwrap } from '../../src/values/result.ts'
import { createAuction, createTestService, newBid, openTime } from './service.ts'
import { createHeldStore } from './stores.ts'

/** A process whose appends wait for the test, and another process over the same store whose appends do not. */
export async function createHeldService(
  auctionCount: number,
  limits = {},
  clock: ManualClock = createManualClock(openTime),
) {
  const right = createMemoryStore()
  const store = createHeldStore(right)
  const service = createTestService({ store, limits, clock })
  const auctions = await Promise.all(Array.from({ length: auctionCount }, () => createAuction(service)))
  const auction = (number: number) => {
    const found = auctions[number - 1]
    if (found === undefined) throw new RangeError(`auction ${number} does not exist`)
    return found
  }
  const place = (auctionNumber: number, bidderId: number, amount: number) =>
    service.placeBid(newBid(auction(auctionNumber), bidderId, amount))
  /** Releases appends until this number of entries is stored. */
  const releaseUntil = async (wanted: number) => {
    const sizes: number[] = []
    for (let stored = 0; stored < wanted; ) {
      const next = await store.nextAppend()
      sizes.push(next.entries.length)
      stored += await next.release()
    }
    return sizes
  }
  return { right, service, other: createTestService({ store: right, clock }), store, auction, place, releaseUntil }
}

/** The time of a handover in a store that responds at once. */
export const handoverMs = 2
export const turnMs = 6 * handoverMs

/**
 * Places a bid of 300, which conflicts with bids of another process before it is stored: the second time on a head that was just
 * read. The lane then knows that the other bids at the same time, and leaves the next turn to it.
 */
export async function storeAfterConflicts({
  other,
  store,
  auction,
  place,
}: Awaited<ReturnType<typeof createHeldService>>) {
  const placed = place(1, 2, 300)
  for (const amount of [200, 250]) {
    const conflicting = await store.nextAppend()
    await other.placeBid(newBid(auction(1), 3, amount))
    if ((await conflicting.release()) !== 0) throw new Error('the append did not conflict')
  }
  const held = await store.nextAppend()
  await held.release()
  unwrap(await placed)
}
