import { sampleEndTime, sampleStartTime } from '@auction/testing/samples'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLong } from '../../../../../../tools/vitest/size.ts'
import { currentPrice, priceAt } from '../../../../src/auction/formats/falling/price.ts'
import { initialStateOf } from '../../../../src/auction/state.ts'
import { isoOf, toMoment } from '../../../../src/values/moment.ts'
import { toAmountMinor } from '../../../../src/values/money.ts'
import { fallingTerms } from './play.ts'

const startMs = Date.parse(sampleStartTime)
const endMs = Date.parse(sampleEndTime)
const most = 1e15 - 1

type Prices = Parameters<typeof priceAt>[0]

const pricesOf = (start: number, decrement: number, intervalSeconds: number, floor: number): Prices => ({
  startingPriceMinor: toAmountMinor(start),
  falling: { decrementMinor: toAmountMinor(decrement), intervalSeconds, floorPriceMinor: toAmountMinor(floor) },
  startTime: toMoment(sampleStartTime),
})

describe('the price falls by whole steps from the start', () => {
  test.each([
    { title: 'before the start', afterMs: -1, price: 100 },
    { title: 'at the start', afterMs: 0, price: 100 },
    { title: 'in the last millisecond of the first interval', afterMs: 59_999, price: 100 },
    { title: 'at the first step', afterMs: 60_000, price: 70 },
    { title: 'at the last step above the floor', afterMs: 120_000, price: 40 },
    { title: 'at a step that would pass the floor', afterMs: 180_000, price: 25 },
    { title: 'long after the floor', afterMs: 10 ** 12, price: 25 },
  ])('$title', ({ afterMs, price }) => {
    expect(priceAt(pricesOf(100, 30, 60, 25), startMs + afterMs)).toBe(price)
  })

  test.each([
    { title: 'from the largest amount by one unit', prices: pricesOf(most, 1, 5, 0), steps: 7, price: most - 7 },
    { title: 'by more than the whole range', prices: pricesOf(most, most, 86_400, 1), steps: 1, price: 1 },
    { title: 'to nothing', prices: pricesOf(3, 2, 5, 0), steps: 2, price: 0 },
  ])('$title', ({ prices, steps, price }) => {
    expect(priceAt(prices, startMs + steps * prices.falling.intervalSeconds * 1_000)).toBe(price)
  })

  test('as a model has it, which takes one step after another in exact integers', () => {
    /** Another author’s view: the price stands until a step, and each step takes the decrement or what is left. */
    const model = ({ startingPriceMinor, falling }: Prices, afterMs: number) => {
      const floor = BigInt(falling.floorPriceMinor)
      let price = BigInt(startingPriceMinor)
      for (let stepMs = falling.intervalSeconds * 1_000; stepMs <= afterMs && price > floor; ) {
        const left = price - floor
        const decrement = BigInt(falling.decrementMinor)
        price -= decrement < left ? decrement : left
        stepMs += falling.intervalSeconds * 1_000
      }
      return Number(price)
    }
    const anyPrices = fc
      .record({
        floor: fc.oneof(fc.constant(0), fc.nat(1_000), fc.nat({ max: 1e14 })),
        above: fc.oneof(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 1, max: 9e14 - 1 })),
        parts: fc.integer({ min: 1, max: 60 }),
        uneven: fc.nat(5),
        intervalSeconds: fc.constantFrom(5, 6, 59, 60, 3_600, 86_400),
      })
      .map(({ floor, above, parts, uneven, intervalSeconds }) =>
        pricesOf(floor + above, Math.max(1, Math.floor(above / parts) - uneven), intervalSeconds, floor),
      )
    const anyTime = fc.record({ steps: fc.nat(70), offMs: fc.constantFrom(-1, 0, 1, 2_499) })
    fc.assert(
      fc.property(anyPrices, anyTime, (prices, { steps, offMs }) => {
        const afterMs = Math.max(0, steps * prices.falling.intervalSeconds * 1_000 + offMs)
        expect(priceAt(prices, startMs + afterMs)).toBe(model(prices, afterMs))
      }),
      { numRuns: isLong ? 100_000 : 1_000 },
    )
  })
})

describe('a read has the price and the next step', () => {
  // The price falls from 100 yen by 5 every minute to 60, which it reaches after 8 minutes.
  const terms = fallingTerms()
  const none = initialStateOf(terms)
  const at = (ms: number, state = none) => {
    const { currentPriceMinor, nextPriceMinor, nextPriceTime } = currentPrice(terms, state, ms)
    return [currentPriceMinor, nextPriceMinor, nextPriceTime && nextPriceTime.epochMs - startMs]
  }
  test.each([
    { title: 'before the start', ms: startMs - 1, shown: [100, 95, 60_000] },
    { title: 'just before a step', ms: startMs + 59_999, shown: [100, 95, 60_000] },
    { title: 'at a step', ms: startMs + 60_000, shown: [95, 90, 120_000] },
    { title: 'at the floor', ms: startMs + 480_000, shown: [60, undefined, undefined] },
    { title: 'after the end, with the last price', ms: endMs + 1, shown: [60, undefined, undefined] },
  ])('$title', ({ ms, shown }) => expect(at(ms)).toEqual(shown))

  test('but no step that comes after the end', () => {
    const ended = { ...none, extendedEndMs: startMs + 60_000 }
    expect(at(startMs + 59_999, ended)).toEqual([100, undefined, undefined])
    expect(at(startMs + 60_000, ended)).toEqual([100, undefined, undefined])
    expect(at(startMs + 59_999, { ...none, extendedEndMs: startMs + 60_001 })).toEqual([100, 95, 60_000])
    expect(isoOf(startMs + 60_000)).toBe(currentPrice(terms, none, startMs).nextPriceTime?.iso)
  })
})
