import { sampleAuction, sampleNewBid } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { unwrap } from '../../src/values/result.ts'
import { amountsOf, codeOf, createAuction, createTestService, ledgerOf, newBid } from '../support/service.ts'

describe('placing a bid', () => {
  test('records it in one entry, with the resulting state', async () => {
    const service = createTestService()
    const auction = await createAuction(service, { currency: 'KWD', startingPrice: 1.005 })
    const bid = unwrap(await service.placeBid(newBid(auction, 2, 1.005)))
    const nowMs = service.clock.nowMs()
    const currency = { code: 'KWD', exponent: 3 }
    expect(bid).toStrictEqual({
      id: 1,
      auctionId: auction.id,
      bidderId: 2,
      amountMinor: 1_005,
      currency,
      timestampMs: nowMs,
      leaderId: 2,
      leaderMaximumMinor: undefined,
    })
    expect(await ledgerOf(service.store, auction)).toStrictEqual([
      {
        id: 1,
        auctionId: auction.id,
        sequence: 1,
        atMs: nowMs,
        currency,
        event: { type: 'bid-placed', bidderId: 2, amountMinor: 1_005 },
        state: {
          phase: 'open',
          bidCount: 1,
          leader: { bidId: 1, bidderId: 2, amountMinor: 1_005 },
          atMs: nowMs,
        },
      },
    ])
  })

  test('is refused for an auction that does not exist', async () => {
    const service = createTestService()
    await createAuction(service)
    expect(await service.placeBid(newBid(sampleAuction({ id: 999 }), 2, 100))).toEqual({
      ok: false,
      refusal: { code: 'auction-not-found', auctionId: 999 },
    })
  })

  test('finds an auction that was missing before', async () => {
    const service = createTestService()
    const missing = sampleAuction({ id: 1 })
    expect(codeOf(await service.placeBid(newBid(missing, 2, 100)))).toBe('auction-not-found')
    await service.store.insertAuction(missing)
    expect(codeOf(await service.placeBid(newBid(missing, 2, 100)))).toBe('accepted')
  })

  test('is refused with more decimals than the currency of the auction has', async () => {
    const service = createTestService()
    const auction = await createAuction(service, { currency: 'JPY' })
    const place = (amount: number, maximumAmount: number) =>
      service.placeBid(sampleNewBid({ auctionId: auction.id, amount, maximumAmount }))
    const rest = 'is not a valid JPY amount; it must have at most 0 decimal places and be below 10^15 minor units'
    const [wrongAmount, wrongMaximum] = [
      { pointer: '/amount', message: `100.5 ${rest}` },
      { pointer: '/maximumAmount', message: rest },
    ]
    const refusal = { code: 'validation-failed', moreErrors: 0 }
    expect(await place(100.5, 101)).toEqual({ ok: false, refusal: { ...refusal, errors: [wrongAmount] } })
    expect(await place(100, 100.5)).toEqual({ ok: false, refusal: { ...refusal, errors: [wrongMaximum] } })
    expect(await place(100.5, 100.5)).toEqual({
      ok: false,
      refusal: { ...refusal, errors: [wrongAmount, wrongMaximum] },
    })
    expect(await ledgerOf(service.store, auction)).toEqual([])
  })

  test('uses the decimals that the currency had when the auction was created', async () => {
    const service = createTestService()
    const auction = sampleAuction({ currency: 'XOL', currencyExponent: 1, startingPriceMinor: 10 })
    await service.store.insertAuction(auction)
    expect(codeOf(await service.placeBid(newBid(auction, 2, 1.01)))).toBe('validation-failed')
    expect(unwrap(await service.placeBid(newBid(auction, 2, 1.1)))).toMatchObject({
      amountMinor: 11,
      currency: { code: 'XOL', exponent: 1 },
    })
  })

  test('keeps the time of the last entry when the clock is set back', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    const first = unwrap(await service.placeBid(newBid(auction, 2, 100)))
    service.clock.advance(-60_000)
    const second = unwrap(await service.placeBid(newBid(auction, 3, 105)))
    expect(second.timestampMs).toBe(first.timestampMs)
  })
})

describe('a hundred concurrent bids', () => {
  test('in rising order are all accepted, in the order of arrival', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    const amounts = Array.from({ length: 100 }, (_, index) => 100 + index * 5)
    const results = await Promise.all(amounts.map((amount) => service.placeBid(newBid(auction, 2, amount))))
    expect(results.map((result) => unwrap(result).amountMinor / 100)).toEqual(amounts)
    expect(await amountsOf(service.store, auction)).toEqual(amounts)
  })

  test('of the same amount are refused, except the first', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    const bids = Array.from({ length: 100 }, (_, index) => newBid(auction, index + 2, 100))
    const codes = (await Promise.all(bids.map((bid) => service.placeBid(bid)))).map(codeOf)
    expect(codes).toEqual(['accepted', ...Array.from({ length: 99 }, () => 'bid-too-low')])
    expect((await ledgerOf(service.store, auction)).map(({ state }) => state.leader?.bidderId)).toEqual([2])
  })

  test('in falling order receive the price that refused them', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    const bids = Array.from({ length: 100 }, (_, index) => newBid(auction, 2, 1_000 - index))
    const [first, ...others] = await Promise.all(bids.map((bid) => service.placeBid(bid)))
    expect(first?.ok).toBe(true)
    for (const other of others) expect(other).toMatchObject({ refusal: { minimumNextBidMinor: 1_005_00 } })
  })

  test('on a hundred auctions do not conflict', async () => {
    const service = createTestService()
    const auctions = await Promise.all(Array.from({ length: 100 }, () => createAuction(service)))
    const results = await Promise.all(auctions.map((auction) => service.placeBid(newBid(auction, 2, 100))))
    expect(results.map((result) => unwrap(result).auctionId)).toEqual(auctions.map(({ id }) => id))
    for (const auction of auctions) expect(await amountsOf(service.store, auction)).toEqual([100])
  })
})
