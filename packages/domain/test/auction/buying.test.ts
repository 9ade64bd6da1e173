import { sampleAuction } from '@auction/testing/samples'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Terms } from '../../src/auction/auction.ts'
import type { PlaceBidCommand } from '../../src/auction/commands.ts'
import { decide } from '../../src/auction/decide.ts'
import { isReserveMet } from '../../src/auction/reserve.ts'
import { initialState } from '../../src/auction/state.ts'
import { viewOf } from '../../src/auction/view.ts'
import { AMOUNT_LIMIT_MINOR, toAmountMinor } from '../../src/values/money.ts'
import { after, bid, buy, cancel, close, codeOf, endMs, marginMs, play, startMs, termsWith } from './play.ts'

const terms = termsWith({ buyNowPriceMinor: 500 })
const reserved = termsWith({ buyNowPriceMinor: 500, reservePriceMinor: 300 })

describe('buy now is offered', () => {
  test.each([
    ['before the first bid', terms, [], 'accepted'],
    ['not after the first bid', terms, [bid(2, 100)], 'buy-now-not-offered'],
    ['not after a bid, even if only the buyer has bid', terms, [bid(3, 100)], 'buy-now-not-offered'],
    ['with a reserve: before the first bid', reserved, [], 'accepted'],
    ['with a reserve: after bids below it', reserved, [bid(2, 100), bid(4, 299)], 'accepted'],
    ['with a reserve: after a maximum below it', reserved, [bid(2, 100, 299)], 'accepted'],
    ['with a reserve: to the leader, below it', reserved, [bid(3, 299)], 'accepted'],
    ['with a reserve: not after a bid that meets it', reserved, [bid(2, 300)], 'buy-now-not-offered'],
    ['with a reserve: not after a maximum that covers it', reserved, [bid(2, 100, 300)], 'buy-now-not-offered'],
    ['not without a buy-now price', termsWith(), [], 'buy-now-not-offered'],
    [
      'not without a buy-now price, even with a reserve',
      termsWith({ reservePriceMinor: 300 }),
      [],
      'buy-now-not-offered',
    ],
  ])('%s', (_, of, bids, code) => {
    const state = after(of, ...bids)
    expect(codeOf(of, state, buy(3), startMs)).toBe(code)
    const { ownerId, id, ...same } = of
    const view = viewOf({ ...sampleAuction(), ...same, ownerId, id }, state, startMs)
    expect(view.isBuyNowOffered).toBe(of.buyNowPriceMinor === undefined ? undefined : code === 'accepted')
  })

  test.each([
    ['before the start', initialState, startMs - 1, 'auction-not-started'],
    ['at the start', initialState, startMs, 'accepted'],
    ['a millisecond before the end', initialState, endMs - 1, 'accepted'],
    ['at the end', initialState, endMs, 'auction-ended'],
  ])('only while the auction is open: %s', (_, state, nowMs, code) => {
    expect(codeOf(terms, state, buy(3), nowMs)).toBe(code)
    const view = viewOf({ ...sampleAuction(), buyNowPriceMinor: 500 as never }, state, nowMs)
    expect(view.isBuyNowOffered).toBe(code === 'accepted')
  })

  test('to every user except the owner', () => {
    expect(codeOf(terms, initialState, buy(1), startMs)).toBe('owner-cannot-buy')
    expect(codeOf(terms, after(terms, bid(2, 100)), buy(1), startMs)).toBe('owner-cannot-buy')
    expect(codeOf(terms, initialState, buy(1), startMs - 1)).toBe('auction-not-started')
  })
})

describe('a purchase', () => {
  test('ends the auction immediately, for the buy-now price', () => {
    expect(decide(terms, initialState, buy(3), startMs + 7)).toStrictEqual({
      ok: true,
      value: { type: 'bought', buyerId: 3, priceMinor: 500 },
    })
    expect(after(terms, [buy(3), startMs + 7])).toStrictEqual({
      phase: 'closed',
      bidCount: 0,
      leader: null,
      atMs: startMs + 7,
      result: { outcome: 'bought', buyerId: 3, priceMinor: 500 },
    })
  })

  test('keeps the bids below the reserve readable, and the end that they have moved', () => {
    const softClose = { windowSeconds: 10, extensionSeconds: 20, latestEndTime: new Date(endMs + 60_000).toISOString() }
    const late = termsWith({ buyNowPriceMinor: 500, reservePriceMinor: 300, softClose })
    expect(after(late, [bid(2, 100, 200), endMs - 1_000], [buy(3), endMs + 5])).toStrictEqual({
      phase: 'closed',
      bidCount: 1,
      leader: { bidId: 10, bidderId: 2, amountMinor: 100, maximumMinor: 200 },
      atMs: endMs + 5,
      extendedEndMs: endMs + 19_000,
      result: { outcome: 'bought', buyerId: 3, priceMinor: 500 },
    })
  })

  test('is the last: a command at the same moment is refused as the auction has ended', () => {
    const bought = after(terms, [buy(3), startMs + 7])
    const endTime = { iso: '2030-01-31T12:00:00.007Z', epochMs: startMs + 7 }
    for (const command of [buy(4), buy(3), bid(4, 600), bid(3, 600, 700), cancel(1), cancel()]) {
      const refused = { ok: false, refusal: { code: 'auction-ended', endTime, final: 'bought' } }
      expect(decide(terms, bought, command, startMs + 7)).toStrictEqual(refused)
      expect(decide(terms, bought, command, startMs)).toStrictEqual(refused)
      expect(decide(terms, bought, command, endMs)).toStrictEqual(refused)
    }
    expect(codeOf(terms, bought, close, endMs + marginMs)).toBe('already-closed')
    expect(codeOf(terms, bought, close, startMs + 8)).toBe('already-closed')
  })

  test('accepts the largest amount as its price', () => {
    const dear = termsWith({ buyNowPriceMinor: AMOUNT_LIMIT_MINOR - 1, reservePriceMinor: AMOUNT_LIMIT_MINOR - 2 })
    expect(after(dear, bid(2, AMOUNT_LIMIT_MINOR - 3), buy(3))).toMatchObject({
      result: { outcome: 'bought', buyerId: 3, priceMinor: AMOUNT_LIMIT_MINOR - 1 },
    })
  })
})

describe('a bid is refused while it is not below the buy-now price of an open offer', () => {
  const most = AMOUNT_LIMIT_MINOR - 1
  const steep = termsWith({ buyNowPriceMinor: 500, reservePriceMinor: 300, minimumBidIncrementMinor: 450 })
  const steepest = { ...steep, minimumBidIncrementMinor: toAmountMinor(most) }

  test.each<readonly [string, Terms, readonly PlaceBidCommand[], PlaceBidCommand, string]>([
    ['the first one below it', terms, [], bid(3, 499), 'accepted'],
    ['the first one equal to it', terms, [], bid(3, 500), 'buy-now-is-lower'],
    ['the largest one', terms, [], bid(3, most), 'buy-now-is-lower'],
    ['one with a maximum', terms, [], bid(3, 500, 900), 'buy-now-is-lower'],
    ['a maximum above it, with a lower amount', terms, [], bid(3, 100, 900), 'accepted'],
    ['one of the owner', terms, [], bid(1, 500), 'owner-cannot-bid'],
    ['any one after the first, without a reserve', terms, [bid(2, 100)], bid(3, 500), 'accepted'],
    ['a later one below an unmet reserve', reserved, [bid(2, 100)], bid(3, 500), 'buy-now-is-lower'],
    ['a later one, lower', reserved, [bid(2, 100)], bid(3, 499), 'accepted'],
    ['a later one, with a maximum that covers the reserve', reserved, [bid(2, 100)], bid(3, 499, 900), 'accepted'],
    ['one of the leader', reserved, [bid(2, 100)], bid(2, 500), 'buy-now-is-lower'],
    ['one of the leader, with a maximum', reserved, [bid(2, 100, 120)], bid(2, 500, 900), 'buy-now-is-lower'],
    ['a maximum of the leader, without a bid', reserved, [bid(2, 100, 120)], bid(2, 100, 900), 'accepted'],
    ['any one after a bid that meets the reserve', reserved, [bid(2, 300)], bid(3, 500), 'accepted'],
    ['any one after a maximum that covers it', reserved, [bid(2, 100, 300)], bid(3, 500), 'accepted'],
    ['any one without a buy-now price', termsWith(), [], bid(3, most), 'accepted'],
    // The increment leaves no bid below the price, so a bidder can only buy, for less than the bid.
    ['the minimum next bid, if it is above the price', steep, [bid(2, 100)], bid(3, 550), 'buy-now-is-lower'],
    ['one between the price and the minimum next bid', steep, [bid(2, 100)], bid(3, 510), 'buy-now-is-lower'],
    ['one below the price and the minimum next bid', steep, [bid(2, 100)], bid(3, 499), 'bid-too-low'],
    ['one below the price if no next bid is possible', steepest, [bid(2, 100)], bid(3, 499), 'bid-too-low'],
    ['one above the price if no next bid is possible', steepest, [bid(2, 100)], bid(3, 510), 'buy-now-is-lower'],
    ['a maximum of the leader, with an amount that is no bid', steep, [bid(2, 100)], bid(2, 510, 900), 'accepted'],
  ])('%s', (_, of, bids, command, code) => {
    expect(codeOf(of, after(of, ...bids), command, startMs)).toBe(code)
  })

  test('with the price, the auction and the next bid', () => {
    const [first, second] = [initialState, after(reserved, bid(2, 100))]
    const refusal = { code: 'buy-now-is-lower', auctionId: terms.id, buyNowPriceMinor: 500, currency: terms.currency }
    expect(decide(terms, first, bid(3, 600), startMs)).toStrictEqual({
      ok: false,
      refusal: { ...refusal, currentPriceMinor: 100, minimumNextBidMinor: 100 },
    })
    expect(decide(reserved, second, bid(3, 600), startMs)).toStrictEqual({
      ok: false,
      refusal: { ...refusal, currentPriceMinor: 100, minimumNextBidMinor: 105 },
    })
  })

  test('before the first bid, and then buys nothing', () => {
    expect(play(terms, bid(3, 600)).at(-1)?.state).toBe(initialState)
    expect(codeOf(terms, initialState, buy(3), startMs)).toBe('accepted')
  })
})

test.each([
  ['the auction has no buy-now price', termsWith(), [], 'no-buy-now-price', 100, 100],
  ['the auction has no buy-now price, and has bids', termsWith(), [bid(2, 120)], 'no-buy-now-price', 120, 125],
  ['the auction has bids', terms, [bid(2, 120)], 'has-bids', 120, 125],
  ['the reserve is met', reserved, [bid(2, 100, 350)], 'reserve-met', 300, 305],
])(
  'a purchase that is not offered is refused with the reason and the next bid: %s',
  (_, of, bids, reason, current, next) => {
    expect(decide(of, after(of, ...bids), buy(3), startMs)).toStrictEqual({
      ok: false,
      refusal: {
        code: 'buy-now-not-offered',
        reason,
        currentPriceMinor: current,
        minimumNextBidMinor: next,
        currency: of.currency,
      },
    })
  },
)

test('for any bids and purchases, at most one purchase is accepted, while it is offered, and nothing after it', () => {
  const anySteps = fc.array(
    fc.record({
      isPurchase: fc.boolean(),
      userId: fc.integer({ min: 1, max: 4 }),
      amount: fc.integer({ min: 90, max: 400 }),
      maximumAbove: fc.option(fc.nat(200)),
    }),
    { maxLength: 20 },
  )
  const anyReserve = fc.option(fc.integer({ min: 100, max: 400 }))
  fc.assert(
    fc.property(anyReserve, anySteps, (reserve, steps) => {
      const of = termsWith({ buyNowPriceMinor: 500, ...(reserve !== null && { reservePriceMinor: reserve }) })
      const commands = steps.map(({ isPurchase, userId, amount, maximumAbove }) =>
        isPurchase ? buy(userId) : bid(userId, amount, maximumAbove === null ? undefined : amount + maximumAbove),
      )
      let isOver = false
      for (const { command, before, ...played } of play(of, ...commands)) {
        if (isOver) expect(played).toMatchObject({ ok: false, refusal: { code: 'auction-ended' } })
        else if (command.type === 'buy-now') {
          const isOffered = reserve === null ? before.bidCount === 0 : !isReserveMet(of, before)
          expect(played.ok).toBe(isOffered && command.buyerId !== of.ownerId)
          isOver = played.ok
        }
      }
    }),
    { numRuns: 500 },
  )
})
