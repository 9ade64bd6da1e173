import { describe, expect, test } from 'vitest'
import type { Terms } from '../../../../src/auction/auction.ts'
import { currentPriceMinor, minimumNextBidMinor } from '../../../../src/auction/formats/english/prices.ts'
import type { PlaceBidCommand } from '../../../../src/auction/offers.ts'
import { after, bid, close, endMs, eventOf, expectRule, marginMs, type Rule, refusalOf, termsWith } from '../../play.ts'

/** The leader after the bids. The third bid has the id 30, and an automatic bid that follows it the id 31. */
type Row = {
  readonly title: string
  readonly bids: readonly PlaceBidCommand[]
  readonly bidId: number
  /** The leader. */
  readonly by: number
  /** The price. */
  readonly at: number
  /** The maximum of the leader, if it exceeds the price. */
  readonly upTo?: number
}

const expectRow =
  (terms: Terms = termsWith()) =>
  ({ bids, bidId, by, at, upTo }: Row) => {
    expect(after(terms, ...bids).leader).toStrictEqual({
      bidId,
      bidderId: by,
      amountMinor: at,
      ...(upTo !== undefined && { maximumMinor: upTo }),
    })
  }

/** Rows of one more bid. */
const next = (before: readonly PlaceBidCommand[], rows: readonly (Omit<Row, 'bids'> & { bid: PlaceBidCommand })[]) =>
  rows.map(({ bid, ...row }): Row => ({ ...row, bids: [...before, bid] }))

const most = 1e15 - 1

describe('the first bid leads at its amount', () => {
  test.each<Row>([
    { title: 'with a higher maximum', bids: [bid(2, 110, 200)], bidId: 10, by: 2, at: 110, upTo: 200 },
    { title: 'with a maximum of its amount, which is none', bids: [bid(2, 110, 110)], bidId: 10, by: 2, at: 110 },
  ])('$title', expectRow())
})

describe('a leader at 100 with a maximum of 200', () => {
  test.each(
    next(
      [bid(2, 100, 200)],
      [
        // Another bidder does not exceed the maximum.
        { title: 'is raised to a bid plus the increment', bid: bid(3, 120), bidId: 21, by: 2, at: 125, upTo: 200 },
        { title: 'stops at the maximum, closer to a bid', bid: bid(3, 197), bidId: 21, by: 2, at: 200 },
        { title: 'leads before an equal bid, which is later', bid: bid(3, 200), bidId: 21, by: 2, at: 200 },
        { title: 'is raised above a lower maximum', bid: bid(3, 120, 150), bidId: 21, by: 2, at: 155, upTo: 200 },
        // Another bidder exceeds the maximum.
        { title: 'is outbid by one minor unit', bid: bid(3, 201), bidId: 20, by: 3, at: 201 },
        { title: 'is outbid by the increment', bid: bid(3, 120, 300), bidId: 21, by: 3, at: 205, upTo: 300 },
        { title: 'is outbid by the increment, not less', bid: bid(3, 202, 300), bidId: 21, by: 3, at: 205, upTo: 300 },
        { title: 'is outbid by an amount of more', bid: bid(3, 250, 300), bidId: 20, by: 3, at: 250, upTo: 300 },
        // The leader raises only the maximum.
        { title: 'raises it with any amount', bid: bid(2, 1, 300), bidId: 10, by: 2, at: 100, upTo: 300 },
        { title: 'raises it below the next bid', bid: bid(2, 104, 300), bidId: 10, by: 2, at: 100, upTo: 300 },
        // The leader raises the own bid.
        { title: 'keeps it with a higher bid', bid: bid(2, 105), bidId: 20, by: 2, at: 105, upTo: 200 },
        { title: 'uses it up with a bid of it', bid: bid(2, 200), bidId: 20, by: 2, at: 200 },
      ],
    ),
  )('$title', expectRow())
})

describe('a leader', () => {
  test.each<Row>([
    {
      title: 'is defended by a maximum that was raised',
      ...{ bids: [bid(2, 100, 200), bid(2, 100, 300), bid(3, 210)], bidId: 31, by: 2, at: 215, upTo: 300 },
    },
    {
      title: 'does not inherit the maximum of the previous leader',
      ...{ bids: [bid(2, 100, 200), bid(3, 300), bid(3, 305)], bidId: 30, by: 3, at: 305 },
    },
    {
      title: 'is outbid by less than the increment at the largest amount',
      ...{ bids: [bid(2, 100, most - 1), bid(3, 105, most)], bidId: 21, by: 3, at: most },
    },
  ])('$title', expectRow())
})

describe('with a reserve of 150, a maximum that covers it raises the price to it', () => {
  test.each<Row>([
    { title: 'at once', bids: [bid(2, 100, 200)], bidId: 11, by: 2, at: 150, upTo: 200 },
    { title: 'not one minor unit below it', bids: [bid(2, 100, 149)], bidId: 10, by: 2, at: 100, upTo: 149 },
    ...next(
      [bid(2, 100, 120)],
      [
        { title: 'if the leader raises it', bid: bid(2, 1, 200), bidId: 21, by: 2, at: 150, upTo: 200 },
        { title: 'if the leader raises the bid, too', bid: bid(2, 110, 200), bidId: 21, by: 2, at: 150, upTo: 200 },
        { title: 'for a challenger', bid: bid(3, 105, 200), bidId: 21, by: 3, at: 150, upTo: 200 },
      ],
    ),
  ])('$title', expectRow(termsWith({ reservePriceMinor: 150 })))

  test('not if a challenger needs more to lead, which is then the price', () => {
    const row = { bids: [bid(2, 100, 120), bid(3, 105, 200)], bidId: 21, by: 3, at: 125, upTo: 200 }
    expectRow(termsWith({ reservePriceMinor: 123 }))({ title: '', ...row })
  })
})

describe('the entry, with a reserve of 180,', () => {
  const [placed, raised] = [{ type: 'bid-placed' }, { type: 'maximum-raised', bidderId: 2 }]
  test.each([
    { title: 'of a bid', bids: [bid(2, 110)], event: { ...placed, bidderId: 2, amountMinor: 110 } },
    {
      title: 'of a bid below a maximum has the bid as sent and the automatic reply',
      bids: [bid(2, 100, 200), bid(3, 185, 190)],
      event: {
        ...placed,
        bidderId: 3,
        amountMinor: 185,
        maximumMinor: 190,
        automatic: { bidderId: 2, amountMinor: 195 },
      },
    },
    {
      title: 'of a bid that is raised to the reserve has that bid, too',
      bids: [bid(2, 100, 200)],
      event: {
        ...placed,
        bidderId: 2,
        amountMinor: 100,
        maximumMinor: 200,
        automatic: { bidderId: 2, amountMinor: 180 },
      },
    },
    {
      title: 'of a leader who raises the bid and the maximum is a bid',
      bids: [bid(2, 110, 120), bid(2, 115, 150)],
      event: { ...placed, bidderId: 2, amountMinor: 115, maximumMinor: 150 },
    },
    {
      title: 'of a raised maximum has the amount as sent',
      ...{ bids: [bid(2, 110, 120), bid(2, 7, 150)], event: { ...raised, amountMinor: 7, maximumMinor: 150 } },
    },
    {
      title: 'of a raised maximum that covers the reserve has a bid',
      bids: [bid(2, 110, 120), bid(2, 7, 200)],
      event: { ...raised, amountMinor: 7, maximumMinor: 200, automatic: { bidderId: 2, amountMinor: 180 } },
    },
  ])('$title', ({ bids, event }) => {
    expect(eventOf(termsWith({ reservePriceMinor: 180 }), ...bids)).toStrictEqual(event)
  })
})

describe('a bid is refused', () => {
  const led = [bid(2, 110, 200)]
  test.each<Rule>([
    { title: 'below the next bid, whatever its maximum', after: led, command: bid(3, 114, 900), code: 'bid-too-low' },
    { title: 'with a maximum below its amount', after: led, command: bid(3, 120, 119), code: 'validation-failed' },
    { title: 'of the leader with less', after: led, command: bid(2, 120, 199), code: 'maximum-not-raised' },
    { title: 'of a leader at it', after: [bid(2, 110)], command: bid(2, 110, 110), code: 'maximum-not-raised' },
    {
      title: 'above the largest amount',
      ...{ terms: termsWith({ startingPriceMinor: most - 3 }), after: [bid(2, most - 3)] },
      ...{ command: bid(3, most, most), code: 'bid-too-low' },
    },
    {
      title: 'not if the leader names a maximum of the largest amount',
      ...{ terms: termsWith({ startingPriceMinor: most - 3 }), after: [bid(2, most - 3)] },
      ...{ command: bid(2, most - 3, most), code: 'accepted' },
    },
  ])('$title', expectRule)

  test('without a word about the maximum of the leader', () => {
    const terms = termsWith()
    const state = after(terms, ...led)
    expect(refusalOf(terms, state, bid(2, 120, 199))).toStrictEqual({ code: 'maximum-not-raised' })
    expect([currentPriceMinor(terms, state), minimumNextBidMinor(terms, state)]).toEqual([110, 115])
    const prices = { currentPriceMinor: 110, minimumNextBidMinor: 115, currency: terms.currency }
    expect(refusalOf(terms, state, bid(3, 114))).toStrictEqual({ code: 'bid-too-low', ...prices })
  })
})

test('the winner pays the leading amount, not the maximum', () => {
  const state = after(termsWith(), bid(2, 100, 200), bid(3, 120), [close, endMs + marginMs])
  expect(state).toMatchObject({
    leader: { amountMinor: 125, maximumMinor: 200 },
    result: { outcome: 'sold', bidId: 21, winnerId: 2, priceMinor: 125 },
  })
})
