import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService } from '@auction/domain'
import { describe, expect, test } from 'vitest'
import { sampleNewAuction, sampleNewBid } from '../src/samples.ts'

describe('sample commands', () => {
  test('are accepted unchanged', async () => {
    const service = createAuctionService({
      store: createMemoryStore(),
      clock: createManualClock('2030-01-31T13:00:00Z'),
    })
    expect(await service.createAuction(sampleNewAuction())).toMatchObject({ ok: true, value: { id: 1, ownerId: 1 } })
    expect(await service.placeBid(sampleNewBid())).toMatchObject({
      ok: true,
      value: { bidderId: 2, amountMinor: 100_00 },
    })
  })

  test('have the fields of the test instead of the default fields', () => {
    const auction = sampleNewAuction({
      title: 'Vase',
      startingPrice: 1.005,
      minimumBidIncrement: 0.005,
      currency: 'KWD',
    })
    expect(auction).toMatchObject({
      title: 'Vase',
      startingPriceMinor: 1_005,
      minimumBidIncrementMinor: 5,
      productId: 7,
    })
    expect(sampleNewBid({ amount: 7.5, auctionId: 3 })).toStrictEqual({ auctionId: 3, bidderId: 2, amount: 7.5 })
  })

  test('are refused with their errors if they are invalid', () => {
    expect(() => sampleNewAuction({ startingPrice: 0.001 })).toThrow('/startingPrice')
    expect(() => sampleNewBid({ bidderId: 0 })).toThrow('/bidderId')
  })
})
