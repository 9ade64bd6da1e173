import type { AuctionSample } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { decide } from '../../src/auction/decide.ts'
import { currentPriceMinor, minimumNextBidMinor } from '../../src/auction/state.ts'
import { after, bid, codeOf, play, softCloseTerms, startMs, termsWith } from './play.ts'

type Bid = readonly [bidderId: number, amount: number, maximumAmount?: number]

/** The leader, the id of its bid, the price and the maximum. */
type Leads = { readonly by: number; readonly bidId: number; readonly at: number; readonly upTo?: number }

type Case = {
  readonly title: string
  /** From 100 yen in increments of 5, by default. */
  readonly auction?: AuctionSample
  readonly bids: readonly Bid[]
  readonly leads: Leads
  readonly bidCount: number
}

const mostMinor = 1e15 - 1

const alone: readonly Case[] = [
  {
    title: 'places the amount, and no more',
    bids: [[2, 110, 200]],
    leads: { by: 2, bidId: 10, at: 110, upTo: 200 },
    bidCount: 1,
  },
  {
    title: 'equal to the amount is a bid without a maximum',
    bids: [[2, 110, 110]],
    leads: { by: 2, bidId: 10, at: 110 },
    bidCount: 1,
  },
  {
    title: 'can be the largest possible amount',
    bids: [[2, 100, mostMinor]],
    leads: { by: 2, bidId: 10, at: 100, upTo: mostMinor },
    bidCount: 1,
  },
]

const defended: readonly Case[] = [
  {
    title: 'of a bid far below the maximum: the leader is raised to the bid plus the increment',
    bids: [
      [2, 100, 200],
      [3, 120],
    ],
    leads: { by: 2, bidId: 21, at: 125, upTo: 200 },
    bidCount: 3,
  },
  {
    title: 'of a bid one increment below the maximum, which is then used up',
    bids: [
      [2, 100, 200],
      [3, 195],
    ],
    leads: { by: 2, bidId: 21, at: 200 },
    bidCount: 3,
  },
  {
    title: 'of a bid less than one increment below the maximum: the leader is raised to the maximum, and no further',
    bids: [
      [2, 100, 200],
      [3, 197],
    ],
    leads: { by: 2, bidId: 21, at: 200 },
    bidCount: 3,
  },
  {
    title: 'of a bid equal to the maximum: the leader bid first, and leads at that amount',
    bids: [
      [2, 100, 200],
      [3, 200],
    ],
    leads: { by: 2, bidId: 21, at: 200 },
    bidCount: 3,
  },
  {
    title: 'of a lower maximum: the leader is raised to that plus the increment',
    bids: [
      [2, 100, 200],
      [3, 120, 150],
    ],
    leads: { by: 2, bidId: 21, at: 155, upTo: 200 },
    bidCount: 3,
  },
  {
    title: 'of an equal maximum: the leader bid first, and leads at the maximum',
    bids: [
      [2, 100, 200],
      [3, 120, 200],
    ],
    leads: { by: 2, bidId: 21, at: 200 },
    bidCount: 3,
  },
  {
    title: 'of bid after bid, until the maximum is used up',
    bids: [
      [2, 100, 200],
      [3, 105],
      [4, 150],
      [3, 194],
    ],
    leads: { by: 2, bidId: 41, at: 199, upTo: 200 },
    bidCount: 7,
  },
  {
    title: 'of a bid of one minor unit, with an increment of one',
    auction: { startingPriceMinor: 0, minimumBidIncrementMinor: 1 },
    bids: [
      [2, 1, 3],
      [3, 2],
    ],
    leads: { by: 2, bidId: 21, at: 3 },
    bidCount: 3,
  },
  {
    title: 'near 10^15, where the increment exceeds all amounts: the leader is raised to the maximum',
    auction: { startingPriceMinor: mostMinor - 10 },
    bids: [
      [2, mostMinor - 10, mostMinor],
      [3, mostMinor - 2],
    ],
    leads: { by: 2, bidId: 21, at: mostMinor },
    bidCount: 3,
  },
  {
    title: 'of a bid of the largest amount, which is also the maximum',
    bids: [
      [2, 100, mostMinor],
      [3, mostMinor],
    ],
    leads: { by: 2, bidId: 21, at: mostMinor },
    bidCount: 3,
  },
]

const beaten: readonly Case[] = [
  {
    title: 'by a bid above the maximum plus the increment, which leads unchanged',
    bids: [
      [2, 100, 200],
      [3, 300],
    ],
    leads: { by: 3, bidId: 20, at: 300 },
    bidCount: 2,
  },
  {
    title: 'by a bid one minor unit above the maximum, which leads unchanged',
    bids: [
      [2, 100, 200],
      [3, 201],
    ],
    leads: { by: 3, bidId: 20, at: 201 },
    bidCount: 2,
  },
  {
    title: 'by a higher maximum: the challenger leads at the old maximum plus the increment',
    bids: [
      [2, 100, 200],
      [3, 120, 300],
    ],
    leads: { by: 3, bidId: 21, at: 205, upTo: 300 },
    bidCount: 3,
  },
  {
    title: 'by a higher maximum below the old one plus the increment: the challenger leads at its maximum',
    bids: [
      [2, 100, 200],
      [3, 120, 203],
    ],
    leads: { by: 3, bidId: 21, at: 203 },
    bidCount: 3,
  },
  {
    title: 'by a maximum equal to the old one plus the increment, which is then used up',
    bids: [
      [2, 100, 200],
      [3, 120, 205],
    ],
    leads: { by: 3, bidId: 21, at: 205 },
    bidCount: 3,
  },
  {
    title: 'by a bid less than one increment above the maximum, with a higher maximum: the increment is kept',
    bids: [
      [2, 100, 200],
      [3, 202, 300],
    ],
    leads: { by: 3, bidId: 21, at: 205, upTo: 300 },
    bidCount: 3,
  },
  {
    title: 'by a bid less than one increment above the maximum, with a maximum in that range',
    bids: [
      [2, 100, 200],
      [3, 202, 204],
    ],
    leads: { by: 3, bidId: 21, at: 204 },
    bidCount: 3,
  },
  {
    title: 'by a bid of exactly the maximum plus the increment, with a higher maximum: no second bid',
    bids: [
      [2, 100, 200],
      [3, 205, 300],
    ],
    leads: { by: 3, bidId: 20, at: 205, upTo: 300 },
    bidCount: 2,
  },
  {
    title: 'by a bid far above, with a maximum: no second bid',
    bids: [
      [2, 100, 200],
      [3, 250, 300],
    ],
    leads: { by: 3, bidId: 20, at: 250, upTo: 300 },
    bidCount: 2,
  },
  {
    title: 'without a maximum: the challenger leads at its amount, and keeps its maximum',
    bids: [
      [2, 100],
      [3, 105, 300],
    ],
    leads: { by: 3, bidId: 20, at: 105, upTo: 300 },
    bidCount: 2,
  },
  {
    title: 'near 10^15, where the increment exceeds all amounts: the challenger is raised to its maximum',
    bids: [
      [2, 100, mostMinor - 1],
      [3, 105, mostMinor],
    ],
    leads: { by: 3, bidId: 21, at: mostMinor },
    bidCount: 3,
  },
]

const own: readonly Case[] = [
  {
    title: 'with an amount below the price',
    bids: [
      [2, 110, 200],
      [2, 1, 300],
    ],
    leads: { by: 2, bidId: 10, at: 110, upTo: 300 },
    bidCount: 1,
  },
  {
    title: 'with the amount of the price',
    bids: [
      [2, 110, 200],
      [2, 110, 300],
    ],
    leads: { by: 2, bidId: 10, at: 110, upTo: 300 },
    bidCount: 1,
  },
  {
    title: 'with an amount above the price, but below the minimum next bid',
    bids: [
      [2, 110, 200],
      [2, 114, 300],
    ],
    leads: { by: 2, bidId: 10, at: 110, upTo: 300 },
    bidCount: 1,
  },
  {
    title: 'by one minor unit',
    bids: [
      [2, 110, 200],
      [2, 110, 201],
    ],
    leads: { by: 2, bidId: 10, at: 110, upTo: 201 },
    bidCount: 1,
  },
  {
    title: 'if it had none before',
    bids: [
      [2, 110],
      [2, 110, 111],
    ],
    leads: { by: 2, bidId: 10, at: 110, upTo: 111 },
    bidCount: 1,
  },
  {
    title: 'after an automatic bid, which stays in the lead',
    bids: [
      [2, 100, 200],
      [3, 120],
      [2, 129, 300],
    ],
    leads: { by: 2, bidId: 21, at: 125, upTo: 300 },
    bidCount: 3,
  },
  {
    title: 'and is then defended by it',
    bids: [
      [2, 100, 200],
      [2, 100, 300],
      [3, 210],
    ],
    leads: { by: 2, bidId: 31, at: 215, upTo: 300 },
    bidCount: 3,
  },
]

const raisedBid: readonly Case[] = [
  {
    title: 'by the increment, and keeps its higher maximum',
    bids: [
      [2, 100, 200],
      [2, 105],
    ],
    leads: { by: 2, bidId: 20, at: 105, upTo: 200 },
    bidCount: 2,
  },
  {
    title: 'to its maximum, which is then used up',
    bids: [
      [2, 100, 200],
      [2, 200],
    ],
    leads: { by: 2, bidId: 20, at: 200 },
    bidCount: 2,
  },
  {
    title: 'above its maximum, which is then removed',
    bids: [
      [2, 100, 200],
      [2, 250],
    ],
    leads: { by: 2, bidId: 20, at: 250 },
    bidCount: 2,
  },
  {
    title: 'without a maximum',
    bids: [
      [2, 100],
      [2, 150],
    ],
    leads: { by: 2, bidId: 20, at: 150 },
    bidCount: 2,
  },
  {
    title: 'and its maximum',
    bids: [
      [2, 100],
      [2, 150, 300],
    ],
    leads: { by: 2, bidId: 20, at: 150, upTo: 300 },
    bidCount: 2,
  },
  {
    title: 'to exactly the minimum next bid, above its earlier maximum',
    bids: [
      [2, 100, 103],
      [2, 105, 300],
    ],
    leads: { by: 2, bidId: 20, at: 105, upTo: 300 },
    bidCount: 2,
  },
  {
    title: 'and names its maximum again',
    bids: [
      [2, 100, 200],
      [2, 150, 200],
    ],
    leads: { by: 2, bidId: 20, at: 150, upTo: 200 },
    bidCount: 2,
  },
  {
    title: 'to its maximum, which it names again, and which is then used up',
    bids: [
      [2, 100, 200],
      [2, 200, 200],
    ],
    leads: { by: 2, bidId: 20, at: 200 },
    bidCount: 2,
  },
  {
    title: 'after an automatic bid, with its maximum',
    bids: [
      [2, 100, 200],
      [3, 120],
      [2, 130, 300],
    ],
    leads: { by: 2, bidId: 30, at: 130, upTo: 300 },
    bidCount: 4,
  },
  {
    title: 'without the maximum of the previous leader',
    bids: [
      [2, 100, 200],
      [3, 300],
      [3, 305],
    ],
    leads: { by: 3, bidId: 30, at: 305 },
    bidCount: 3,
  },
]

const lifted: readonly Case[] = [
  {
    title: 'immediately: the bidder leads at the reserve',
    auction: { reservePriceMinor: 150 },
    bids: [[2, 100, 200]],
    leads: { by: 2, bidId: 11, at: 150, upTo: 200 },
    bidCount: 2,
  },
  {
    title: 'immediately, if it equals the reserve, and is then used up',
    auction: { reservePriceMinor: 150 },
    bids: [[2, 100, 150]],
    leads: { by: 2, bidId: 11, at: 150 },
    bidCount: 2,
  },
  {
    title: 'but not one minor unit below the reserve',
    auction: { reservePriceMinor: 150 },
    bids: [[2, 100, 149]],
    leads: { by: 2, bidId: 10, at: 100, upTo: 149 },
    bidCount: 1,
  },
  {
    title: 'but not if the amount already equals the reserve',
    auction: { reservePriceMinor: 150 },
    bids: [[2, 150, 200]],
    leads: { by: 2, bidId: 10, at: 150, upTo: 200 },
    bidCount: 1,
  },
  {
    title: 'but not if the amount is already above the reserve',
    auction: { reservePriceMinor: 150 },
    bids: [[2, 160, 200]],
    leads: { by: 2, bidId: 10, at: 160, upTo: 200 },
    bidCount: 1,
  },
  {
    title: 'if the leader raises only its maximum, the only case in which that moves the price',
    auction: { reservePriceMinor: 150 },
    bids: [
      [2, 100, 120],
      [2, 1, 200],
    ],
    leads: { by: 2, bidId: 21, at: 150, upTo: 200 },
    bidCount: 2,
  },
  {
    title: 'if the leader raises its maximum to the reserve',
    auction: { reservePriceMinor: 150 },
    bids: [
      [2, 100, 120],
      [2, 100, 150],
    ],
    leads: { by: 2, bidId: 21, at: 150 },
    bidCount: 2,
  },
  {
    title: 'if the leader raises its bid with such a maximum',
    auction: { reservePriceMinor: 150 },
    bids: [
      [2, 100, 120],
      [2, 110, 200],
    ],
    leads: { by: 2, bidId: 21, at: 150, upTo: 200 },
    bidCount: 3,
  },
  {
    title: 'but not if the leader raises its maximum to less',
    auction: { reservePriceMinor: 150 },
    bids: [
      [2, 100, 120],
      [2, 100, 149],
    ],
    leads: { by: 2, bidId: 10, at: 100, upTo: 149 },
    bidCount: 1,
  },
  {
    title: 'but not if the reserve is already met when the leader raises its maximum',
    auction: { reservePriceMinor: 150 },
    bids: [
      [2, 100, 200],
      [2, 100, 300],
    ],
    leads: { by: 2, bidId: 11, at: 150, upTo: 300 },
    bidCount: 2,
  },
  {
    title: 'for a challenger who needs less to lead',
    auction: { reservePriceMinor: 150 },
    bids: [
      [2, 100, 120],
      [3, 105, 200],
    ],
    leads: { by: 3, bidId: 21, at: 150, upTo: 200 },
    bidCount: 3,
  },
  {
    title: 'for a challenger who needs more to lead, which is then the price',
    auction: { reservePriceMinor: 123 },
    bids: [
      [2, 100, 120],
      [3, 105, 200],
    ],
    leads: { by: 3, bidId: 21, at: 125, upTo: 200 },
    bidCount: 3,
  },
  {
    title: 'but not for a challenger whose maximum is below it',
    auction: { reservePriceMinor: 150 },
    bids: [
      [2, 100, 120],
      [3, 105, 140],
    ],
    leads: { by: 3, bidId: 21, at: 125, upTo: 140 },
    bidCount: 3,
  },
  {
    title: 'near 10^15',
    auction: { reservePriceMinor: mostMinor },
    bids: [[2, 100, mostMinor]],
    leads: { by: 2, bidId: 11, at: mostMinor },
    bidCount: 2,
  },
]

function expectCase({ auction, bids, leads: { by, bidId, at, upTo }, bidCount }: Case) {
  const state = after(termsWith(auction), ...bids.map((of) => bid(...of)))
  expect(state).toStrictEqual({
    phase: 'open',
    bidCount,
    leader: { bidId, bidderId: by, amountMinor: at, ...(upTo !== undefined && { maximumMinor: upTo }) },
    atMs: startMs,
  })
}

describe('a bid with a maximum', () => {
  test.each(alone)('$title', expectCase)
})
describe('a leader with a maximum stays ahead', () => {
  test.each(defended)('$title', expectCase)
})
describe('a leader is outbid', () => {
  test.each(beaten)('$title', expectCase)
})
describe('the leader raises its maximum and not the price', () => {
  test.each(own)('$title', expectCase)
})
describe('the leader raises its own bid', () => {
  test.each(raisedBid)('$title', expectCase)
})
describe('a maximum that covers the reserve raises the price to it', () => {
  test.each(lifted)('$title', expectCase)
})

describe('the recorded entry', () => {
  const eventOf = (...bids: readonly Bid[]) => {
    const last = play(termsWith({ reservePriceMinor: 180 }), ...bids.map((of) => bid(...of))).at(-1)
    return last?.ok ? last.event : undefined
  }

  test.each([
    ['of a bid', [[2, 110]], { type: 'bid-placed', bidderId: 2, amountMinor: 110 }],
    [
      'of a bid with a maximum',
      [[2, 110, 150]],
      { type: 'bid-placed', bidderId: 2, amountMinor: 110, maximumMinor: 150 },
    ],
    [
      'of a bid with a maximum that is its amount',
      [[2, 110, 110]],
      { type: 'bid-placed', bidderId: 2, amountMinor: 110, maximumMinor: 110 },
    ],
    [
      'of a bid below a maximum: the bid as sent, and the automatic reply',
      [
        [2, 100, 200],
        [3, 185, 190],
      ],
      {
        type: 'bid-placed',
        bidderId: 3,
        amountMinor: 185,
        maximumMinor: 190,
        automatic: { bidderId: 2, amountMinor: 195 },
      },
    ],
    [
      'of a bid that is raised to the reserve',
      [[2, 100, 200]],
      {
        type: 'bid-placed',
        bidderId: 2,
        amountMinor: 100,
        maximumMinor: 200,
        automatic: { bidderId: 2, amountMinor: 180 },
      },
    ],
    [
      'of a leader that raises its bid and its maximum: a bid',
      [
        [2, 110, 120],
        [2, 115, 150],
      ],
      { type: 'bid-placed', bidderId: 2, amountMinor: 115, maximumMinor: 150 },
    ],
    [
      'of a raised maximum: the amount as sent',
      [
        [2, 110, 120],
        [2, 7, 150],
      ],
      { type: 'maximum-raised', bidderId: 2, amountMinor: 7, maximumMinor: 150 },
    ],
    [
      'of a raised maximum that covers the reserve',
      [
        [2, 110, 120],
        [2, 7, 200],
      ],
      {
        type: 'maximum-raised',
        bidderId: 2,
        amountMinor: 7,
        maximumMinor: 200,
        automatic: { bidderId: 2, amountMinor: 180 },
      },
    ],
  ] as const)('%s', (_, bids, event) => {
    expect(eventOf(...bids)).toStrictEqual(event)
  })

  test('has the time of the command, regardless of earlier ones', () => {
    const terms = termsWith()
    const state = after(terms, [bid(2, 100, 200), startMs + 1], [bid(2, 100, 300), startMs + 5])
    expect(state.atMs).toBe(startMs + 5)
  })
})

describe('a bid with a maximum is refused', () => {
  const terms = termsWith()
  const led = after(terms, bid(2, 110, 200))

  test.each([
    ['below the next bid, however high the maximum', bid(3, 114, 900), 'bid-too-low'],
    ['with a maximum below its amount', bid(3, 120, 119), 'maximum-below-amount'],
    ['of the leader, with a maximum below its own', bid(2, 120, 199), 'maximum-not-raised'],
    ['of the leader, with its own maximum again and below the next bid', bid(2, 114, 200), 'maximum-not-raised'],
    ['of the leader, with a maximum below the amount', bid(2, 320, 300), 'maximum-below-amount'],
    ['of the leader, without one and below the next bid', bid(2, 114), 'bid-too-low'],
    ['of the owner', bid(1, 120, 300), 'owner-cannot-bid'],
  ])('%s', (_, command, code) => {
    expect(codeOf(terms, led, command)).toBe(code)
  })

  test('of a leader without a maximum, with a maximum equal to its amount', () => {
    expect(codeOf(terms, after(terms, bid(2, 110)), bid(2, 110, 110))).toBe('maximum-not-raised')
    expect(codeOf(terms, after(terms, bid(2, 110)), bid(2, 1, 109))).toBe('maximum-not-raised')
  })

  test('with too many decimals, with the fields that have these', () => {
    const { currency } = terms
    expect(decide(terms, led, bid(3, 120, 150.5), startMs)).toStrictEqual({
      ok: false,
      refusal: { code: 'inexact-amount', fields: ['maximumAmount'], currency },
    })
    expect(decide(terms, led, bid(3, 120.5, 150.5), startMs)).toStrictEqual({
      ok: false,
      refusal: { code: 'inexact-amount', fields: ['amount', 'maximumAmount'], currency },
    })
  })

  test.each([
    ['before the start', startMs - 1, 'auction-not-started'],
    ['after the end', terms.endTime.epochMs, 'auction-ended'],
  ])('%s', (_, nowMs, code) => {
    const state = code === 'auction-not-started' ? after(terms) : led
    expect(codeOf(terms, state, bid(2, 120, 300), nowMs)).toBe(code)
  })

  test('with no more data for the leader than for a bid: neither the maximum nor the difference', () => {
    const refusal = { code: 'maximum-not-raised' }
    expect(decide(terms, led, bid(2, 120, 199), startMs)).toStrictEqual({ ok: false, refusal })
    expect(decide(terms, led, bid(3, 114), startMs)).toStrictEqual({
      ok: false,
      refusal: { code: 'bid-too-low', currentPriceMinor: 110, minimumNextBidMinor: 115, currency: terms.currency },
    })
  })
})

test('a maximum does not affect the price', () => {
  const terms = termsWith()
  const led = after(terms, bid(2, 110, 200))
  expect(currentPriceMinor(terms, led)).toBe(110)
  expect(minimumNextBidMinor(terms, led)).toBe(115)
})

test('no bid is possible above the largest amount, but the leader may still name a maximum up to it', () => {
  const terms = termsWith({ startingPriceMinor: mostMinor - 3 })
  const led = after(terms, bid(2, mostMinor - 3))
  expect(codeOf(terms, led, bid(3, mostMinor, mostMinor))).toBe('bid-too-low')
  expect(after(terms, bid(2, mostMinor - 3), bid(2, mostMinor - 3, mostMinor)).leader).toStrictEqual({
    bidId: 10,
    bidderId: 2,
    amountMinor: mostMinor - 3,
    maximumMinor: mostMinor,
  })
})

test('the winner pays the leading amount, not the maximum', () => {
  const terms = softCloseTerms()
  const closing = play(terms, bid(2, 100, 200), bid(3, 120), [{ type: 'close', marginMs: 0 }, terms.endTime.epochMs])
  expect(closing.at(-1)?.state).toMatchObject({
    phase: 'closed',
    leader: { bidId: 21, bidderId: 2, amountMinor: 125, maximumMinor: 200 },
    result: { outcome: 'sold', bidId: 21, winnerId: 2, priceMinor: 125 },
  })
})
