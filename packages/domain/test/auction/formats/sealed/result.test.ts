import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLong } from '../../../../../../tools/vitest/size.ts'
import { expectedResult } from './model.ts'
import { type Request, resultAfter, type SealedSample, sealedTerms } from './play.ts'

type Row = {
  readonly title: string
  readonly terms?: SealedSample
  readonly requests: readonly Request[]
  /** The winner's bid and the price at the first and at the second price; or why it is unsold. */
  readonly bidId?: number
  readonly winnerId?: number
  readonly first?: number
  readonly second?: number
  readonly bidderCount: number
  readonly reason?: 'no-bids' | 'reserve-not-met'
}

const two: readonly Request[] = [
  [2, 150],
  [3, 200],
]
const wins = (bid: number, winnerId: number, first: number, second: number, bidderCount: number) => ({
  bidId: bid * 10,
  ...{ winnerId, first, second, bidderCount },
})

describe('the result of sealed bids', () => {
  test.each<Row>([
    { title: 'has no winner without bids', requests: [], reason: 'no-bids', bidderCount: 0 },
    { title: 'sells to a single bidder', requests: [[2, 150]], ...wins(1, 2, 150, 100, 1) },
    { title: 'sells at the starting price', requests: [[2, 100]], ...wins(1, 2, 100, 100, 1) },
    { title: 'sells to the higher of two bids', requests: two, ...wins(2, 3, 200, 150, 2) },
    {
      title: 'sells to the first of two who tie',
      requests: [
        [2, 150],
        [3, 150],
      ],
      ...wins(1, 2, 150, 150, 2),
    },
    {
      title: 'sells to the first of three who tie',
      requests: [
        [4, 9_00],
        [2, 9_00],
        [3, 9_00],
      ],
      ...wins(1, 4, 900, 900, 3),
    },
    { title: 'counts a higher last bid', requests: [...two, [2, 300]], ...wins(3, 2, 300, 200, 2) },
    { title: 'counts a lower last bid', requests: [...two, [3, 120]], ...wins(1, 2, 150, 120, 2) },
    {
      title: 'keeps the place of the same amount',
      requests: [
        [2, 150],
        [3, 150],
        [2, 150],
      ],
      ...wins(3, 2, 150, 150, 2),
    },
    {
      title: 'loses the place by another amount in between',
      requests: [
        [2, 150],
        [3, 150],
        [2, 140],
        [2, 150],
      ],
      ...wins(2, 3, 150, 150, 2),
    },
    {
      title: 'loses the place by a withdrawal in between',
      requests: [
        [2, 150],
        [3, 150],
        [2, 'own'],
        [2, 150],
      ],
      ...wins(2, 3, 150, 150, 2),
    },
    { title: 'has none of bids that bidders withdrew', requests: [...two, [3, 'own']], ...wins(1, 2, 150, 100, 1) },
    {
      title: 'has no winner if all withdrew',
      requests: [
        [2, 150],
        [2, 'own'],
      ],
      reason: 'no-bids',
      bidderCount: 0,
    },
    {
      title: 'counts a bid after a withdrawal',
      requests: [
        [2, 150],
        [2, 'own'],
        [2, 120],
      ],
      ...wins(3, 2, 120, 100, 1),
    },
    { title: 'has none of bids that staff withdrew', requests: [...two, [3, 'staff']], ...wins(1, 2, 150, 100, 1) },
    {
      title: 'has no second price of bids that staff withdrew',
      requests: [...two, [2, 'staff']],
      ...wins(2, 3, 200, 100, 1),
    },
    {
      title: 'counts a bid after staff unblock',
      requests: [
        [2, 'staff'],
        [2, 'unblock'],
        [2, 150],
      ],
      ...wins(3, 2, 150, 100, 1),
    },
    {
      title: 'needs the reserve',
      terms: { reservePriceMinor: 201 },
      requests: two,
      ...{ reason: 'reserve-not-met', bidderCount: 2 },
    },
    { title: 'sells at the reserve', terms: { reservePriceMinor: 200 }, requests: two, ...wins(2, 3, 200, 200, 2) },
    {
      title: 'has a reserve between the bids',
      terms: { reservePriceMinor: 180 },
      requests: two,
      ...wins(2, 3, 200, 180, 2),
    },
    {
      title: 'has a reserve below the bids',
      terms: { reservePriceMinor: 120 },
      requests: two,
      ...wins(2, 3, 200, 150, 2),
    },
    {
      title: 'has the minor units of dinars',
      terms: { currency: 'KWD', startingPriceMinor: 1 },
      requests: [
        [2, 1_001],
        [3, 1_002],
      ],
      ...wins(2, 3, 1_002, 1_001, 2),
    },
    {
      title: 'is exact up to the highest amounts',
      requests: [
        [2, 999_999_999_999_998],
        [3, 999_999_999_999_999],
      ],
      ...wins(2, 3, 999_999_999_999_999, 999_999_999_999_998, 2),
    },
  ])('$title', ({ terms, requests, reason, bidId, winnerId, first, second, bidderCount }) => {
    const sold = { outcome: 'sold', bidId, winnerId, bidderCount }
    const unsold = { outcome: 'unsold', reason, bidderCount }
    const expected = (priceMinor: number | undefined) => (reason === undefined ? { ...sold, priceMinor } : unsold)
    expect(resultAfter(sealedTerms({ ...terms, pricing: 'first' }), requests)).toEqual(expected(first))
    expect(resultAfter(sealedTerms({ ...terms, pricing: 'second' }), requests)).toEqual(expected(second))
  })

  const anyRequest = fc.tuple(
    fc.integer({ min: 2, max: 6 }),
    fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 100, max: 110 }) },
      { weight: 1, arbitrary: fc.constant('own' as const) },
      { weight: 1, arbitrary: fc.constant('staff' as const) },
    ),
  )
  const anyTerms = fc.record({
    pricing: fc.constantFrom('first' as const, 'second' as const),
    reservePriceMinor: fc.integer({ min: 100, max: 112 }),
  })

  test('is that of a model that compares each bid with all others', () => {
    fc.assert(
      fc.property(anyTerms, fc.array(anyRequest, { maxLength: 16 }), (terms, requests) => {
        const result = resultAfter(sealedTerms(terms), requests)
        expect(result).toEqual(expectedResult(terms, requests))
        if (result.outcome !== 'sold') return
        const winning = requests[result.bidId / 10 - 1]?.[1]
        expect(result.priceMinor).toBeLessThanOrEqual(Number(winning))
        expect(result.priceMinor).toBeGreaterThanOrEqual(Math.max(100, terms.reservePriceMinor))
      }),
      { numRuns: isLong ? 100_000 : 500 },
    )
  }, 600_000)
})
