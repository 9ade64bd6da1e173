import { describe, expect, test } from 'vitest'
import { sampleNewAuction, sampleNewBid } from '../../src/testing/samples.ts'
import { createTestService } from '../support/service.ts'

describe('sample commands', () => {
  test('are accepted as they are', async () => {
    const service = createTestService()
    expect(await service.createAuction(sampleNewAuction())).toMatchObject({ ok: true, value: { id: 1, ownerId: 1 } })
    expect(await service.placeBid(sampleNewBid())).toMatchObject({
      ok: true,
      value: { bidderId: 2, amountMinor: 100_00 },
    })
  })

  test('have what the test says in place of what they have', () => {
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

  test('are refused with their faults when they are not right', () => {
    expect(() => sampleNewAuction({ startingPrice: 0.001 })).toThrow('/startingPrice')
    expect(() => sampleNewBid({ bidderId: 0 })).toThrow('/bidderId')
  })
})
