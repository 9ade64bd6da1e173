import type { AuctionSample } from '@auction/testing/samples'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maximumNextBidMinor, minimumNextBidMinor } from '../../../../src/auction/formats/english/prices.ts'
import { parseNewAuction } from '../../../../src/auction/new-auction.ts'
import { initialStateOf } from '../../../../src/auction/state.ts'
import { toAmountMinor } from '../../../../src/values/money.ts'
import { after, bid, codeOf, expectRule, type Rule, refusalOf, termsWith } from '../../play.ts'
import { type Rows, rungsBelow } from './auction-hall.ts'

const most = 1e15 - 1

const ladder = (...rows: Rows): AuctionSample => ({
  bidSteps: rows.map(([fromPriceMinor, ...amountsMinor]) => ({ fromPriceMinor, amountsMinor })),
})
const only = (...rows: Rows): AuctionSample => ({ ...ladder(...rows), onlySteps: true })

/** 100, 110 … 200, 220, 250, 280, 300, 320 … 1,000, 1,050 … in yen. */
const house: Rows = [
  [100, 10],
  [200, 20, 50, 80, 100],
  [1_000, 50],
]
const christies: Rows = [
  [50, 5],
  [100, 10],
  [200, 20],
  [500, 50],
  [1_000, 100],
  [2_000, 200],
  [3_000, 200, 500, 800, 1_000],
  [5_000, 500],
  [10_000, 1_000],
]

const nextAfter = (sample: AuctionSample, price: number) => {
  const terms = termsWith({ startingPriceMinor: 0, ...sample })
  return minimumNextBidMinor(terms, { leader: { amountMinor: toAmountMinor(price) } as never })
}

describe('the minimum next bid is the lowest step above the price', () => {
  test.each([
    { title: 'below the first row by the increment', rows: house, price: 90, next: 95 },
    { title: 'below the first row up to it', rows: house, price: 97, next: 100 },
    { title: 'on a step', rows: house, price: 100, next: 110 },
    { title: 'between steps', rows: house, price: 101, next: 110 },
    { title: 'at the next row', rows: house, price: 190, next: 200 },
    { title: 'within a period', rows: house, price: 220, next: 250 },
    { title: 'at the end of a period', rows: house, price: 280, next: 300 },
    { title: 'in a later period', rows: house, price: 351, next: 380 },
    {
      title: 'before a row that cuts a period',
      rows: [
        [0, 30],
        [100, 7],
      ] as Rows,
      price: 91,
      next: 100,
    },
    { title: 'at 3,200 of the ladder of Christie’s', rows: christies, price: 3_200, next: 3_500 },
    { title: 'at 4,800 of the ladder of Christie’s', rows: christies, price: 4_800, next: 5_000 },
    { title: 'at a step of the largest amount', rows: [[most, 1]] as Rows, price: most - 1, next: most },
    { title: 'that would exceed the largest amount', rows: [[most, 1]] as Rows, price: most, next: undefined },
  ])('$title: after $price comes $next', ({ rows, price, next }) => {
    expect(nextAfter(ladder(...rows), price)).toBe(next)
  })

  const anyRows = fc
    .array(fc.tuple(fc.nat(300), fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 })), {
      minLength: 1,
      maxLength: 4,
    })
    .map((rows): Rows => {
      const ascending = [...new Map(rows).entries()].toSorted(([a], [b]) => a - b)
      return ascending.map(([from, amounts]) => [from, ...amounts.toSorted((a, b) => a - b)])
    })

  test('as a list of all steps has it, so that it never falls as the price rises', () => {
    fc.assert(
      fc.property(anyRows, fc.nat(600), (rows, price) => {
        const first = rows[0]?.[0] ?? 0
        const inList = rungsBelow(2_000, rows).find((step) => step > price)
        expect(nextAfter(ladder(...rows), price)).toBe(price < first ? Math.min(price + 5, first) : inList)
      }),
    )
  })

  test('and amounts between steps name those around them with onlySteps', () => {
    fc.assert(
      fc.property(anyRows, fc.integer({ min: 1, max: 600 }), (rows, amount) => {
        const terms = termsWith({ startingPriceMinor: 0, ...only(...rows) })
        const steps = rungsBelow(2_000, rows)
        const refusal = refusalOf(terms, initialStateOf(terms), bid(2, amount))
        const [lowerAmountMinor = 0, higherAmountMinor] = [
          steps.findLast((step) => step < amount),
          steps.find((step) => step > amount),
        ]
        const isOpen = steps.includes(amount) || amount < (rows[0]?.[0] ?? 0)
        const between = { code: 'bid-not-on-step', lowerAmountMinor, higherAmountMinor, currency: terms.currency }
        // The least first bid is the first step above 0.
        const expected = lowerAmountMinor === 0 ? expect.objectContaining({ code: 'bid-too-low' }) : between
        expect(refusal).toEqual(isOpen ? undefined : expected)
      }),
    )
  })
})

describe('a new auction with a ladder is refused', () => {
  const sent = {
    ...{ productId: 1, ownerId: 1, startingPrice: 100, minimumBidIncrement: 5, currency: 'USD' },
    ...{ startTime: '2030-01-01T00:00:00Z', endTime: '2030-01-02T00:00:00Z' },
  }
  const rows = [{ fromPrice: 100, amounts: [20, 50] }]
  const falling = [...rows, { fromPrice: 100, amounts: [20, 20] }]
  test.each([
    { why: 'without rows', fields: { bidSteps: [] }, at: ['/bidSteps'] },
    { why: 'with 21 rows', fields: { bidSteps: new Array(21).fill(rows[0]) }, at: ['/bidSteps'] },
    { why: 'without amounts', fields: { bidSteps: [{ fromPrice: 1, amounts: [] }] }, at: ['/bidSteps/0/amounts'] },
    {
      why: 'with rows and amounts that do not ascend',
      fields: { bidSteps: falling },
      at: ['/bidSteps/1/fromPrice', '/bidSteps/1/amounts/1'],
    },
    {
      why: 'with amounts that are not exact, and a maximum increment',
      fields: { bidSteps: [{ fromPrice: 100.001, amounts: [0.001] }], maximumBidIncrement: 50 },
      at: ['/bidSteps/0/fromPrice', '/bidSteps/0/amounts/0'],
    },
    {
      why: 'with other increments',
      fields: { bidSteps: rows, incrementSteps: [{ fromPrice: 1, increment: 5 }], incrementPercent: 5 },
      at: ['/incrementPercent', '/incrementSteps'],
    },
    { why: 'with a lower maximum', fields: { bidSteps: rows, maximumBidIncrement: 29 }, at: ['/maximumBidIncrement'] },
    { why: 'with onlySteps alone', fields: { onlySteps: true }, at: ['/onlySteps'] },
    {
      why: 'with a start between steps',
      fields: { bidSteps: rows, onlySteps: true, startingPrice: 130 },
      at: ['/startingPrice'],
    },
  ])('$why', ({ fields, at }) => {
    const parsed = parseNewAuction({ ...sent, ...fields }, 0)
    expect(parsed.ok ? [] : parsed.refusal.errors.map(({ pointer }) => pointer)).toEqual(at)
  })
})

describe('with onlySteps', () => {
  const terms = termsWith(only(...house))
  test.each<Rule>([
    { title: 'a bid on a step leads', command: bid(2, 220), code: 'accepted' },
    { title: 'a bid between steps is refused', command: bid(2, 221), code: 'bid-not-on-step' },
    { title: 'a bid that is too low is that first', after: [bid(2, 250)], command: bid(3, 251), code: 'bid-too-low' },
    { title: 'a maximum may be between steps', command: bid(2, 220, 333), code: 'accepted' },
    {
      title: 'a maximum that counts as the same step is not raised',
      after: [bid(2, 220, 325)],
      command: bid(2, 220, 345),
      code: 'maximum-not-raised',
    },
    {
      title: 'a maximum that reaches the next step is raised',
      after: [bid(2, 220, 325)],
      command: bid(2, 220, 350),
      code: 'accepted',
    },
  ])('$title', (rule) => expectRule({ terms, ...rule }))

  test('the step above is not named if the maximum next bid is below it', () => {
    const guarded = termsWith({ ...only(...house), startingPriceMinor: 150, maximumBidIncrementMinor: 50 })
    expect(refusalOf(guarded, after(guarded, bid(2, 150)), bid(3, 199))).toMatchObject({ higherAmountMinor: 200 })
    const state = after(guarded, bid(2, 190))
    expect(maximumNextBidMinor(guarded, state)).toBe(240)
    expect(refusalOf(guarded, state, bid(3, 230))).toMatchObject({
      lowerAmountMinor: 220,
      higherAmountMinor: undefined,
    })
  })

  test.each([
    { title: 'is 1 below the first row', rows: house, first: 1 },
    { title: 'is the first step above 0 of a row from 0', rows: [[0, 20, 50]] as Rows, first: 20 },
  ])('the least first bid from 0 $title', ({ rows, first }) => {
    const free = termsWith({ startingPriceMinor: 0, ...only(...rows) })
    expect(minimumNextBidMinor(free, initialStateOf(free))).toBe(first)
    expect(codeOf(free, initialStateOf(free), bid(2, first))).toBe('accepted')
  })
})

describe('automatic bids land on steps', () => {
  const lead = (sample: AuctionSample, ...bids: readonly ReturnType<typeof bid>[]) => {
    const { leader } = after(termsWith({ startingPriceMinor: 100, ...sample }), ...bids)
    return [leader?.bidderId, leader?.amountMinor]
  }
  test.each([
    {
      title: 'above the beaten maximum',
      sample: ladder(...house),
      bids: [bid(2, 100, 230), bid(3, 110, 900)],
      is: [3, 250],
    },
    {
      title: 'above one in a lower row',
      sample: ladder(...house),
      bids: [bid(2, 100, 195), bid(3, 110, 900)],
      is: [3, 200],
    },
    {
      title: 'above one of the earlier, who defends',
      sample: ladder(...house),
      bids: [bid(2, 100, 900), bid(3, 110, 251)],
      is: [2, 280],
    },
    {
      title: 'but not above the own maximum',
      sample: ladder(...house),
      bids: [bid(2, 100, 255), bid(3, 110, 260)],
      is: [3, 260],
    },
    {
      title: 'and the earlier leads if both count as one step',
      sample: only(...house),
      bids: [bid(2, 100, 255), bid(3, 110, 270)],
      is: [2, 250],
    },
    {
      title: 'and on the own maximum’s step',
      sample: only(...house),
      bids: [bid(2, 100, 255), bid(3, 110, 290)],
      is: [3, 280],
    },
    {
      title: 'from a reserve between steps on',
      sample: { ...only(...house), reservePriceMinor: 260 },
      bids: [bid(2, 100, 300)],
      is: [2, 280],
    },
    {
      title: 'and a maximum whose step is below the reserve does not meet it',
      sample: { ...only(...house), reservePriceMinor: 260 },
      bids: [bid(2, 100, 275)],
      is: [2, 100],
    },
    {
      title: 'and a maximum between reserve and step meets it without onlySteps',
      sample: { ...ladder(...house), reservePriceMinor: 260 },
      bids: [bid(2, 100, 275)],
      is: [2, 275],
    },
  ])('$title', ({ sample, bids, is }) => {
    expect(lead(sample, ...bids)).toEqual(is)
  })
})

test('states of the auction have the second stored version, from the first entry on', () => {
  const terms = termsWith(ladder(...house))
  expect([initialStateOf(terms), after(terms, bid(2, 100)), after(terms, bid(2, 100, 300), bid(3, 110))]).toEqual([
    expect.objectContaining({ version: 2 }),
    expect.objectContaining({ version: 2 }),
    expect.objectContaining({ version: 2 }),
  ])
  expect(after(termsWith(), bid(2, 100))).not.toHaveProperty('version')
})
