import { describe, expect, test } from 'vitest'
import { isReserveMet } from '../../src/auction/state.ts'
import { AMOUNT_LIMIT_MINOR } from '../../src/values/money.ts'
import { after, bid, buy, close, endMs, expectRule, type Rule, refusalOf, startMs, termsWith } from './play.ts'

const most = AMOUNT_LIMIT_MINOR - 1

describe('a reserve of 150 is met', () => {
  test.each([
    { title: 'not without a bid', bids: [], isMet: false },
    { title: 'not by a bid below it', bids: [bid(2, 149)], isMet: false },
    { title: 'by a bid equal to it', bids: [bid(2, 150)], isMet: true },
    { title: 'by a bid above it', bids: [bid(2, 151)], isMet: true },
    { title: 'not by a maximum below it', bids: [bid(2, 100, 149)], isMet: false },
    { title: 'by a maximum equal to it', bids: [bid(2, 100, 150)], isMet: true },
    { title: 'by a leader who is raised to it', bids: [bid(2, 140, 149), bid(3, 145, 160)], isMet: true },
    { title: 'not by a leader who is raised to less', bids: [bid(2, 100, 149), bid(3, 130)], isMet: false },
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
    sample: { startingPriceMinor: 0, reservePriceMinor: 1 },
    amount: 1,
  },
  { title: 'with a reserve of the largest amount', sample: { reservePriceMinor: most }, amount: most },
])('the first possible bid meets it $title, and nothing less', ({ sample, amount }) => {
  const terms = termsWith(sample)
  expect(isReserveMet(terms, after(terms))).toBe(false)
  expect(isReserveMet(terms, after(terms, bid(2, amount)))).toBe(true)
})

describe('with a reserve of 150, a bid', () => {
  const terms = termsWith({ reservePriceMinor: 150 })
  test.each<Rule>([
    { title: 'is accepted from the starting price on', terms, command: bid(2, 100), code: 'accepted' },
    { title: 'is refused below the starting price', terms, command: bid(2, 99), code: 'bid-too-low' },
  ])('$title', expectRule)
})

describe('no refusal shows the reserve', () => {
  // A number that appears nowhere else.
  const secret = termsWith({ reservePriceMinor: 77_777, buyNowPriceMinor: 99_999 })
  const led = after(secret, bid(2, 100, 77_776))
  test.each([
    { title: 'a bid that is too low', state: led, command: bid(3, 101), clockMs: startMs },
    { title: 'a maximum that is not raised', state: led, command: bid(2, 101, 200), clockMs: startMs },
    { title: 'a maximum below the amount', state: led, command: bid(2, 201, 200), clockMs: startMs },
    { title: 'a bid before the start', state: after(secret), command: bid(2, 200), clockMs: 0 },
    { title: 'a bid after the end', state: led, command: bid(3, 200), clockMs: endMs },
    { title: 'a bid of the owner', state: led, command: bid(1, 200), clockMs: startMs },
    { title: 'a purchase by the owner', state: led, command: buy(1), clockMs: startMs },
    { title: 'a close that is not due', state: led, command: close, clockMs: startMs },
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
