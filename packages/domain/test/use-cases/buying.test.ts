import { describe, expect, test } from 'vitest'
import { toUserId } from '../../src/values/ids.ts'
import { unwrap } from '../../src/values/result.ts'
import { createCountingStore } from '../support/counting-store.ts'
import { createPlainStore } from '../support/plain-store.ts'
import { codeOf, createAuction, createTestService, endTime, keyOf, ledgerOf, newBid } from '../support/service.ts'
import { createHeldStore } from '../support/unreliable-store.ts'

const buyer = (id: number) => toUserId(id)

describe('a purchase', () => {
  test('ends the auction at the buy-now price', async () => {
    const service = createTestService()
    const auction = await createAuction(service, { buyNowPrice: 500 })
    expect(unwrap(await service.readAuction(auction.id)).isBuyNowOffered).toBe(true)
    const view = unwrap(await service.buyNow({ auctionId: auction.id, buyerId: buyer(2) }))
    const result = { outcome: 'bought', buyerId: 2, priceMinor: 500_00 }
    expect(view).toMatchObject({ status: 'Ended', bidCount: 0, isBuyNowOffered: false, result })
    expect(unwrap(await service.readAuction(auction.id))).toStrictEqual({ ...view, sequence: 1 })
    const listed = unwrap(await service.listAuctions({ order: 'newest', limit: 10, status: 'Ended' }))
    expect(listed.items).toEqual([{ ...view, sequence: 1 }])
    const late = await service.placeBid(newBid(auction, 3, 600))
    expect(late).toMatchObject({ refusal: { code: 'auction-ended', endTime: { epochMs: service.clock.nowMs() } } })
    service.clock.set('2030-02-07T12:00:02Z')
    expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
  })

  test('is cached: later commands are refused without a store call', async () => {
    const { store, calls } = createCountingStore()
    const service = createTestService({ store })
    const auction = await createAuction(service, { buyNowPrice: 500 })
    unwrap(await service.buyNow({ auctionId: auction.id, buyerId: buyer(2) }))
    calls.length = 0
    expect(codeOf(await service.placeBid(newBid(auction, 3, 600)))).toBe('auction-ended')
    expect(calls).toEqual([])
  })

  test('succeeds for one of two concurrent buyers; the other receives auction-ended', async () => {
    const store = createPlainStore()
    const services = [createTestService({ store }), createTestService({ store })] as const
    const auctions = await Promise.all(
      Array.from({ length: 20 }, () => createAuction(services[0], { buyNowPrice: 500 })),
    )
    for (const auction of auctions) {
      const codes = await Promise.all(
        [2, 3, 4].map(async (id, index) => {
          const service = services[index % 2] ?? services[0]
          return codeOf(await service.buyNow({ auctionId: auction.id, buyerId: buyer(id) }))
        }),
      )
      expect(codes.toSorted()).toEqual(['accepted', 'auction-ended', 'auction-ended'])
      expect(await ledgerOf(store, auction)).toHaveLength(1)
    }
  })

  test('that is not stored ends the auction for no other command', async () => {
    const right = createPlainStore()
    const auction = await createAuction(createTestService({ store: right }), { buyNowPrice: 500 })
    const held = createHeldStore(right)
    const service = createTestService({ store: held })
    const first = service.placeBid(newBid(auction, 5, 1)) // Refused as too low, so that the lane caches the auction.
    expect(codeOf(await first)).toBe('bid-too-low')
    const bought = service.buyNow({ auctionId: auction.id, buyerId: buyer(2) })
    const append = await held.nextAppend()
    // Queued after the purchase in the same lane, while another process bids first.
    const later = service.placeBid(newBid(auction, 3, 200))
    await createTestService({ store: right }).placeBid(newBid(auction, 4, 100))
    await append.release()
    expect(codeOf(await bought)).toBe('buy-now-not-offered')
    await (await held.nextAppend()).release()
    expect(codeOf(await later)).toBe('accepted')
  })

  test.each([
    ['without a buy-now price', {}, [], '2030-01-31T13:00:00Z', 2, 'buy-now-not-offered'],
    ['after a bid, without a reserve', { buyNowPrice: 500 }, [100], '2030-01-31T13:00:00Z', 2, 'buy-now-not-offered'],
    [
      'after a bid below the reserve',
      { buyNowPrice: 500, reservePrice: 200 },
      [195],
      '2030-01-31T13:00:00Z',
      2,
      'accepted',
    ],
    [
      'after a bid at the reserve',
      { buyNowPrice: 500, reservePrice: 200 },
      [200],
      '2030-01-31T13:00:00Z',
      2,
      'buy-now-not-offered',
    ],
    ['before the start', { buyNowPrice: 500 }, [], '2030-01-31T11:59:59.999Z', 2, 'auction-not-started'],
    ['at the end', { buyNowPrice: 500 }, [], endTime, 2, 'auction-ended'],
    ['by the owner', { buyNowPrice: 500 }, [], '2030-01-31T13:00:00Z', 1, 'owner-cannot-buy'],
  ])('is accepted or refused %s', async (_, sample, bids, now, buyerId, code) => {
    const service = createTestService()
    const auction = await createAuction(service, sample)
    for (const amount of bids) unwrap(await service.placeBid(newBid(auction, 3, amount)))
    service.clock.set(now)
    const { isBuyNowOffered } = unwrap(await service.readAuction(auction.id))
    expect(codeOf(await service.buyNow({ auctionId: auction.id, buyerId: buyer(buyerId) }))).toBe(code)
    const isOffered = code === 'accepted' || code === 'owner-cannot-buy'
    expect(isBuyNowOffered).toBe('buyNowPrice' in sample ? isOffered : undefined)
  })

  test('keeps bids below the reserve readable', async () => {
    const service = createTestService()
    const auction = await createAuction(service, { buyNowPrice: 500, reservePrice: 200 })
    unwrap(await service.placeBid(newBid(auction, 3, 150)))
    const view = unwrap(await service.buyNow({ auctionId: auction.id, buyerId: buyer(2) }))
    expect(view).toMatchObject({ currentPriceMinor: 150_00, bidCount: 1, isReserveMet: false })
    expect(unwrap(await service.listBids(auction.id, { limit: 10 })).items).toMatchObject([{ amountMinor: 150_00 }])
  })

  test('with a key is made once, and its key is valid for this purchase only', async () => {
    const service = createTestService()
    const auction = await createAuction(service, { buyNowPrice: 500 })
    const buy = (id: number) => service.buyNow({ auctionId: auction.id, buyerId: buyer(id) }, keyOf('k'))
    const first = unwrap(await buy(2))
    expect(unwrap(await buy(2))).toStrictEqual(first)
    expect(codeOf(await buy(3))).toBe('idempotency-key-reused')
    expect(codeOf(await service.buyNow({ auctionId: auction.id, buyerId: buyer(2) }))).toBe('auction-ended')
  })
})
