import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLong } from '../../../../../../tools/vitest/size.ts'
import { parseNewAuction } from '../../../../src/auction/new-auction.ts'
import { initialStateOf } from '../../../../src/auction/state.ts'
import { viewOf } from '../../../../src/auction/view.ts'
import * as common from '../../play.ts'
import { after, bid, correct, endMs, extend, play, refusalOf, startMs, withdraw } from '../../play.ts'
import { fallingTerms, take } from './play.ts'

const terms = fallingTerms()
const none = initialStateOf(terms)
const minute = 60_000

describe('the price of a purchase is that of its time', () => {
  test.each([
    { title: 'the starting price at the start', atMs: startMs, atMost: 100, price: 100 },
    { title: 'the lower price at a step, if the buyer would pay more', atMs: startMs + minute, atMost: 100, price: 95 },
    { title: 'the floor at the last millisecond', atMs: endMs - 1, atMost: 60, price: 60 },
  ])('$title', ({ atMs, atMost, price }) => {
    const [bought] = play(terms, [take(2, atMost), atMs])
    expect(bought).toMatchObject({ ok: true, event: { type: 'purchased', buyerId: 2, priceMinor: price } })
    const result = { outcome: 'bought', buyerId: 2, priceMinor: price }
    expect(bought?.state).toMatchObject({ phase: 'closed', format: 'falling', version: 2, atMs, result })
    if (bought === undefined) throw new Error('the purchase was decided')
    const view = viewOf({ ...terms, productId: 7, createdAtMs: 0 } as never, bought.state, atMs + minute)
    expect(view).toMatchObject({ status: 'Ended', currentPriceMinor: price, nextPriceMinor: undefined })
  })

  test('and never above what the buyer pays at most: the refusal names the price and the next step', () => {
    expect(refusalOf(terms, none, take(2, 94), startMs + minute)).toMatchObject({
      ...{ code: 'price-is-higher', currentPriceMinor: 95, nextPriceMinor: 90 },
      nextPriceTime: { epochMs: startMs + 2 * minute },
    })
    expect(refusalOf(terms, none, take(2, 59), endMs - 1)).toMatchObject({
      ...{ code: 'price-is-higher', currentPriceMinor: 60, nextPriceMinor: undefined, nextPriceTime: undefined },
    })
  })
})

describe('a command on an auction whose price falls', () => {
  const block = { ...withdraw(2), isBlocked: true }
  test.each([
    { title: 'without atMost is refused', command: take(2), code: 'validation-failed' },
    { title: 'with an atMost that is not exact is refused', command: take(2, 60.5), code: 'validation-failed' },
    { title: 'by the owner is refused', command: take(1, 100), code: 'owner-cannot-buy' },
    { title: 'by a blocked user is refused', steps: [block], command: take(2, 100), code: 'bidder-blocked' },
    { title: 'before the start is refused', command: take(2, 100), clockMs: startMs - 1, code: 'auction-not-started' },
    { title: 'at the end is refused', command: take(2, 100), clockMs: endMs, code: 'auction-ended' },
    { title: 'after a purchase is refused', steps: [take(2, 100)], command: take(3, 100), code: 'auction-ended' },
    { title: 'that bids is refused', command: bid(2, 100), code: 'bids-not-taken' },
    { title: 'that lowers a reserve is refused', command: common.lower(10), code: 'not-in-format' },
    {
      title: 'that withdraws bids is refused',
      command: { ...withdraw(2), without: undefined },
      code: 'no-bids-of-bidder',
    },
    {
      title: 'that corrects it before the start is accepted',
      command: correct(),
      clockMs: startMs - 1,
      code: 'accepted',
    },
    { title: 'that corrects it from the start on is refused', command: correct(), code: 'auction-started' },
    {
      title: 'that cancels it before the start is accepted',
      command: common.cancel(),
      clockMs: startMs - 1,
      code: 'accepted',
    },
    { title: 'that cancels it from the start on is refused', command: common.cancel(), code: 'auction-started' },
    { title: 'that cancels it with force is accepted', command: common.force, code: 'accepted' },
    {
      title: 'that cancels it is accepted, if its terms allow that',
      terms: fallingTerms({ cancellableUntilEnd: true }),
      command: common.cancel(),
      code: 'accepted',
    },
    {
      title: 'that buys after an extension finds the floor',
      steps: [extend(endMs + 10)],
      command: take(2, 60),
      clockMs: endMs + 9,
      code: 'accepted',
    },
  ])('$title', ({ steps = [], command, clockMs, code, terms: other = terms }) => {
    const state = steps.length === 0 ? initialStateOf(other) : after(other, ...steps)
    expect(common.codeOf(other, state, command, clockMs)).toBe(code)
  })

  test('that ends it without a buyer leaves it unsold', () => {
    const [closed] = play(terms, [common.close, endMs + common.marginMs])
    expect(closed).toMatchObject({ ok: true, event: { result: { outcome: 'unsold', reason: 'no-bids' } } })
  })

  test('that corrects how the price falls replaces it, and other formats do not have the field', () => {
    const falling = { decrement: 10, intervalSeconds: 30, floorPrice: 20 }
    const [corrected] = play(terms, [correct({ falling } as never), startMs - 1])
    expect(corrected).toMatchObject({ ok: true, event: { terms: { fields: ['falling'] } } })
    if (corrected === undefined) throw new Error('the correction was decided')
    expect(refusalOf(terms, corrected.state, take(2, 89), startMs + 30_000)).toMatchObject({ currentPriceMinor: 90 })
    const english = common.termsWith()
    expect(refusalOf(english, initialStateOf(english), correct({ falling } as never), startMs - 1)).toMatchObject({
      errors: [{ pointer: '/falling', message: 'is not a field of this auction' }],
    })
  })
})

test('an English auction refuses atMost by its name', () => {
  const english = common.termsWith({ buyNowPriceMinor: 500 })
  expect(refusalOf(english, initialStateOf(english), take(2, 500))).toMatchObject({ errors: [{ pointer: '/atMost' }] })
})

describe('a new auction whose price falls is refused', () => {
  const sent = {
    ...{ format: 'falling', productId: 1, ownerId: 1, startingPrice: 100, currency: 'JPY' },
    ...{ startTime: '2030-01-01T00:00:00Z', endTime: '2030-01-02T00:00:00Z' },
  }
  const falling = { decrement: 5, intervalSeconds: 60, floorPrice: 60 }
  test.each([
    { why: 'without what makes it fall', fields: {}, at: ['/falling'] },
    {
      why: 'without the parts',
      fields: { falling: {} },
      at: ['/falling/decrement', '/falling/intervalSeconds', '/falling/floorPrice'],
    },
    { why: 'with a decrement of 0', fields: { falling: { ...falling, decrement: 0 } }, at: ['/falling/decrement'] },
    {
      why: 'with steps of 4 seconds',
      fields: { falling: { ...falling, intervalSeconds: 4 } },
      at: ['/falling/intervalSeconds'],
    },
    {
      why: 'with steps of more than a day',
      fields: { falling: { ...falling, intervalSeconds: 86_401 } },
      at: ['/falling/intervalSeconds'],
    },
    {
      why: 'with a floor at the start',
      fields: { falling: { ...falling, floorPrice: 100 } },
      at: ['/falling/floorPrice'],
    },
    {
      why: 'with amounts that are not exact',
      fields: { falling: { decrement: 0.5, intervalSeconds: 5, floorPrice: 0.5 } },
      at: ['/falling/decrement', '/falling/floorPrice'],
    },
    {
      why: 'with terms of other formats, each by its name',
      fields: { falling, reservePrice: 1, softClose: {}, buyNowPrice: 1, bidSteps: [], pricing: 'first' },
      at: ['/reservePrice', '/softClose', '/buyNowPrice', '/bidSteps', '/pricing'],
    },
  ])('$why', ({ fields, at }) => {
    const parsed = parseNewAuction({ ...sent, ...fields }, 0)
    expect(parsed.ok ? [] : parsed.refusal.errors.map(({ pointer }) => pointer)).toEqual(at)
  })

  test('but a minimum increment is accepted, and has no effect', () => {
    const parsed = parseNewAuction({ ...sent, falling, minimumBidIncrement: 7 }, 0)
    expect(parsed).toMatchObject({ ok: true, value: { minimumBidIncrementMinor: 7, falling: { decrementMinor: 5 } } })
  })
})

test('of any purchases, the first one that pays the price of its time buys, as a model of all of them has it', () => {
  const anyPurchase = fc.record({ afterMs: fc.nat(540_000), atMost: fc.integer({ min: 55, max: 105 }) })
  const priceBy = (ms: number) => Math.max(60, 100 - 5 * Math.floor(ms / minute))
  fc.assert(
    fc.property(fc.array(anyPurchase, { maxLength: 12 }), (purchases) => {
      const sorted = purchases.toSorted((a, b) => a.afterMs - b.afterMs)
      const played = play(
        terms,
        ...sorted.map(({ afterMs, atMost }, index) => [take(index + 2, atMost), startMs + afterMs] as const),
      )
      const first = sorted.findIndex(({ afterMs, atMost }) => atMost >= priceBy(afterMs))
      expect(played.findIndex(({ ok }) => ok)).toBe(first)
      const state = played.at(-1)?.state
      const result = { outcome: 'bought', buyerId: first + 2, priceMinor: priceBy(sorted[first]?.afterMs ?? 0) }
      expect(state?.phase === 'closed' ? state.result : undefined).toEqual(first === -1 ? undefined : result)
    }),
    { numRuns: isLong ? 100_000 : 500 },
  )
})
