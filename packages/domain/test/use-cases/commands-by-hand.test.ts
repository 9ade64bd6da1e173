import { sampleEndTime, sampleStartTime } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import type { NewAuction } from '../../src/auction/auction.ts'
import type { NewBid } from '../../src/auction/bid.ts'
import type { AuctionService } from '../../src/service.ts'
import type { Cancellation } from '../../src/use-cases/cancel-auction.ts'
import { toUserId } from '../../src/values/ids.ts'
import { isInvalidValue } from '../../src/values/invalid-value.ts'
import { unwrap } from '../../src/values/result.ts'
import { createAuction, createTestService, keyOf, ledgerOf, newAuction, newBid } from '../support/service.ts'

// Programs in JavaScript, or with casts, can pass such commands: the casts in this file are what is tested.

const softClose = { windowSeconds: 60, extensionSeconds: 60, latestEndTime: '2030-02-07T13:00:00Z' }
const right = newAuction({ title: 'A vase', softClose, reservePrice: 150, buyNowPrice: 400 })
const start = { iso: sampleStartTime, epochMs: Date.parse(sampleStartTime) }
const end = { iso: sampleEndTime, epochMs: Date.parse(sampleEndTime) }
const secret = 5133.33

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return { returned: await call }
  } catch (error) {
    return error
  }
}

/** The call throws an error that names the field and shows no amount. */
function expectRefusal(error: unknown, field: string): void {
  expect(error).toSatisfy(isInvalidValue)
  expect(String(error)).toMatch(new RegExp(`(?<![\\w.])${field}\\b`))
  expect(String(error)).not.toContain(String(secret))
}

/** Every operation that reads all auctions succeeds. */
async function expectWorking(service: AuctionService, auctions: number): Promise<void> {
  for (const order of ['newest', 'agenda'] as const) {
    expect(unwrap(await service.listAuctions({ order, limit: 10 })).items).toHaveLength(auctions)
  }
}

describe('an unparsed new auction', () => {
  test.each<readonly [field: string, value: unknown]>([
    ['productId', undefined],
    ['productId', '7'],
    ['ownerId', 0],
    ['ownerId', 1.5],
    ['title', null],
    ['title', ''],
    ['title', 7],
    ['title', 'a lone \ud800'],
    ['title', 'x'.repeat(201)],
    ['description', {}],
    ['description', 'x'.repeat(10_001)],
    ['startingPriceMinor', '100'],
    ['startingPriceMinor', -1],
    ['startingPriceMinor', 0.5],
    ['startingPriceMinor', 1e15],
    ['minimumBidIncrementMinor', undefined],
    ['minimumBidIncrementMinor', 0],
    ['minimumBidIncrementMinor', Number.NaN],
    ['minimumBidIncrementMinor', 5n],
    ['currency', 'USD'],
    ['currency.exponent', { code: 'USD' }],
    ['currency.code', { code: 'usd', exponent: 2 }],
    ['startTime', '2030-01-31T12:00:00Z'],
    ['startTime', new Date(0)],
    ['startTime', { ...start, epochMs: 0 }],
    ['endTime', undefined],
    ['endTime.epochMs', { ...end, epochMs: end.iso }],
    ['endTime', start],
    ['softClose', null],
    ['softClose.windowSeconds', { ...right.softClose, windowSeconds: 0.5 }],
    ['softClose.latestEndTime', { ...right.softClose, latestEndTime: end }],
    ['softClose.latestEndTime', { windowSeconds: 60, extensionSeconds: 60 }],
    ['reservePriceMinor', secret],
    ['reservePriceMinor', String(secret)],
    ['buyNowPriceMinor', null],
    ['cancellableUntilEnd', 'yes'],
  ])('is refused with the invalid field, and nothing is stored: %s (%#)', async (field, value) => {
    const [name = ''] = field.split('.')
    const service = createTestService()
    for (const retry of [undefined, keyOf('k')]) {
      expectRefusal(await errorOf(service.createAuction({ ...right, [name]: value } as NewAuction, retry)), field)
    }
    await expectWorking(service, 0)
    expect(await service.store.highestIdBlock('auctions')).toBe(undefined)
  })

  test.each([
    ['an end at its start', { ...newAuction(), endTime: start }, 'endTime: it must be after startTime'],
    [
      'a latest end at its end',
      { ...right, softClose: { ...right.softClose, latestEndTime: end } },
      'softClose.latestEndTime: it must be after endTime, by at most a week',
    ],
  ])('is refused with the rule for %s', async (_, fields, expected) => {
    const error = await errorOf(createTestService().createAuction(fields as NewAuction))
    expect(String(error)).toContain(`the new auction has an invalid field ${expected}`)
  })

  test.each([[undefined], [null], ['an auction'], [7]])('is refused as a whole: %j', async (fields) => {
    const service = createTestService()
    expect(await errorOf(service.createAuction(fields as unknown as NewAuction))).toSatisfy(isInvalidValue)
    await expectWorking(service, 0)
  })

  test('is stored without undefined and unknown fields', async () => {
    const service = createTestService()
    const fields = { ...newAuction(), title: undefined, softClose: undefined, id: 99, requestKey: 'k', titel: 'A vase' }
    const auction = unwrap(await service.createAuction(fields as unknown as NewAuction))
    expect(auction).toStrictEqual({ ...newAuction(), id: 1, createdAtMs: service.clock.nowMs() })
    expect(await service.store.findAuction(auction.id)).toStrictEqual(auction)
  })

  test('is stored as it was when it was passed', async () => {
    const service = createTestService()
    const fields = { ...right, endTime: { ...right.endTime } }
    const creating = service.createAuction(fields)
    Object.assign(fields.endTime, { epochMs: 'changed' })
    expect(unwrap(await creating)).toMatchObject(right)
  })
})

describe('an unparsed bid', () => {
  const rightBid = { bidderId: 2, amount: 100 }
  test.each<readonly [field: string, bid: Readonly<Record<string, unknown>>]>([
    ['auctionId', { auctionId: undefined }],
    ['auctionId', { auctionId: '1' }],
    ['auctionId', { auctionId: 1.5 }],
    ['bidderId', { bidderId: undefined }],
    ['bidderId', { bidderId: 0 }],
    ['bidderId', { bidderId: '2' }],
    ['amount', { amount: undefined }],
    ['amount', { amount: '100' }],
    ['amount', { amount: 100n }],
    ['amount', { amount: -100 }],
    ['amount', { amount: 0 }],
    ['amount', { amount: Number.NaN }],
    ['maximumAmount', { maximumAmount: null }],
    ['maximumAmount', { maximumAmount: String(secret) }],
    ['maximumAmount', { maximumAmount: { secret } }],
  ])('is refused with the invalid field, and nothing is stored: %s (%#)', async (field, changed) => {
    const service = createTestService()
    const auction = await createAuction(service)
    const bid = { auctionId: auction.id, ...rightBid, ...changed } as unknown as NewBid
    for (const retry of [undefined, keyOf('k')]) expectRefusal(await errorOf(service.placeBid(bid, retry)), field)
    expect(await ledgerOf(service.store, auction)).toEqual([])
    // A leader raises its maximum, whatever the amount.
    const leading = { ...newBid(auction, 2, 200), maximumAmount: 300 } as NewBid
    unwrap(await service.placeBid(leading))
    expectRefusal(await errorOf(service.placeBid({ ...leading, maximumAmount: 400, ...changed } as NewBid)), field)
    expect(await ledgerOf(service.store, auction)).toHaveLength(1)
    await expectWorking(service, 1)
  })

  test('is refused as a whole', async () => {
    const service = createTestService()
    for (const bid of [undefined, null, 7]) {
      expect(await errorOf(service.placeBid(bid as unknown as NewBid))).toSatisfy(isInvalidValue)
    }
  })
})

describe('an unparsed purchase or cancellation', () => {
  test.each<readonly [field: string, purchase: object]>([
    ['auctionId', { auctionId: '1' }],
    ['buyerId', { buyerId: undefined }],
    ['buyerId', { buyerId: '2' }],
    ['buyerId', { buyerId: -2 }],
  ])('is refused with the invalid field, for a purchase: %s (%#)', async (field, changed) => {
    const service = createTestService()
    const auction = await createAuction(service, { buyNowPrice: 200 })
    const purchase = { auctionId: auction.id, buyerId: toUserId(2), ...changed }
    expectRefusal(await errorOf(service.buyNow(purchase)), field)
    expect(await ledgerOf(service.store, auction)).toEqual([])
    await expectWorking(service, 1)
  })

  test.each<readonly [field: string, cancellation: object]>([
    ['auctionId', { auctionId: null }],
    ['requesterId', { requesterId: '1' }],
    ['requesterId', { requesterId: null }],
    ['reason', { reason: null }],
    ['reason', { reason: 7 }],
    ['reason', { reason: '' }],
    ['reason', { reason: 'x'.repeat(501) }],
    ['reason', { reason: 'a lone \udc00' }],
  ])('is refused with the invalid field, for a cancellation: %s (%#)', async (field, changed) => {
    const service = createTestService()
    const auction = await createAuction(service)
    const cancellation = { auctionId: auction.id, ...changed } as Cancellation
    expectRefusal(await errorOf(service.cancelAuction(cancellation)), field)
    expect(await ledgerOf(service.store, auction)).toEqual([])
    await expectWorking(service, 1)
  })

  test('may have undefined fields', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    const cancellation = { auctionId: auction.id, reason: undefined, requesterId: undefined } as unknown as Cancellation
    expect(unwrap(await service.cancelAuction(cancellation)).result).toStrictEqual({ outcome: 'cancelled' })
  })
})
