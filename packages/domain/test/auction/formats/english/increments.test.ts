import type { AuctionSample } from '@auction/testing/samples'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  incrementAt,
  maximumNextBidMinor,
  minimumNextBidMinor,
} from '../../../../src/auction/formats/english/prices.ts'
import { initialState } from '../../../../src/auction/state.ts'
import { type AmountMinor, toAmountMinor } from '../../../../src/values/money.ts'
import { after, bid, buy, codeOf, expectRule, type Rule, refusalOf, termsWith } from '../../play.ts'

const most = 1e15 - 1
const steps = (...pairs: readonly (readonly [fromPriceMinor: number, incrementMinor: number])[]): AuctionSample => ({
  incrementSteps: pairs.map(([fromPriceMinor, incrementMinor]) => ({ fromPriceMinor, incrementMinor })),
})
const percent = (basisPoints: number, minimumBidIncrementMinor = 5): AuctionSample => ({
  incrementBasisPoints: basisPoints,
  minimumBidIncrementMinor,
})

const usd = { currency: 'USD', minimumBidIncrementMinor: 5_00, ...steps([100_00, 10_00], [500_00, 10_00]) }
const jpy = steps([100, 10], [500, 25])
const unitBand = steps([100, 10], [101, 20])

describe('the increment', () => {
  test.each([
    { terms: 'neither', sample: {}, price: most, increment: 5 },
    { terms: 'USD, from 100', sample: usd, price: 100_00, increment: 10_00 },
    { terms: 'USD, and the same from 500', sample: usd, price: 500_00, increment: 10_00 },
    { terms: 'JPY, from 100 and 500', sample: jpy, price: 100, increment: 10 },
    { terms: 'JPY, from 100 and 500', sample: jpy, price: 499, increment: 10 },
    { terms: 'JPY, from 100 and 500', sample: jpy, price: 500, increment: 25 },
    { terms: 'JPY, from 0 and 100', sample: steps([0, 8], [100, 10]), price: 0, increment: 8 },
    { terms: 'a band of one minor unit', sample: unitBand, price: 100, increment: 10 },
    { terms: 'a band of one minor unit', sample: unitBand, price: 101, increment: 20 },
    { terms: 'from the largest amount', sample: steps([most, most]), price: most, increment: most },
    { terms: '5 %, at least 5', sample: percent(500), price: 100, increment: 5 },
    { terms: '5 %, rounded up', sample: percent(500), price: 101, increment: 6 },
    { terms: '0.01 % of the largest amount', sample: percent(1, 1), price: most, increment: 1e11 },
    { terms: '100 % of the largest amount', sample: percent(10_000), price: most, increment: most },
  ])('of $terms at $price is $increment', ({ sample, price, increment }) => {
    expect(incrementAt(termsWith(sample), toAmountMinor(price))).toBe(increment)
  })

  const anyPrice = fc.oneof(fc.nat(1_000), fc.integer({ min: 0, max: most })).map(toAmountMinor)

  test('in percent is exact at every price', () => {
    fc.assert(
      fc.property(anyPrice, fc.integer({ min: 1, max: 10_000 }), (priceMinor, basisPoints) => {
        const exact = BigInt(priceMinor) * BigInt(basisPoints)
        const roundedUp = exact / 10_000n + (exact % 10_000n === 0n ? 0n : 1n)
        expect(BigInt(incrementAt(termsWith(percent(basisPoints, 1)), priceMinor))).toBe(roundedUp || 1n)
      }),
    )
  })

  test('never falls, so that the minimum next bid rises with the price', () => {
    fc.assert(
      fc.property(
        anyPrice,
        anyPrice,
        fc.constantFrom(usd, jpy, unitBand, percent(1), percent(3_333)),
        (a, b, sample) => {
          const terms = termsWith(sample)
          const [low, high] = [Math.min(a, b), Math.max(a, b)] as [AmountMinor, AmountMinor]
          expect(incrementAt(terms, low)).toBeLessThanOrEqual(incrementAt(terms, high))
        },
      ),
    )
  })
})

describe('the minimum next bid', () => {
  test.each([
    { title: 'below a step', sample: jpy, price: 99, next: 104 },
    { title: 'at a step', sample: jpy, price: 100, next: 110 },
    { title: 'after a step within one increment', sample: unitBand, price: 101, next: 121 },
    { title: 'in percent', sample: percent(1_000), price: 101, next: 112 },
    { title: 'is the largest amount', sample: percent(1, 1), price: 999_900_009_998_999, next: most },
    { title: 'would exceed it', sample: percent(10_000), price: 5e14, next: undefined },
  ])('$title follows the increment', ({ sample, price, next }) => {
    const terms = termsWith({ startingPriceMinor: 0, ...sample })
    const state = after(terms, bid(2, price))
    expect(minimumNextBidMinor(terms, state)).toBe(next)
    if (next === undefined) return expect(refusalOf(terms, state, bid(3, most))).toHaveProperty('code', 'bid-too-low')
    expect(codeOf(terms, state, bid(3, next))).toBe('accepted')
    expect(codeOf(terms, state, bid(3, next - 1))).toBe('bid-too-low')
  })
})

describe('the price after a duel of maximums', () => {
  const price = (sample: AuctionSample, ...bids: readonly ReturnType<typeof bid>[]) => {
    const { leader } = after(termsWith({ startingPriceMinor: 50, ...sample }), ...bids)
    return [leader?.bidderId, leader?.amountMinor]
  }
  test.each([{ title: 'across two steps has that at the lower maximum', defended: 499, maximum: 900, lead: [3, 509] }])(
    '$title',
    ({ defended, maximum, lead }) => {
      expect(price(jpy, bid(2, 50, defended), bid(3, 60, maximum))).toEqual(lead)
    },
  )

  test.each([
    { title: 'in percent of the lower maximum, rounded up', bids: [bid(2, 50, 101), bid(3, 60, 300)], lead: [3, 112] },
    { title: 'with a bid that no maximum made', bids: [bid(2, 101), bid(3, 112, 300)], lead: [3, 112] },
  ])('is $title', ({ bids, lead }) => {
    expect(price(percent(1_000), ...bids)).toEqual(lead)
  })

  test.each([
    { title: 'within a band raises that of a duel', bids: [bid(2, 50, 120), bid(3, 60, 300)], lead: [3, 250] },
    { title: 'below the price of a duel does not', bids: [bid(2, 50, 249), bid(3, 60, 300)], lead: [3, 259] },
  ])('and a reserve $title', ({ bids, lead }) => {
    expect(price({ ...jpy, reservePriceMinor: 250 }, ...bids)).toEqual(lead)
  })

  test('and a reserve continues with the increment at the reserve', () => {
    const terms = termsWith({ ...steps([250, 20]), reservePriceMinor: 250 })
    expect(minimumNextBidMinor(terms, after(terms, bid(2, 100, 300)))).toBe(270)
  })
})

describe('a maximum increment', () => {
  const guarded = { ...jpy, maximumBidIncrementMinor: 1_000 }
  const terms = termsWith(guarded)
  const led = [bid(2, 100)] as const
  test.each<Rule>([
    { title: 'accepts a first bid up to it above the starting price', command: bid(2, 1_100), code: 'accepted' },
    { title: 'refuses a first bid above that', command: bid(2, 1_101), code: 'bid-too-high' },
    { title: 'accepts a bid up to it above the price', after: [bid(2, 600)], command: bid(3, 1_600), code: 'accepted' },
    { title: 'refuses the leader, too', after: [bid(2, 600)], command: bid(2, 1_601), code: 'bid-too-high' },
    { title: 'does not limit a maximum', after: led, command: bid(3, 110, most), code: 'accepted' },
    { title: 'refuses an amount even with a maximum', after: led, command: bid(3, 1_101, most), code: 'bid-too-high' },
    { title: 'never comes before the start and the owner', command: bid(1, most), code: 'owner-cannot-bid' },
  ])('$title', (rule) => expectRule({ terms, ...rule }))

  test.each([
    { title: 'follows the price', sample: guarded, bids: [bid(2, 600)], next: 1_600 },
    {
      title: 'follows the price of a duel',
      ...{ sample: guarded, bids: [bid(2, 100, 5e9), bid(3, 110, 4e9)], next: 4e9 + 1_025 },
    },
    {
      title: 'is at most the largest amount',
      ...{ sample: guarded, bids: [bid(2, 100, most - 500), bid(3, 110, most - 600)], next: most },
    },
    { title: 'is 1 at least', sample: { startingPriceMinor: 0, maximumBidIncrementMinor: 5 }, bids: [], next: 5 },
    { title: 'is absent without the field', sample: jpy, bids: [], next: undefined },
    {
      title: 'is the increment in percent, if that is larger, so that bidding continues',
      sample: { ...percent(1_000), maximumBidIncrementMinor: 10 },
      ...{ bids: [bid(2, 100, 400), bid(3, 110, 300)], next: 330 + 33 },
    },
  ])('$title', ({ sample, bids, next }) => {
    const terms = termsWith(sample)
    const state = after(terms, ...bids)
    expect(maximumNextBidMinor(terms, state)).toBe(next)
    if (next !== undefined) expect(codeOf(terms, state, bid(4, next))).toBe('accepted')
  })

  test('refuses with the figures for a lower bid', () => {
    expect(refusalOf(terms, after(terms, ...led), bid(3, 1_101))).toStrictEqual({
      code: 'bid-too-high',
      currentPriceMinor: 100,
      maximumNextBidMinor: 1_100,
      currency: terms.currency,
    })
  })

  test.each([
    { price: 500, code: 'buy-now-is-lower' },
    { price: 5_000, code: 'bid-too-high' },
  ])('comes after an offer to buy now for $price', ({ price, code }) => {
    const offered = termsWith({ ...guarded, buyNowPriceMinor: price })
    expect(codeOf(offered, initialState, bid(2, 1_101))).toBe(code)
    expect(codeOf(offered, initialState, buy(2))).toBe('accepted')
  })
})
