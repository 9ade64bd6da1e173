import { AMOUNT_LIMIT_MINOR, toMinor } from '@auction/domain/money'
import { describe, expect, test } from 'vitest'
import { bidOf, openAuctions, risingOffers } from '../src/domain/bidding-floor.ts'

describe('offers', () => {
  test('go to the auctions in turn, and rise by the increment in each', () => {
    const next = risingOffers(2, 5)
    expect([next(), next(), next(), next(), next()]).toEqual([
      { auction: 0, dollars: 5 },
      { auction: 1, dollars: 5 },
      { auction: 0, dollars: 6 },
      { auction: 1, dollars: 6 },
      { auction: 0, dollars: 7 },
    ])
  })

  test('are bids that the auction has the currency for, and stay so for a billion bids on one auction', () => {
    const auctions = openAuctions(2)
    const bid = bidOf({ auction: 1, dollars: 1_000_000_000 }, auctions)
    const [, auction] = auctions
    expect(bid.auctionId).toBe(auction?.id)
    expect(bid.bidderId).not.toBe(auction?.ownerId)
    expect(auction && toMinor(bid.amount, auction.currency)).toBe(100_000_000_000)
    expect(100_000_000_000).toBeLessThan(AMOUNT_LIMIT_MINOR)
  })

  test('are on auctions with other ids, ends and increments where that is asked for', () => {
    const [auction] = openAuctions(1, { firstId: 7, endTime: '2900-01-01T00:00:00Z', incrementMinor: 1 })
    expect(auction).toMatchObject({
      id: 7,
      minimumBidIncrementMinor: 1,
      endTime: { iso: '2900-01-01T00:00:00Z' },
    })
  })

  test('need an auction', () => {
    expect(() => bidOf({ auction: 2, dollars: 1 }, openAuctions(2))).toThrow(RangeError)
  })
})
