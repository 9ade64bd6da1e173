import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { sampleExtension, sampleNewFallingAuction, samplePurchase, sampleStartTime } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { verifyAuction } from '../../src/use-cases/verify-auction.ts'
import { toUserId } from '../../src/values/ids.ts'
import { isoOf } from '../../src/values/moment.ts'
import { unwrap } from '../../src/values/result.ts'
import { buy, codeOf, createAuction, createTestService, keyOf, newBid, serveAuction } from '../support/service.ts'
import { createCountingStore, createHeldStore } from '../support/stores.ts'

describe('a purchase', () => {
  test('ends the auction at the buy-now price, in reads and lists', async () => {
    const { service, auction } = await serveAuction({ buyNowPrice: 500 })
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
    const { service, auction } = await serveAuction({ buyNowPrice: 500 }, { store })
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
    const { service, auction } = await serveAuction({ buyNowPrice: 500 })
    const first = unwrap(await buy(service, auction, 2, keyOf('k')))
    expect(unwrap(await buy(service, auction, 2, keyOf('k')))).toStrictEqual(first)
    expect(codeOf(await buy(service, auction, 3, keyOf('k')))).toBe('idempotency-key-reused')
    expect(codeOf(await buy(service, auction))).toBe('auction-ended')
  })
})

describe('a purchase of an auction whose price falls', () => {
  const minute = 60_000
  const startMs = Date.parse(sampleStartTime)
  const serveFalling = async (store: Store = createMemoryStore()) => {
    const clock = createManualClock(sampleStartTime)
    const services = [createTestService({ store, clock }), createTestService({ store, clock })] as const
    const { id } = unwrap(await services[0].createAuction(sampleNewFallingAuction()))
    const take = (index: number, buyerId: number, atMost: number, arrivedAtMs?: number, key?: string) =>
      services[index === 0 ? 0 : 1].buyNow(
        { auctionId: id, purchase: samplePurchase(buyerId, atMost) },
        key === undefined ? undefined : keyOf(key),
        arrivedAtMs,
      )
    return { clock, services, id, take }
  }
  const resultOf = ({ result }: { readonly result: unknown }) => result

  test('is at the price of its arrival, though the store stalls until the price has fallen', async () => {
    const right = createMemoryStore()
    const held = createHeldStore(right)
    const { clock, services, id, take } = await serveFalling(held)
    clock.set(isoOf(startMs + minute - 1))
    const bought = take(0, 2, 100)
    const append = await held.nextAppend()
    clock.advance(1_500)
    await append.release()
    expect(resultOf(unwrap(await bought))).toEqual({ outcome: 'bought', buyerId: 2, priceMinor: 100_00 })
    expect(resultOf(unwrap(await services[1].readAuction(id)))).toEqual({
      outcome: 'bought',
      buyerId: 2,
      priceMinor: 100_00,
    })
  })

  test('succeeds for one of 100 buyers on two servers at the edge of a step, at the price of their arrival', async () => {
    const { clock, services, id, take } = await serveFalling()
    clock.set(isoOf(startMs + minute + 500))
    // Every other request arrived in the last millisecond of the higher price, for which half of the buyers would not pay.
    const all = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        take(index % 2, index + 2, index % 4 < 2 ? 100 : 95, startMs + minute - (index % 2)),
      ),
    )
    const [bought, ...others] = all.filter(({ ok }) => ok)
    expect(others).toEqual([])
    const codes = new Set(all.map((response) => (response.ok ? 'bought' : response.refusal.code)))
    expect([...codes].toSorted()).toEqual(expect.arrayContaining(['auction-ended', 'bought']))
    const view = unwrap(await services[0].readAuction(id))
    if (view.result?.outcome !== 'bought' || bought?.ok !== true) throw new Error('one buyer has bought')
    const index = view.result.buyerId - 2
    expect(view.result.priceMinor).toBe(index % 2 === 1 ? 100_00 : 95_00)
    expect(index % 2 === 1 && index % 4 >= 2).toBe(false)
    expect(unwrap(await verifyAuction(services[0].store, id))).toEqual({ entries: 1, difference: undefined })
  })

  test('that another server with an earlier clock records later has a time that is not before it', async () => {
    const { clock, services, id, take } = await serveFalling()
    clock.set(isoOf(startMs + 2 * minute))
    unwrap(await services[0].extendAuction({ auctionId: id, extension: sampleExtension(), editor: 'staff' }))
    // The other clock is a second behind: the price is that of the last entry, which is lower.
    const bought = unwrap(await take(1, 2, 100, startMs + 2 * minute - 1_000))
    expect(resultOf(bought)).toEqual({ outcome: 'bought', buyerId: 2, priceMinor: 90_00 })
  })

  test('with a key is made once, at its first price, and is listed for its buyer', async () => {
    const { clock, services, take } = await serveFalling()
    const first = unwrap(await take(0, 2, 100, undefined, 'k'))
    clock.advance(5 * minute)
    expect(unwrap(await take(1, 2, 100, undefined, 'k'))).toStrictEqual(first)
    const other = await take(1, 2, 99, undefined, 'k')
    expect(other).toMatchObject({ refusal: { code: 'idempotency-key-reused' } })
    const listed = unwrap(await services[1].listBidsOfBidder(toUserId(2), { limit: 10 }))
    expect(listed.items).toMatchObject([{ standing: 'won', bid: { amountMinor: 100_00, isPurchase: true } }])
  })
})
