import { unwrap } from '@auction/domain/result'
import { sampleAuction } from '@auction/domain/testing/samples'
import { describe, expect, test } from 'vitest'
import { createAuction, endTime, ledgerOf, newBid, testService, wordFor } from './service.ts'

describe('placing a bid', () => {
  test('stores it, with what the next decision needs', async () => {
    const service = testService()
    const auction = await createAuction(service, { currency: 'KWD', startingPrice: 1.005 })
    const bid = unwrap(await service.placeBid(newBid(auction, 2, 1.005)))
    expect(bid).toStrictEqual({
      id: 1,
      auctionId: auction.id,
      sequence: 1,
      bidderId: 2,
      amountMinor: 1_005,
      currency: { code: 'KWD', exponent: 3 },
      timestampMs: service.clock.nowMs(),
    })
    expect(await ledgerOf(service, auction)).toStrictEqual([bid])
  })

  test('raises the price, by others and by the leader itself', async () => {
    const service = testService()
    const auction = await createAuction(service)
    const words: string[] = []
    for (const [bidderId, amount] of [
      [2, 100],
      [3, 104.99],
      [3, 105],
      [3, 110],
      [2, 110],
      [2, 500],
      [3, 505],
    ] as const) {
      words.push(wordFor(await service.placeBid(newBid(auction, bidderId, amount))))
    }
    expect(words).toEqual(['accepted', 'bid-too-low', 'accepted', 'accepted', 'bid-too-low', 'accepted', 'accepted'])
    expect((await ledgerOf(service, auction)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5])
  })

  test('is refused for an auction that does not exist', async () => {
    const service = testService()
    await createAuction(service)
    expect(await service.placeBid(newBid(sampleAuction({ id: 999 }), 2, 100))).toEqual({
      ok: false,
      refusal: { code: 'auction-not-found', auctionId: 999 },
    })
  })

  test.each([
    ['2030-01-31T11:59:59.999Z', 'auction-not-started'],
    ['2030-01-31T12:00:00Z', 'accepted'],
    ['2030-02-07T11:59:59.999Z', 'accepted'],
    [endTime, 'auction-ended'],
  ])('is judged at %s: %s', async (now, word) => {
    const service = testService()
    const auction = await createAuction(service)
    service.clock.set(now)
    expect(wordFor(await service.placeBid(newBid(auction, 2, 100)))).toBe(word)
    expect((await ledgerOf(service, auction)).length).toBe(word === 'accepted' ? 1 : 0)
  })

  test('is refused to the owner', async () => {
    const service = testService()
    const auction = await createAuction(service)
    expect(wordFor(await service.placeBid(newBid(auction, auction.ownerId, 100)))).toBe('owner-cannot-bid')
  })

  test('is refused when too low, with the price that it has to reach', async () => {
    const service = testService()
    const auction = await createAuction(service)
    const priced = { code: 'bid-too-low', currency: { code: 'USD', exponent: 2 } }
    expect(await service.placeBid(newBid(auction, 2, 99.99))).toEqual({
      ok: false,
      refusal: { ...priced, currentPriceMinor: 100_00, minimumNextBidMinor: 100_00 },
    })
    await service.placeBid(newBid(auction, 2, 120))
    expect(await service.placeBid(newBid(auction, 3, 124.99))).toEqual({
      ok: false,
      refusal: { ...priced, currentPriceMinor: 120_00, minimumNextBidMinor: 125_00 },
    })
  })

  test('is refused for more decimals than the currency of the auction has', async () => {
    const service = testService()
    const auction = await createAuction(service, { currency: 'JPY' })
    expect(await service.placeBid(newBid(auction, 2, 100.5))).toMatchObject({
      ok: false,
      refusal: { code: 'validation-failed', faults: [{ pointer: '/amount' }] },
    })
    expect(await ledgerOf(service, auction)).toEqual([])
  })

  test('on a free auction begins at one minor unit', async () => {
    const service = testService()
    const auction = await createAuction(service, { startingPrice: 0 })
    expect(unwrap(await service.placeBid(newBid(auction, 2, 0.01))).amountMinor).toBe(1)
  })

  test('keeps the time of the head when the clock goes back', async () => {
    const service = testService()
    const auction = await createAuction(service)
    const first = unwrap(await service.placeBid(newBid(auction, 2, 100)))
    service.clock.advance(-60_000)
    const second = unwrap(await service.placeBid(newBid(auction, 3, 105)))
    expect(second.timestampMs).toBe(first.timestampMs)
  })
})

describe('a hundred bids at once', () => {
  test('in rising order are all accepted, in the order in which they came', async () => {
    const service = testService()
    const auction = await createAuction(service)
    const amounts = Array.from({ length: 100 }, (_, index) => 100 + index * 5)
    const results = await Promise.all(amounts.map((amount) => service.placeBid(newBid(auction, 2, amount))))
    expect(results.map((result) => unwrap(result).sequence)).toEqual(amounts.map((_, index) => index + 1))
    expect(await ledgerOf(service, auction)).toStrictEqual(results.map(unwrap))
  })

  test('of the same amount are refused but for the first', async () => {
    const service = testService()
    const auction = await createAuction(service)
    const bids = Array.from({ length: 100 }, (_, index) => newBid(auction, index + 2, 100))
    const words = (await Promise.all(bids.map((bid) => service.placeBid(bid)))).map(wordFor)
    expect(words).toEqual(['accepted', ...Array.from({ length: 99 }, () => 'bid-too-low')])
    expect((await ledgerOf(service, auction)).map(({ bidderId }) => bidderId)).toEqual([2])
  })

  test('in falling order name the price that refused them', async () => {
    const service = testService()
    const auction = await createAuction(service)
    const bids = Array.from({ length: 100 }, (_, index) => newBid(auction, 2, 1_000 - index))
    const [first, ...others] = await Promise.all(bids.map((bid) => service.placeBid(bid)))
    expect(first?.ok).toBe(true)
    for (const other of others) expect(other).toMatchObject({ refusal: { minimumNextBidMinor: 1_005_00 } })
  })

  test('on as many auctions do not meet', async () => {
    const service = testService()
    const auctions = await Promise.all(Array.from({ length: 100 }, () => createAuction(service)))
    const results = await Promise.all(auctions.map((auction) => service.placeBid(newBid(auction, 2, 100))))
    expect(results.map((result) => unwrap(result).sequence)).toEqual(auctions.map(() => 1))
    expect(results.map((result) => unwrap(result).auctionId)).toEqual(auctions.map(({ id }) => id))
  })
})
