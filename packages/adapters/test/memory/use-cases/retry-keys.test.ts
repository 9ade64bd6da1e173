import { unwrap } from '@auction/domain/result'
import { describe, expect, test } from 'vitest'
import {
  createAuction,
  endTime,
  keyOf,
  ledgerOf,
  newAuction,
  newBid,
  storeWith,
  testService,
  wordFor,
} from './service.ts'

const dayMs = 24 * 60 * 60 * 1000

describe('a bid with a key', () => {
  test('is placed once, and answered as it was', async () => {
    const service = testService()
    const auction = await createAuction(service)
    const first = unwrap(await service.placeBid(newBid(auction, 2, 100), keyOf('k')))
    service.clock.advance(1_000)
    expect(unwrap(await service.placeBid(newBid(auction, 2, 100), keyOf('k')))).toStrictEqual(first)
    expect(await ledgerOf(service, auction)).toStrictEqual([first])
  })

  test('is answered as it was after others bid more, and after the end', async () => {
    const service = testService()
    const auction = await createAuction(service)
    const first = unwrap(await service.placeBid(newBid(auction, 2, 100), keyOf('k')))
    await service.placeBid(newBid(auction, 3, 1_000))
    expect(unwrap(await service.placeBid(newBid(auction, 2, 100), keyOf('k')))).toStrictEqual(first)
    const late = testService({ store: service.store })
    late.clock.set('2030-02-01T12:59:59.999Z')
    expect(unwrap(await late.placeBid(newBid(auction, 2, 100), keyOf('k')))).toStrictEqual(first)
    const short = await createAuction(service, { endTime: '2030-01-31T14:00:00Z' })
    const last = unwrap(await service.placeBid(newBid(short, 2, 100), keyOf('short')))
    service.clock.set('2030-01-31T14:00:00Z')
    expect(unwrap(await service.placeBid(newBid(short, 2, 100), keyOf('short')))).toStrictEqual(last)
    expect(wordFor(await service.placeBid(newBid(short, 2, 105), keyOf('new')))).toBe('auction-ended')
  })

  test('is placed once by twins at once, in one process or in two', async () => {
    const service = testService()
    const other = testService({ store: service.store })
    const auction = await createAuction(service)
    const twins = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? service : other).placeBid(newBid(auction, 2, 100), keyOf('k')),
    )
    const bids = (await Promise.all(twins)).map(unwrap)
    expect(await ledgerOf(service, auction)).toStrictEqual(bids.slice(0, 1))
    for (const bid of bids) expect(bid).toStrictEqual(bids[0])
  })

  test.each([
    ['amount', 2, 105, 1],
    ['bidder', 3, 100, 1],
    ['auction', 2, 100, 2],
  ])('is refused when the key made a bid of another %s', async (_, bidderId, amount, auctionNumber) => {
    const service = testService()
    const auctions = [await createAuction(service), await createAuction(service)] as const
    await service.placeBid(newBid(auctions[0], 2, 100), keyOf('k'))
    const other = auctionNumber === 1 ? auctions[0] : auctions[1]
    expect(await service.placeBid(newBid(other, bidderId, amount), keyOf('k'))).toEqual({
      ok: false,
      refusal: { code: 'idempotency-key-reused' },
    })
    expect((await ledgerOf(service, auctions[0])).length).toBe(1)
    expect((await ledgerOf(service, auctions[1])).length).toBe(0)
  })

  test('makes at most one bid of two requests at once that differ', async () => {
    const service = testService()
    const auctions = [await createAuction(service), await createAuction(service)] as const
    const words = (
      await Promise.all([
        service.placeBid(newBid(auctions[0], 2, 100), keyOf('k')),
        service.placeBid(newBid(auctions[0], 2, 200), keyOf('k')),
        service.placeBid(newBid(auctions[1], 2, 100), keyOf('k')),
      ])
    ).map(wordFor)
    expect(words.toSorted()).toEqual(['accepted', 'idempotency-key-reused', 'idempotency-key-reused'])
    const stored = [...(await ledgerOf(service, auctions[0])), ...(await ledgerOf(service, auctions[1]))]
    expect(stored.length).toBe(1)
  })

  test('that was refused leaves the key free, for the same request or another', async () => {
    const service = testService()
    const auction = await createAuction(service)
    service.clock.set('2030-01-31T11:00:00Z')
    expect(wordFor(await service.placeBid(newBid(auction, 2, 100), keyOf('k')))).toBe('auction-not-started')
    service.clock.set('2030-01-31T13:00:00Z')
    expect(wordFor(await service.placeBid(newBid(auction, 2, 99), keyOf('k')))).toBe('bid-too-low')
    expect(wordFor(await service.placeBid(newBid(auction, 2, 101), keyOf('k')))).toBe('accepted')
    expect(wordFor(await service.placeBid(newBid(auction, 2, 101), keyOf('k')))).toBe('accepted')
    expect((await ledgerOf(service, auction)).map(({ amountMinor }) => amountMinor)).toEqual([101_00])
  })

  test('stands for its first request for 24 hours, and is new then', async () => {
    const service = testService()
    const auction = await createAuction(service)
    const first = unwrap(await service.placeBid(newBid(auction, 2, 100), keyOf('k')))
    service.clock.advance(dayMs - 1)
    expect(unwrap(await service.placeBid(newBid(auction, 2, 100), keyOf('k')))).toStrictEqual(first)
    service.clock.advance(1)
    expect(wordFor(await service.placeBid(newBid(auction, 2, 100), keyOf('k')))).toBe('bid-too-low')
    const second = unwrap(await service.placeBid(newBid(auction, 2, 105), keyOf('k')))
    expect(second.id).not.toBe(first.id)
    expect(await ledgerOf(service, auction)).toStrictEqual([first, second])
  })

  test('is the caller’s own', async () => {
    const service = testService()
    const auction = await createAuction(service)
    await service.placeBid(newBid(auction, 2, 100), keyOf('k', 'user-2'))
    expect(wordFor(await service.placeBid(newBid(auction, 3, 105), keyOf('k', 'user-3')))).toBe('accepted')
    expect((await ledgerOf(service, auction)).length).toBe(2)
  })
})

describe('an auction with a key', () => {
  test('is created once, and answered as it was, in any process and after its end', async () => {
    const service = testService()
    const first = unwrap(await service.createAuction(newAuction({ endTime: '2030-01-31T14:00:00Z' }), keyOf('k')))
    const other = testService({ store: service.store })
    for (const now of ['2030-01-31T13:30:00Z', '2030-01-31T14:00:00Z', '2030-02-01T12:00:00Z']) {
      other.clock.set(now)
      const again = await other.createAuction(newAuction({ endTime: '2030-01-31T14:00:00Z' }), keyOf('k'))
      expect(unwrap(again)).toStrictEqual(first)
    }
    expect(await service.store.auctions.list({ limit: 10 })).toStrictEqual([first])
  })

  test('is created once by twins at once', async () => {
    const service = testService()
    const other = testService({ store: service.store })
    const twins = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? service : other).createAuction(newAuction({ title: 'A vase' }), keyOf('k')),
    )
    const auctions = (await Promise.all(twins)).map(unwrap)
    expect(await service.store.auctions.list({ limit: 10 })).toStrictEqual(auctions.slice(0, 1))
    for (const auction of auctions) expect(auction).toStrictEqual(auctions[0])
  })

  test.each([
    ['productId', 8],
    ['ownerId', 2],
    ['title', 'Another vase'],
    ['title', null],
    ['description', 'New.'],
    ['startingPrice', 100.01],
    ['minimumBidIncrement', 6],
    ['currency', 'EUR'],
    ['startTime', '2030-01-31T12:00:00.0Z'],
    ['endTime', '2030-02-07T12:00:01Z'],
  ])('is refused when the key made one with another %s', async (field, value) => {
    const service = testService()
    const first = unwrap(await service.createAuction(newAuction({ title: 'A vase' }), keyOf('k')))
    expect(await service.createAuction(newAuction({ title: 'A vase', [field]: value }), keyOf('k'))).toEqual({
      ok: false,
      refusal: { code: 'idempotency-key-reused' },
    })
    expect(await service.store.auctions.list({ limit: 10 })).toStrictEqual([first])
  })

  test('that was refused leaves the key free', async () => {
    const service = testService()
    service.clock.set(endTime)
    expect(wordFor(await service.createAuction(newAuction(), keyOf('k')))).toBe('validation-failed')
    const later = { endTime: '2031-01-01T00:00:00Z' }
    expect(wordFor(await service.createAuction(newAuction(later), keyOf('k')))).toBe('accepted')
    expect(wordFor(await service.createAuction(newAuction(later), keyOf('k')))).toBe('accepted')
    expect((await service.store.auctions.list({ limit: 10 })).length).toBe(1)
  })

  test('is another one after 24 hours', async () => {
    const service = testService()
    const first = unwrap(await service.createAuction(newAuction(), keyOf('k')))
    service.clock.advance(dayMs - 1)
    expect(unwrap(await service.createAuction(newAuction(), keyOf('k')))).toStrictEqual(first)
    service.clock.advance(1)
    expect(unwrap(await service.createAuction(newAuction(), keyOf('k'))).id).not.toBe(first.id)
  })

  test('does not stand for a bid', async () => {
    const service = testService()
    const auction = unwrap(await service.createAuction(newAuction(), keyOf('k')))
    expect(wordFor(await service.placeBid(newBid(auction, 2, 100), keyOf('k')))).toBe('accepted')
    expect(unwrap(await service.createAuction(newAuction(), keyOf('k')))).toStrictEqual(auction)
  })
})

test('a key that others keep taking is given up', async () => {
  const store = storeWith(({ idempotencyKeys }) => ({
    idempotencyKeys: { ...idempotencyKeys, insert: async () => 'taken' as const },
  }))
  const service = testService({ store })
  const auction = await createAuction(service)
  await expect(service.placeBid(newBid(auction, 2, 100), keyOf('k'))).rejects.toMatchObject({
    name: 'StoreUnavailableError',
    outcome: 'nothing-changed',
  })
  expect(await ledgerOf(service, auction)).toEqual([])
})
