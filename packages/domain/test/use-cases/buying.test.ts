import { createMemoryStore } from '@auction/adapters/memory'
import { describe, expect, test } from 'vitest'
import { unwrap } from '../../src/values/result.ts'
import { buy, codeOf, createAuction, createTestService, keyOf, newBid } from '../support/service.ts'
import { createCountingStore, createHeldStore } from '../support/stores.ts'

describe('a purchase', () => {
  test('ends the auction at the buy-now price, in reads and lists', async () => {
    const service = createTestService()
    const auction = await createAuction(service, { buyNowPrice: 500 })
    const view = unwrap(await buy(service, auction))
    const result = { outcome: 'bought', buyerId: 2, priceMinor: 500_00 }
    expect(view).toMatchObject({ status: 'Ended', bidCount: 0, isBuyNowOffered: false, result })
    expect(unwrap(await service.readAuction(auction.id))).toStrictEqual({ ...view, sequence: 1 })
    const listed = unwrap(await service.listAuctions({ order: 'newest', limit: 10, status: 'Ended' }))
    expect(listed.items).toEqual([{ ...view, sequence: 1 }])
    service.clock.set('2030-02-07T12:00:02Z')
    expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
  })

  test('is cached: later commands are refused without a store call, with the time of the purchase', async () => {
    const { store, calls } = createCountingStore()
    const service = createTestService({ store })
    const auction = await createAuction(service, { buyNowPrice: 500 })
    unwrap(await buy(service, auction))
    calls.length = 0
    const late = await service.placeBid(newBid(auction, 3, 600))
    expect(late).toMatchObject({ refusal: { code: 'auction-ended', endTime: { epochMs: service.clock.nowMs() } } })
    expect(calls).toEqual([])
  })

  test('that is not stored ends the auction for no other command', async () => {
    const right = createMemoryStore()
    const auction = await createAuction(createTestService({ store: right }), { buyNowPrice: 500 })
    const held = createHeldStore(right)
    const service = createTestService({ store: held })
    const first = service.placeBid(newBid(auction, 5, 1)) // Refused as too low, so that the lane caches the auction.
    expect(codeOf(await first)).toBe('bid-too-low')
    const bought = buy(service, auction)
    const append = await held.nextAppend()
    // Queued after the purchase in the same lane, while another process bids first.
    const later = service.placeBid(newBid(auction, 3, 200))
    await createTestService({ store: right }).placeBid(newBid(auction, 4, 100))
    await append.release()
    expect(codeOf(await bought)).toBe('buy-now-not-offered')
    await (await held.nextAppend()).release()
    expect(codeOf(await later)).toBe('accepted')
  })

  test('with a key is made once, and its key is valid for this purchase only', async () => {
    const service = createTestService()
    const auction = await createAuction(service, { buyNowPrice: 500 })
    const first = unwrap(await buy(service, auction, 2, keyOf('k')))
    expect(unwrap(await buy(service, auction, 2, keyOf('k')))).toStrictEqual(first)
    expect(codeOf(await buy(service, auction, 3, keyOf('k')))).toBe('idempotency-key-reused')
    expect(codeOf(await buy(service, auction))).toBe('auction-ended')
  })
})
