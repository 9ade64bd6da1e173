import { createManualClock, createMemorySealer, createMemoryStore } from '@auction/adapters/memory'
import { parseNewAuction, parseNewBid, parseOwnWithdrawal, parseWithdrawal } from '../../src/public/parsing.ts'
import { createAuctionService } from '../../src/service.ts'
import type { Entry, Store } from '../../src/store/store.ts'
import type { AuctionId } from '../../src/values/ids.ts'
import type { RetryKey } from '../../src/values/request-key.ts'
import { unwrap } from '../../src/values/result.ts'
import { openTime } from './service.ts'

export const times = { startTime: '2030-01-31T12:00:00Z', endTime: '2030-02-07T12:00:00Z' }
/** A sealed auction by user 1, at the second price from 100 dollars. */
export const sealedFields = {
  ...{ productId: 1, ownerId: 1, format: 'sealed', pricing: 'second', startingPrice: 100, currency: 'USD' },
  ...times,
}
/** When the margin for clock differences has passed. */
export const dueTime = '2030-02-07T12:00:02Z'

type Parts = Partial<Parameters<typeof createAuctionService>[0]>

/** A service with a sealed auction by user 1, at the second price from 100 dollars. */
export async function serveSealed(parts: Parts = {}) {
  const clock = createManualClock(openTime)
  const store = createMemoryStore()
  const sealer = createMemorySealer()
  const service = createAuctionService({ store, clock, sealer, ...parts })
  const auction = unwrap(await service.createAuction(unwrap(parseNewAuction(sealedFields, clock.nowMs()))))
  return { ...usesOf(service, auction.id), service, auction, store, clock, sealer }
}

/** The use cases of a service for one auction. */
export const usesOf = (service: ReturnType<typeof createAuctionService>, auctionId: AuctionId) => ({
  bid: (bidderId: number, amount: number, retry?: RetryKey) =>
    service.placeBid(unwrap(parseNewBid({ auctionId, bidderId, amount })), retry),
  withdrawOwn: (bidderId: number, retry?: RetryKey) =>
    service.withdrawOwnBid({ auctionId, withdrawal: unwrap(parseOwnWithdrawal({ bidderId })) }, retry),
  withdraw: (bidderId: number, block?: boolean) =>
    service.withdrawBidder({
      auctionId,
      withdrawal: unwrap(parseWithdrawal({ bidderId, reason: 'r', ...(block !== undefined && { block }) })),
      editor: 'staff',
    }),
  result: async () => unwrap(await service.readAuction(auctionId)).result,
})

export const ledgerOf = async (store: Store, id: AuctionId): Promise<readonly Entry[]> =>
  (await store.listEntries(id, { limit: 1_000 })).toReversed()
