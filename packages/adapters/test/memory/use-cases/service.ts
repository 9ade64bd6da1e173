import { type Auction, type NewAuction, parseNewAuction } from '@auction/domain/auction'
import { type Bid, type NewBid, parseNewBid } from '@auction/domain/bid'
import type { RetryKey } from '@auction/domain/idempotency'
import { type Result, unwrap } from '@auction/domain/result'
import { createAuctionUseCase } from '@auction/domain/use-cases/create-auction'
import { listAuctionsUseCase } from '@auction/domain/use-cases/list-auctions'
import { listBidsUseCase } from '@auction/domain/use-cases/list-bids'
import { placeBidUseCase } from '@auction/domain/use-cases/place-bid'
import { readAuctionUseCase } from '@auction/domain/use-cases/read-auction'
import { readBidUseCase } from '@auction/domain/use-cases/read-bid'
import { manualClock } from '../../../src/memory/manual-clock.ts'
import { type MemoryStore, memoryStore } from '../../../src/memory/memory-store.ts'

export const startTime = '2030-01-31T12:00:00Z'
export const endTime = '2030-02-07T12:00:00Z'

/** The use cases of one process over a store, by a clock that stands still an hour after auctions start. */
export function testService({ store = memoryStore(), clock = manualClock('2030-01-31T13:00:00Z') } = {}) {
  const ports = { ...store, clock }
  return {
    store,
    clock,
    createAuction: createAuctionUseCase(ports),
    placeBid: placeBidUseCase(ports),
    readAuction: readAuctionUseCase(ports),
    readBid: readBidUseCase(ports),
    listAuctions: listAuctionsUseCase(ports),
    listBids: listBidsUseCase(ports),
  }
}
export type TestService = ReturnType<typeof testService>

/** A store in memory with some of its operations replaced. */
export function storeWith(replaced: (right: MemoryStore) => Partial<MemoryStore>): MemoryStore {
  const right = memoryStore()
  return { ...right, ...replaced(right) }
}

/** What somebody sent, parsed: from 100.00 USD in steps of 5.00. */
export function newAuction(changed: Readonly<Record<string, unknown>> = {}): NewAuction {
  const right = {
    productId: 7,
    ownerId: 1,
    startingPrice: 100,
    minimumBidIncrement: 5,
    currency: 'USD',
    startTime,
    endTime,
  }
  return unwrap(parseNewAuction({ ...right, ...changed }, 0))
}

export function newBid(auction: Pick<Auction, 'id'>, bidderId: number, amount: number): NewBid {
  return unwrap(parseNewBid({ auctionId: auction.id, bidderId, amount }))
}

export const keyOf = (key: string, caller = 'user-2'): RetryKey => ({ caller, key })

/** What a use case came to, in a word: `accepted`, or the code of the refusal. */
export const wordFor = (result: Result<unknown, { readonly code: string }>): string =>
  result.ok ? 'accepted' : result.refusal.code

export const createAuction = async (service: TestService, changed: Readonly<Record<string, unknown>> = {}) =>
  unwrap(await service.createAuction(newAuction(changed)))

/** All bids of an auction, oldest first. */
export const ledgerOf = async ({ store }: TestService, auction: Auction): Promise<readonly Bid[]> =>
  (await store.ledger.page(auction.id, { limit: 10_000 })).toReversed()

/** Lets everything go on that can go on by itself: a store in memory waits for nothing but promises. */
export const everythingSettled = (): Promise<void> => new Promise(setImmediate)
