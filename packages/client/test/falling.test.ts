import { initialStateOf, viewOf } from '@auction/domain/auction'
import { auctionViewJson, everyone } from '@auction/domain/json'
import { sampleAuction, sampleEndTime, sampleFallingAuction, sampleStartTime } from '@auction/testing/samples'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { priceAt } from '../src/client.ts'

const startMs = Date.parse(sampleStartTime)

/** A read of the service at a time. */
const readAt = (auction: ReturnType<typeof sampleFallingAuction>, atMs: number) =>
  JSON.parse(JSON.stringify(auctionViewJson(viewOf(auction, initialStateOf(auction), atMs), everyone)))

test('the price at any time is that of a read then, calculated from an earlier read', () => {
  const anyAuction = fc
    .record({
      currency: fc.constantFrom('USD', 'JPY', 'KWD'),
      floor: fc.nat(1e6),
      above: fc.integer({ min: 1, max: 1e9 }),
      decrement: fc.integer({ min: 1, max: 1e8 }),
      intervalSeconds: fc.integer({ min: 5, max: 86_400 }),
    })
    .map(({ currency, floor, above, decrement, intervalSeconds }) => {
      const unit = { USD: 100, JPY: 1, KWD: 1_000 }[currency] ?? 1
      const falling = { decrement: decrement / unit, intervalSeconds, floorPrice: floor / unit }
      return sampleFallingAuction({ currency, startingPrice: (floor + above) / unit, falling })
    })
  fc.assert(
    fc.property(anyAuction, fc.integer({ min: -1_000, max: 8 * 86_400_000 }), (auction, afterMs) => {
      const atMs = startMs + afterMs
      const { currentPrice, nextPrice, nextPriceTime } = readAt(auction, atMs)
      const nextPriceAtMs = nextPriceTime === null ? null : Date.parse(nextPriceTime)
      expect(priceAt(readAt(auction, startMs), atMs)).toEqual({ currentPrice, nextPrice, nextPriceAtMs })
    }),
  )
})

test('no price is calculated for other formats, and for an auction that is over', () => {
  const english = auctionViewJson(viewOf(sampleAuction(), initialStateOf(sampleAuction()), startMs), everyone)
  expect(priceAt(JSON.parse(JSON.stringify(english)), startMs)).toBeUndefined()
  const read = readAt(sampleFallingAuction(), startMs)
  expect(priceAt({ ...read, result: { outcome: 'bought', buyerId: 2, price: 95 } }, startMs)).toBeUndefined()
  expect(priceAt(read, Date.parse(sampleEndTime))).toMatchObject({ currentPrice: 60, nextPrice: null })
})
