import { sampleAuction } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { initialState } from '../../../../src/auction/state.ts'
import { viewOf } from '../../../../src/auction/view.ts'
import { AMOUNT_LIMIT_MINOR } from '../../../../src/values/money.ts'
import {
  after,
  bid,
  buy,
  codeOf,
  endMs,
  eventOf,
  expectRule,
  owner,
  type Rule,
  refusalOf,
  softCloseTerms,
  startMs,
  termsWith,
} from '../../play.ts'

const most = AMOUNT_LIMIT_MINOR - 1
const offer = { buyNowPriceMinor: 500 }
const terms = termsWith(offer)
const reserved = termsWith({ ...offer, reservePriceMinor: 300 })

describe('buy now is offered', () => {
  test.each([
    { title: 'before the first bid', sample: offer, code: 'accepted' },
    { title: 'not after a bid', sample: offer, bids: [bid(2, 100)], code: 'buy-now-not-offered' },
    { title: 'not without a price', sample: {}, code: 'buy-now-not-offered' },
    { title: 'not before the start', sample: offer, clockMs: startMs - 1, code: 'auction-not-started' },
    { title: 'until the end', sample: offer, clockMs: endMs - 1, code: 'accepted' },
    { title: 'not at the end', sample: offer, clockMs: endMs, code: 'auction-ended' },
  ])('$title', ({ sample, bids = [], clockMs = startMs, code }) => {
    const of = termsWith(sample)
    const state = after(of, ...bids)
    expect(codeOf(of, state, buy(3), clockMs)).toBe(code)
    const { isBuyNowOffered } = viewOf({ ...sampleAuction(), ...of }, state, clockMs)
    expect(isBuyNowOffered).toBe(of.buyNowPriceMinor === undefined ? undefined : code === 'accepted')
  })

  test.each([
    { title: 'before the first bid', code: 'accepted' },
    { title: 'after bids below it', bids: [bid(2, 100), bid(4, 299)], code: 'accepted' },
    { title: 'not after a bid that meets it', bids: [bid(2, 300)], code: 'buy-now-not-offered' },
    { title: 'not after a maximum that covers it', bids: [bid(2, 100, 300)], code: 'buy-now-not-offered' },
  ])('with a reserve, $title', ({ bids = [], code }) => {
    const state = after(reserved, ...bids)
    expect(codeOf(reserved, state, buy(3))).toBe(code)
    expect(viewOf({ ...sampleAuction(), ...reserved }, state, startMs).isBuyNowOffered).toBe(code === 'accepted')
  })

  test.each<Rule>([
    { title: 'not to the owner', terms, command: buy(owner), code: 'owner-cannot-buy' },
    { title: 'not before the start', terms, command: buy(owner), clockMs: startMs - 1, code: 'auction-not-started' },
  ])('$title', expectRule)
})

describe('a purchase', () => {
  test('ends the auction immediately, for the buy-now price', () => {
    expect(eventOf(terms, [buy(3), startMs + 7])).toStrictEqual({ type: 'bought', buyerId: 3, priceMinor: 500 })
    expect(after(terms, [buy(3), startMs + 7])).toStrictEqual({
      ...initialState,
      phase: 'closed',
      atMs: startMs + 7,
      result: { outcome: 'bought', buyerId: 3, priceMinor: 500 },
    })
  })

  test('keeps the bids below the reserve readable, and the end that they have moved', () => {
    const late = softCloseTerms({ ...offer, reservePriceMinor: 300 })
    const bids = [[bid(2, 100, 200), endMs - 1_000]] as const
    expect(after(late, ...bids, [buy(3), endMs + 5])).toStrictEqual({
      ...after(late, ...bids),
      phase: 'closed',
      atMs: endMs + 5,
      extendedEndMs: endMs + 119_000,
      result: { outcome: 'bought', buyerId: 3, priceMinor: 500 },
    })
  })

  test('is the end that refusals name', () => {
    const endTime = { iso: '2030-01-31T12:00:00.007Z', epochMs: startMs + 7 }
    const refusal = refusalOf(terms, after(terms, [buy(3), startMs + 7]), bid(4, 600), endMs)
    expect(refusal).toStrictEqual({ code: 'auction-ended', endTime, final: 'bought' })
  })

  test('accepts the largest amount as its price', () => {
    const dear = termsWith({ buyNowPriceMinor: most, reservePriceMinor: most - 1 })
    expect(after(dear, bid(2, most - 2), buy(3))).toMatchObject({ result: { buyerId: 3, priceMinor: most } })
  })

  test.each([
    { title: 'the auction has no price', of: termsWith(), bids: [], reason: 'no-buy-now-price', next: [100, 100] },
    { title: 'it has bids, too', of: termsWith(), bids: [bid(2, 120)], reason: 'no-buy-now-price', next: [120, 125] },
    { title: 'the auction has bids', of: terms, bids: [bid(2, 120)], reason: 'has-bids', next: [120, 125] },
    { title: 'the reserve is met', of: reserved, bids: [bid(2, 100, 350)], reason: 'reserve-met', next: [300, 305] },
  ])('that is not offered is refused with the reason and the next bid: $title', ({ of, bids, reason, next }) => {
    expect(refusalOf(of, after(of, ...bids), buy(3))).toStrictEqual({
      code: 'buy-now-not-offered',
      reason,
      currentPriceMinor: next[0],
      minimumNextBidMinor: next[1],
      currency: of.currency,
    })
  })
})

describe('a bid while buy now is offered', () => {
  const led = [bid(2, 100)]
  const raised = [bid(2, 100, 120)]
  // The increment leaves no bid below the price, so a bidder can only buy, for less than the bid.
  const steep = termsWith({ ...offer, reservePriceMinor: 300, minimumBidIncrementMinor: 450 })
  const steepest = termsWith({ ...offer, reservePriceMinor: 300, minimumBidIncrementMinor: most })

  test.each<Rule>([
    { title: 'is accepted below the price', terms, command: bid(3, 499), code: 'accepted' },
    { title: 'is refused at the price', terms, command: bid(3, 500), code: 'buy-now-is-lower' },
    { title: 'is accepted with a maximum above it', terms, command: bid(3, 100, 900), code: 'accepted' },
    { title: 'from the owner is refused', terms, command: bid(owner, 500), code: 'owner-cannot-bid' },
    {
      title: 'is refused below the reserve',
      ...{ terms: reserved, after: led, command: bid(3, 500), code: 'buy-now-is-lower' },
    },
    {
      title: 'from the leader is refused',
      ...{ terms: reserved, after: raised, command: bid(2, 500, 900), code: 'buy-now-is-lower' },
    },
    { title: 'may raise a maximum', terms: reserved, after: raised, command: bid(2, 100, 900), code: 'accepted' },
    {
      title: 'is refused before the next bid',
      ...{ terms: steep, after: led, command: bid(3, 510), code: 'buy-now-is-lower' },
    },
    { title: 'is too low without a next bid', terms: steepest, after: led, command: bid(3, 499), code: 'bid-too-low' },
    { title: 'may raise only a maximum', terms: steep, after: led, command: bid(2, 510, 900), code: 'accepted' },
  ])('$title', expectRule)

  test.each<Rule>([
    { title: 'has no price', command: bid(3, most), code: 'accepted' },
    { title: 'has a bid and no reserve', terms, after: led, command: bid(3, 500), code: 'accepted' },
    {
      title: 'has a bid that meets the reserve',
      ...{ terms: reserved, after: [bid(2, 300)], command: bid(3, 500), code: 'accepted' },
    },
    {
      title: 'has a maximum that covers it',
      ...{ terms: reserved, after: [bid(2, 1e2, 300)], command: bid(3, 500), code: 'accepted' },
    },
  ])('is accepted above any price if the auction $title', expectRule)

  test('is refused with the price, the auction and the next bid', () => {
    const refusal = { code: 'buy-now-is-lower', auctionId: terms.id, buyNowPriceMinor: 500, currency: terms.currency }
    const first = { ...refusal, currentPriceMinor: 100, minimumNextBidMinor: 100 }
    expect(refusalOf(terms, initialState, bid(3, 600))).toStrictEqual(first)
    const second = { ...refusal, currentPriceMinor: 100, minimumNextBidMinor: 105 }
    expect(refusalOf(reserved, after(reserved, ...led), bid(3, 600))).toStrictEqual(second)
  })
})
