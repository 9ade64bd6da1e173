import { sampleAuction, sampleNewBid } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { toBidId } from '../../src/values/ids.ts'
import { unwrap } from '../../src/values/result.ts'
import { bidIn, codeOf, createTestService, keyOf, ledgerOf, newBid, serveAuction } from '../support/service.ts'

describe('placing a bid', () => {
  test('records it in one entry, with the resulting state', async () => {
    const { service, auction } = await serveAuction({ currency: 'KWD', startingPrice: 1.005 })
    const bid = unwrap(await service.placeBid(newBid(auction, 2, 1.005)))
    const nowMs = service.clock.nowMs()
    const currency = { code: 'KWD', exponent: 3 }
    expect(bid).toStrictEqual({
      ...{ id: 1, auctionId: auction.id, bidderId: 2, amountMinor: 1_005, currency, timestampMs: nowMs },
      ...{ leaderId: 2, leaderMaximumMinor: undefined },
    })
    const leader = { bidId: 1, bidderId: 2, amountMinor: 1_005 }
    expect(await ledgerOf(service.store, auction)).toStrictEqual([
      {
        ...{ id: 1, auctionId: auction.id, sequence: 1, atMs: nowMs, currency },
        event: { type: 'bid-placed', bidderId: 2, amountMinor: 1_005 },
        state: { phase: 'open', bidCount: 1, leader, atMs: nowMs },
      },
    ])
  })

  test('finds an auction that was missing before', async () => {
    const service = createTestService()
    const missing = sampleAuction({ id: 1 })
    expect(await service.placeBid(newBid(missing, 2, 100))).toEqual({
      ok: false,
      refusal: { code: 'auction-not-found', auctionId: 1 },
    })
    await service.store.insertAuction(missing)
    expect(codeOf(await service.placeBid(newBid(missing, 2, 100)))).toBe('accepted')
  })

  test('uses the decimals that the currency had when the auction was created', async () => {
    const service = createTestService()
    const auction = sampleAuction({ currency: 'XOL', currencyExponent: 1, startingPriceMinor: 10 })
    await service.store.insertAuction(auction)
    expect(codeOf(await service.placeBid(newBid(auction, 2, 1.01)))).toBe('validation-failed')
    const { amountMinor, currency } = unwrap(await service.placeBid(newBid(auction, 2, 1.1)))
    expect({ amountMinor, currency }).toEqual({ amountMinor: 11, currency: { code: 'XOL', exponent: 1 } })
  })
})

describe('a bid with a maximum', () => {
  /** An auction on which user 2 bids 100 with a maximum of 200. */
  async function serveDefended() {
    const { service, auction } = await serveAuction()
    const { id: auctionId } = auction
    const bid = (bidderId: number, amount: number, maximumAmount: number, key?: string) =>
      service.placeBid(sampleNewBid({ auctionId, bidderId, amount, maximumAmount }), key ? keyOf(key) : undefined)
    return { service, auction, bid, first: unwrap(await bid(2, 100, 200)) }
  }

  test('is placed, and raised when another user bids, in one entry', async () => {
    const { service, auction, first } = await serveDefended()
    expect(first).toMatchObject({ id: 1, amountMinor: 100_00, maximumMinor: 200_00 })
    const placed = unwrap(await service.placeBid(newBid(auction, 3, 120)))
    const outbid = { outbidAtMinor: 125_00, leaderId: 2, leaderMaximumMinor: 200_00 }
    expect(placed).toMatchObject({ id: 2, amountMinor: 120_00, ...outbid })
    expect(unwrap(await service.readAuction(auction.id))).toMatchObject({ currentPriceMinor: 125_00, bidCount: 3 })
    const { outbidAtMinor: _, ...challenger } = bidIn(placed)
    const automatic = { ...challenger, id: 3, bidderId: 2, amountMinor: 125_00, automatic: true }
    const { items } = unwrap(await service.listBids(auction.id, { limit: 10 }))
    expect(items).toStrictEqual([automatic, bidIn(placed), bidIn(first)])
    expect(await ledgerOf(service.store, auction)).toHaveLength(2)
  })

  test('has replies with separate ids, and only bids can be read by id', async () => {
    const { service, auction } = await serveDefended()
    await service.placeBid(newBid(auction, 3, 120))
    await service.placeBid(newBid(auction, 3, 300))
    const read = async (id: number) => {
      const bid = await service.readBid(toBidId(id))
      return bid.ok ? [bid.value.bidderId, bid.value.amountMinor / 100, bid.value.automatic ?? false] : bid.refusal.code
    }
    expect(await Promise.all([1, 2, 3, 4, 5].map(read))).toEqual([
      ...[
        [2, 100, false],
        [3, 120, false],
        [2, 125, true],
        [3, 300, false],
      ],
      'bid-not-found',
    ])
  })

  test('that only raises its maximum moves no price and is not listed as a bid', async () => {
    const { service, auction, bid } = await serveDefended()
    const raised = unwrap(await bid(2, 104, 300))
    const maximums = { maximumMinor: 300_00, raisesMaximum: true, leaderMaximumMinor: 300_00 }
    expect(raised).toMatchObject({ id: 2, amountMinor: 100_00, ...maximums })
    expect(unwrap(await service.readBid(raised.id))).toStrictEqual(bidIn(raised))
    expect(unwrap(await service.readAuction(auction.id))).toMatchObject({ currentPriceMinor: 100_00, bidCount: 1 })
    expect(unwrap(await service.listBids(auction.id, { limit: 10 })).items).toHaveLength(1)
    expect(codeOf(await bid(2, 100, 300))).toBe('maximum-not-raised')
    expect(unwrap(await service.placeBid(newBid(auction, 3, 250)))).toMatchObject({ outbidAtMinor: 255_00 })
  })

  test('with a key is one request: another maximum makes it another request', async () => {
    const { service, auction, bid } = await serveDefended()
    const first = unwrap(await bid(3, 120, 150, 'k'))
    expect(unwrap(await bid(3, 120, 150, 'k'))).toStrictEqual(first)
    // The last maximum has too many decimals.
    for (const [amount, maximum] of [
      [120, 151],
      [121, 150],
      [120, 150.001],
    ] as const)
      expect(codeOf(await bid(3, amount, maximum, 'k'))).toBe('idempotency-key-reused')
    expect(codeOf(await service.placeBid(newBid(auction, 3, 120), keyOf('k')))).toBe('idempotency-key-reused')
    const raised = unwrap(await bid(2, 100, 300, 'raise'))
    expect(unwrap(await bid(2, 100, 300, 'raise'))).toStrictEqual(raised)
    expect(await ledgerOf(service.store, auction)).toHaveLength(3)
  })
})
