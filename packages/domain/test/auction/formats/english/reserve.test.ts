import { describe, expect, test } from 'vitest'
import { isReserveMet } from '../../../../src/auction/formats/english/prices.ts'
import { AMOUNT_LIMIT_MINOR } from '../../../../src/values/money.ts'
import { after, bid, buy, endMs, refusalOf, startMs, termsWith } from '../../play.ts'

const most = AMOUNT_LIMIT_MINOR - 1

describe('a reserve of 150 is met', () => {
  test.each([
    { title: 'not by a bid below it', bids: [bid(2, 149)], isMet: false },
    { title: 'by a bid equal to it', bids: [bid(2, 150)], isMet: true },
    { title: 'by a maximum equal to it', bids: [bid(2, 100, 150)], isMet: true },
  ])('$title', ({ bids, isMet }) => {
    const terms = termsWith({ reservePriceMinor: 150 })
    expect(isReserveMet(terms, after(terms, ...bids))).toBe(isMet)
  })
})

test.each([
  { title: 'without a reserve', sample: {}, amount: 100 },
  { title: 'with a reserve of 0', sample: { startingPriceMinor: 0, reservePriceMinor: 0 }, amount: 1 },
  {
    title: 'with a reserve of the first possible bid',
    ...{ sample: { startingPriceMinor: 0, reservePriceMinor: 1 }, amount: 1 },
  },
  { title: 'with a reserve of the largest amount', sample: { reservePriceMinor: most }, amount: most },
])('the first possible bid meets it $title, and nothing less', ({ sample, amount }) => {
  const terms = termsWith(sample)
  expect(isReserveMet(terms, after(terms))).toBe(false)
  expect(isReserveMet(terms, after(terms, bid(2, amount)))).toBe(true)
})

describe('no refusal shows the reserve', () => {
  // A number that appears nowhere else.
  const secret = termsWith({ reservePriceMinor: 77_777, buyNowPriceMinor: 99_999 })
  const led = after(secret, bid(2, 100, 77_776))
  test.each([
    { title: 'a bid that is too low', state: led, command: bid(3, 101), clockMs: startMs },
    { title: 'a maximum below the amount', state: led, command: bid(2, 201, 200), clockMs: startMs },
    { title: 'a bid after the end', state: led, command: bid(3, 200), clockMs: endMs },
    { title: 'a purchase by the owner', state: led, command: buy(1), clockMs: startMs },
    { title: 'a bid with a fraction of a yen', state: led, command: bid(3, 200.5), clockMs: startMs },
  ])('$title', ({ state, command, clockMs }) => {
    const refusal = refusalOf(secret, state, command, clockMs)
    expect(refusal).toBeDefined()
    expect(JSON.stringify(refusal)).not.toContain('77777')
  })

  test('until it is met and equals the price', () => {
    expect(refusalOf(secret, after(secret, bid(2, 100, 77_778)), buy(3))).toMatchObject({
      code: 'buy-now-not-offered',
      reason: 'reserve-met',
      currentPriceMinor: 77_777,
    })
  })
})
