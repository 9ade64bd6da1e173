import { createMemoryStore } from '@auction/adapters/memory'
import { expect, test } from 'vitest'
import { UnreadableStoredError } from '../../src/store/errors.ts'
import type { AuctionId } from '../../src/values/ids.ts'
import { createAuction, createTestService, newBid, outcomeOf } from '../support/service.ts'

test('an unreadable head fails the bids on its auction, and no other bids of its append', async () => {
  const right = createMemoryStore()
  const unreadable = new Set<AuctionId>()
  const store = {
    ...right,
    async findHeads(ids: readonly AuctionId[]) {
      const id = ids.find((each) => unreadable.has(each))
      if (id !== undefined) throw new UnreadableStoredError('entry', { id: 1, auctionId: id }, 'an invalid field state')
      return right.findHeads(ids)
    },
  }
  const service = createTestService({ store })
  const auctions = []
  for (let count = 0; count < 4; count++) auctions.push(await createAuction(service))
  // The service caches all heads; then another process adds an entry to each.
  for (const auction of auctions) await service.placeBid(newBid(auction, 2, 100))
  const other = createTestService({ store: right })
  for (const auction of auctions) await other.placeBid(newBid(auction, 3, 105))
  for (const { id } of auctions.slice(2, 3)) unreadable.add(id)

  const placed = auctions.map((auction) => outcomeOf(service.placeBid(newBid(auction, 2, 200))))
  expect(await Promise.all(placed)).toEqual(['accepted', 'accepted', 'unknown', 'accepted'])
})
