import { sampleAuction, sampleNewBid } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { toBidId } from '../../src/values/ids.ts'
import { unwrap } from '../../src/values/result.ts'
import {
  allOf,
  bidIn,
  codeOf,
  createAuction,
  createTestService,
  keyOf,
  ledgerOf,
  newBid,
  type TestService,
} from '../support/service.ts'
import { createCountingStore } from '../support/stores.ts'

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

type Auction = Awaited<ReturnType<typeof createAuction>>

const proxyBid = ({ id }: Auction, bidderId: number, amount: number, maximumAmount: number) =>
  sampleNewBid({ auctionId: id, bidderId, amount, maximumAmount })

/** All bids, oldest first, read page by page. */
async function listAll(service: TestService, { id }: Auction, limit: number) {
  const bids = await allOf((before: number | undefined) => service.listBids(id, { limit, before }))
  return bids.map((bid) => bid.id).toReversed()
}

describe('a bid with a maximum', () => {
  test('is placed, and raised when another user bids, in one entry', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    expect(unwrap(await service.placeBid(proxyBid(auction, 2, 100, 200)))).toMatchObject({
      id: 1,
      amountMinor: 100_00,
      maximumMinor: 200_00,
    })
    const placed = unwrap(await service.placeBid(newBid(auction, 3, 120)))
    expect(placed).toMatchObject({
      id: 2,
      amountMinor: 120_00,
      outbidAtMinor: 125_00,
      leaderId: 2,
      leaderMaximumMinor: 200_00,
    })
    const challenger = bidIn(placed)
    expect(unwrap(await service.readAuction(auction.id))).toMatchObject({ currentPriceMinor: 125_00, bidCount: 3 })
    const { items } = unwrap(await service.listBids(auction.id, { limit: 10 }))
    expect(items).toStrictEqual(
      [
        { ...challenger, id: 3, bidderId: 2, amountMinor: 125_00, automatic: true, outbidAtMinor: undefined },
        challenger,
        unwrap(await service.readBid(toBidId(1))),
      ].map(({ outbidAtMinor, ...bid }) => (outbidAtMinor === undefined ? bid : { ...bid, outbidAtMinor })),
    )
    expect(await ledgerOf(service.store, auction)).toHaveLength(2)
  })

  test('has replies with separate ids, and only bids can be read by id', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    await service.placeBid(proxyBid(auction, 2, 100, 200))
    await service.placeBid(newBid(auction, 3, 120))
    await service.placeBid(newBid(auction, 3, 300))
    const read = async (id: number) => {
      const bid = await service.readBid(toBidId(id))
      return bid.ok ? [bid.value.bidderId, bid.value.amountMinor / 100, bid.value.automatic ?? false] : bid.refusal.code
    }
    expect(await Promise.all([1, 2, 3, 4, 5].map(read))).toEqual([
      [2, 100, false],
      [3, 120, false],
      [2, 125, true],
      [3, 300, false],
      'bid-not-found',
    ])
  })

  test('that only raises its maximum moves no price and is not listed as a bid', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    await service.placeBid(proxyBid(auction, 2, 100, 200))
    const raised = unwrap(await service.placeBid(proxyBid(auction, 2, 104, 300)))
    expect(raised).toMatchObject({
      id: 2,
      amountMinor: 100_00,
      maximumMinor: 300_00,
      raisesMaximum: true,
      leaderMaximumMinor: 300_00,
    })
    expect(unwrap(await service.readBid(raised.id))).toStrictEqual(bidIn(raised))
    expect(unwrap(await service.readAuction(auction.id))).toMatchObject({ currentPriceMinor: 100_00, bidCount: 1 })
    expect(unwrap(await service.listBids(auction.id, { limit: 10 })).items).toHaveLength(1)
    expect(codeOf(await service.placeBid(proxyBid(auction, 2, 100, 300)))).toBe('maximum-not-raised')
    expect(unwrap(await service.placeBid(newBid(auction, 3, 250)))).toMatchObject({ outbidAtMinor: 255_00 })
  })

  test('with a key is one request: another maximum makes it another request', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    await service.placeBid(proxyBid(auction, 2, 100, 200))
    const first = unwrap(await service.placeBid(proxyBid(auction, 3, 120, 150), keyOf('k')))
    expect(unwrap(await service.placeBid(proxyBid(auction, 3, 120, 150), keyOf('k')))).toStrictEqual(first)
    const others = [proxyBid(auction, 3, 120, 151), newBid(auction, 3, 120), proxyBid(auction, 3, 121, 150)]
    for (const other of others) expect(codeOf(await service.placeBid(other, keyOf('k')))).toBe('idempotency-key-reused')
    const raise = () => service.placeBid(proxyBid(auction, 2, 100, 300), keyOf('raise'))
    const raised = unwrap(await raise())
    expect(unwrap(await raise())).toStrictEqual(raised)
    expect(await ledgerOf(service.store, auction)).toHaveLength(3)
  })

  test('with a key is a different request from one whose maximum is not an amount of the currency', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    unwrap(await service.placeBid(newBid(auction, 2, 100), keyOf('k')))
    expect(codeOf(await service.placeBid(proxyBid(auction, 2, 100, 150.001), keyOf('k')))).toBe(
      'idempotency-key-reused',
    )
  })
})

describe('the list of bids', () => {
  test('has no empty pages, however many maximums are raised', async () => {
    const { store, calls } = createCountingStore()
    const service = createTestService({ store })
    const auction = await createAuction(service)
    await service.placeBid(newBid(auction, 3, 100))
    await service.placeBid(proxyBid(auction, 2, 110, 200))
    for (let cents = 1; cents <= 300; cents++) await service.placeBid(proxyBid(auction, 2, 110, 200 + cents / 100))
    await service.placeBid(newBid(auction, 3, 120))
    for (let cents = 1; cents <= 300; cents++) await service.placeBid(proxyBid(auction, 2, 110, 300 + cents / 100))
    calls.length = 0
    const { items, next } = unwrap(await service.listBids(auction.id, { limit: 20 }))
    expect(items.map(({ amountMinor }) => amountMinor / 100)).toEqual([125, 120, 110, 100])
    expect(next).toBeUndefined()
    expect(calls.length).toBeLessThan(8)
    for (const limit of [1, 2, 3]) expect(await listAll(service, auction, limit)).toHaveLength(4)
  })

  test.each([1, 2, 3, 4, 100])(
    'contains each bid once, in pages of %i, if entries have none, one or two',
    async (limit) => {
      const service = createTestService()
      const auction = await createAuction(service)
      await service.placeBid(proxyBid(auction, 2, 100, 200))
      await service.placeBid(newBid(auction, 3, 120))
      for (const maximum of [210, 220, 230, 240, 250]) await service.placeBid(proxyBid(auction, 2, 100, maximum))
      await service.placeBid(proxyBid(auction, 4, 130, 400))
      await service.placeBid(newBid(auction, 5, 500))
      service.clock.set('2030-02-07T12:00:02Z')
      await service.closeDue()
      const { items } = unwrap(await service.listBids(auction.id, { limit: 100 }))
      expect(items.map(({ amountMinor }) => amountMinor / 100)).toEqual([500, 255, 130, 125, 120, 100])
      expect(await listAll(service, auction, limit)).toEqual(items.map(({ id }) => id).toReversed())
    },
  )
})
