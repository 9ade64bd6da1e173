import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide } from '../../src/auction/decide.ts'
import { isReserveMet, liftedToReserve } from '../../src/auction/reserve.ts'
import { initialState } from '../../src/auction/state.ts'
import { AMOUNT_LIMIT_MINOR, toAmountMinor } from '../../src/values/money.ts'
import { after, bid, buy, close, codeOf, endMs, marginMs, startMs, termsWith } from './play.ts'

const most = AMOUNT_LIMIT_MINOR - 1
const terms = termsWith({ reservePriceMinor: 150 })

describe('a reserve is met', () => {
  test.each([
    ['not without a bid', initialState, false],
    ['not by a bid below it', after(terms, bid(2, 149)), false],
    ['by a bid equal to it', after(terms, bid(2, 150)), true],
    ['by a bid above it', after(terms, bid(2, 151)), true],
    ['not by a maximum below it', after(terms, bid(2, 100, 149)), false],
    ['by a maximum equal to it', after(terms, bid(2, 100, 150)), true],
    ['by a leader who is raised to it', after(terms, bid(2, 140, 149), bid(3, 145, 160)), true],
    ['not by a leader who is raised to less', after(terms, bid(2, 100, 149), bid(3, 130)), false],
  ])('%s', (_, state, isMet) => {
    expect(isReserveMet(terms, state)).toBe(isMet)
  })

  test('by any bid if the auction has no reserve', () => {
    expect(isReserveMet(termsWith(), initialState)).toBe(false)
    expect(isReserveMet(termsWith(), after(termsWith(), bid(2, 100)))).toBe(true)
  })

  test('by any bid if it is 0 or the starting price', () => {
    for (const reservePriceMinor of [0, 1]) {
      const free = termsWith({ startingPriceMinor: 0, reservePriceMinor })
      expect(isReserveMet(free, initialState)).toBe(false)
      expect(isReserveMet(free, after(free, bid(2, 1)))).toBe(true)
    }
  })

  test('by the largest amount, if it equals that', () => {
    const dear = termsWith({ reservePriceMinor: most })
    expect(isReserveMet(dear, after(dear, bid(2, most - 1)))).toBe(false)
    expect(isReserveMet(dear, after(dear, bid(2, most)))).toBe(true)
  })
})

describe('the result at the end', () => {
  const resultOf = (...bids: readonly ReturnType<typeof bid>[]) => {
    const decision = decide(terms, after(terms, ...bids), close, endMs + marginMs)
    return decision.ok ? decision.value.result : undefined
  }

  test.each([
    ['is unsold without a bid', [], { outcome: 'unsold', reason: 'no-bids' }],
    ['is unsold after a bid below the reserve', [bid(2, 149)], { outcome: 'unsold', reason: 'reserve-not-met' }],
    [
      'is sold after a bid equal to the reserve',
      [bid(2, 150)],
      { outcome: 'sold', bidId: 10, winnerId: 2, priceMinor: 150 },
    ],
    [
      'is sold for the reserve after a maximum that covers it',
      [bid(2, 100, 400)],
      { outcome: 'sold', bidId: 11, winnerId: 2, priceMinor: 150 },
    ],
    [
      'is unsold after a maximum below the reserve',
      [bid(2, 100, 149)],
      { outcome: 'unsold', reason: 'reserve-not-met' },
    ],
  ])('%s', (_, bids, result) => {
    expect(resultOf(...bids)).toStrictEqual(result)
  })

  test('keeps the highest bid of an unsold auction readable', () => {
    expect(after(terms, bid(2, 149), [close, endMs + marginMs])).toStrictEqual({
      phase: 'closed',
      bidCount: 1,
      leader: { bidId: 10, bidderId: 2, amountMinor: 149 },
      atMs: endMs + marginMs,
      result: { outcome: 'unsold', reason: 'reserve-not-met' },
    })
  })
})

test('bids below the reserve are accepted, from the starting price on', () => {
  expect(codeOf(terms, initialState, bid(2, 100), startMs)).toBe('accepted')
  expect(codeOf(terms, initialState, bid(2, 99), startMs)).toBe('bid-too-low')
})

describe('no refusal shows the reserve', () => {
  // A number that appears nowhere else.
  const secret = termsWith({ reservePriceMinor: 77_777, buyNowPriceMinor: 99_999, startingPriceMinor: 100 })
  const led = after(secret, bid(2, 100, 77_776))
  const met = after(secret, bid(2, 100, 77_778))
  test.each([
    ['a bid that is too low', led, bid(3, 101), startMs],
    ['a maximum that is not raised', led, bid(2, 101, 200), startMs],
    ['a maximum below the amount', led, bid(2, 201, 200), startMs],
    ['a bid before the start', initialState, bid(2, 200), 0],
    ['a bid after the end', led, bid(3, 200), endMs],
    ['a bid of the owner', led, bid(1, 200), startMs],
    ['a purchase by the owner', led, buy(1), startMs],
    ['a close that is not due', led, close, startMs],
    ['a bid with a fraction of a yen', led, bid(3, 200.5), startMs],
  ])('%s', (_, state, command, nowMs) => {
    const decision = decide(secret, state, command, nowMs)
    expect(decision.ok).toBe(false)
    expect(JSON.stringify(decision)).not.toContain('77777')
  })

  test('until it is met and equals the price', () => {
    expect(decide(secret, met, buy(3), startMs)).toMatchObject({
      refusal: { code: 'buy-now-not-offered', reason: 'reserve-met', currentPriceMinor: 77_777 },
    })
  })
})

test('a price is raised to the reserve if the maximum covers that, never above either, and never lowered', () => {
  const amount = fc.nat(40).map(toAmountMinor)
  fc.assert(
    fc.property(fc.option(amount, { nil: undefined }), amount, amount, (reservePriceMinor, priceMinor, aboveMinor) => {
      const maximumMinor = toAmountMinor(priceMinor + aboveMinor)
      const of = reservePriceMinor === undefined ? {} : { reservePriceMinor }
      const lifted = liftedToReserve(of, priceMinor, maximumMinor)
      const allowed = Array.from({ length: aboveMinor + 1 }, (_, index) => priceMinor + index)
      const reached = reservePriceMinor !== undefined && allowed.includes(reservePriceMinor)
      expect(lifted).toBe(reached ? reservePriceMinor : priceMinor)
    }),
  )
})
