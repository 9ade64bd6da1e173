import { createMemoryStore } from '@auction/adapters/memory'
import { systemClock } from '@auction/adapters/system'
import { toAuctionId } from '@auction/domain/ids'
import { AMOUNT_LIMIT_MINOR, toMinor } from '@auction/domain/money'
import { unwrap } from '@auction/domain/result'
import { createAuctionService } from '@auction/domain/service'
import { describe, expect, test } from 'vitest'
import { bidOf, hotWithProxy, openAuctions, risingOffers, spreads } from '../src/domain/bidding-floor.ts'

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

  test('rise by more where the auction takes more', () => {
    const next = risingOffers(1, 2, 2)
    expect([next(), next(), next()].map(({ dollars }) => dollars)).toEqual([2, 4, 6])
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

  test.each([...Object.values(spreads), hotWithProxy])(
    'are all accepted behind the first bid: $label',
    async (spread) => {
      const store = createMemoryStore()
      const auctions = openAuctions(spread.auctions)
      for (const auction of auctions) await store.insertAuction(auction)
      const { placeBid, listBids, close } = createAuctionService({ store, clock: systemClock })
      for (const auction of auctions) unwrap(await placeBid(spread.firstBid(auction)))
      const next = risingOffers(spread.auctions, 2, spread.stepDollars)
      for (let offer = 0; offer < 3 * spread.auctions; offer++) unwrap(await placeBid(bidOf(next(), auctions)))
      const { items } = unwrap(await listBids(toAuctionId(1), { limit: 100 }))
      expect(items.map(({ amountMinor, automatic = false }) => [amountMinor, automatic])).toEqual(
        spread === hotWithProxy
          ? [700, 600, 500, 400, 300, 200, 100].map((amountMinor) => [
              amountMinor,
              [300, 500, 700].includes(amountMinor),
            ])
          : [400, 300, 200, 100].map((amountMinor) => [amountMinor, false]),
      )
      await close()
    },
  )

  test('need an auction', () => {
    expect(() => bidOf({ auction: 2, dollars: 1 }, openAuctions(2))).toThrow(RangeError)
  })
})
