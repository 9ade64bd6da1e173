import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AuctionResult } from '../../src/auction/life-events.ts'
import { initialState } from '../../src/auction/state.ts'
import { auctionStatuses, statusAt } from '../../src/auction/status.ts'
import { type ListedView, standingOf } from '../../src/auction/view.ts'
import { toBidId, toUserId } from '../../src/values/ids.ts'
import { toAmountMinor } from '../../src/values/money.ts'
import {
  after,
  bid,
  buy,
  cancel,
  close,
  endMs,
  marginMs,
  type Step,
  softCloseTerms,
  startMs,
  termsWith,
} from './play.ts'

const exact = termsWith({ startTime: '2030-01-31T12:00:00.5Z', endTime: '2030-02-07T12:00:00.250999999Z' })

describe('the status', () => {
  type Row = {
    readonly terms: typeof exact
    readonly steps?: readonly Step[]
    readonly atMs: number
    readonly status: string
  }
  const terms = termsWith({ buyNowPriceMinor: 500 })
  const late = softCloseTerms()
  const movedMs = endMs - 1 + 120_000
  const rows: readonly (Row & { readonly title: string })[] = [
    { title: 'before the start', terms: exact, atMs: Date.parse('2030-01-31T12:00:00.499Z'), status: 'Pending' },
    { title: 'at the start', terms: exact, atMs: Date.parse('2030-01-31T12:00:00.500Z'), status: 'Active' },
    { title: 'before the end', terms: exact, atMs: Date.parse('2030-02-07T12:00:00.249Z'), status: 'Active' },
    { title: 'at the end', terms: exact, atMs: Date.parse('2030-02-07T12:00:00.250Z'), status: 'Ended' },
    // From here on the state determines it, rather than the clock.
    {
      title: 'before an extended end',
      ...{ terms: late, steps: [[bid(2, 100), endMs - 1]], atMs: movedMs - 1, status: 'Active' },
    },
    { title: 'at an extended end', terms: late, steps: [[bid(2, 100), endMs - 1]], atMs: movedMs, status: 'Ended' },
    {
      title: 'after a purchase, by a clock that is behind',
      ...{ terms, steps: [buy(2)], atMs: startMs - 1, status: 'Ended' },
    },
    { title: 'after a cancellation', terms, steps: [cancel()], atMs: startMs, status: 'Cancelled' },
    {
      title: 'after the close, by a clock that is behind',
      ...{ terms, steps: [[close, endMs + marginMs]], atMs: startMs, status: 'Ended' },
    },
  ]
  test.each(rows)('$title is $status', ({ terms: of, steps = [], atMs, status }) => {
    expect(statusAt(of, after(of, ...steps), atMs)).toBe(status)
  })

  test('never returns to an earlier one as time passes', () => {
    const distances = fc.array(fc.integer({ min: -10, max: 10 }), { minLength: 2 })
    fc.assert(
      fc.property(fc.constantFrom(exact.startTime, exact.endTime), distances, ({ epochMs }, readings) => {
        const reached = readings
          .toSorted((a, b) => a - b)
          .map((distanceMs) => auctionStatuses.indexOf(statusAt(exact, initialState, epochMs + distanceMs)))
        expect(reached).toEqual(reached.toSorted())
      }),
    )
  })
})

const [anna, ben] = [toUserId(2), toUserId(3)]
const priceMinor = toAmountMinor(100_00)
const soldTo = (winnerId: typeof anna): AuctionResult => ({ outcome: 'sold', bidId: toBidId(1), winnerId, priceMinor })
const boughtBy = (buyerId: typeof anna): AuctionResult => ({ outcome: 'bought', buyerId, priceMinor })
const unsold: AuctionResult = { outcome: 'unsold', reason: 'reserve-not-met' }
const cancelled: AuctionResult = { outcome: 'cancelled', reason: 'It broke.' }

/** The cast: a standing needs no more of a view. */
const viewWith = (leaderId: number | undefined, result: AuctionResult | undefined) =>
  ({ auction: exact, leaderId, result }) as unknown as ListedView

test.each([
  { title: 'no result, and Anna leads', leaderId: anna, result: undefined, standing: 'leading' },
  { title: 'no result, and Ben leads', leaderId: ben, result: undefined, standing: 'outbid' },
  { title: 'sold to Anna', leaderId: anna, result: soldTo(anna), standing: 'won' },
  { title: 'sold to Ben', leaderId: ben, result: soldTo(ben), standing: 'lost' },
  { title: 'bought by Anna, who led', leaderId: anna, result: boughtBy(anna), standing: 'won' },
  { title: 'bought by Anna, while Ben led', leaderId: ben, result: boughtBy(anna), standing: 'won' },
  { title: 'bought by Ben, while Anna led', leaderId: anna, result: boughtBy(ben), standing: 'lost' },
  { title: 'unsold, though Anna led', leaderId: anna, result: unsold, standing: 'lost' },
  { title: 'unsold, and Ben led', leaderId: ben, result: unsold, standing: 'lost' },
  { title: 'cancelled, while Anna led', leaderId: anna, result: cancelled, standing: 'cancelled' },
  { title: 'cancelled, while Ben led', leaderId: ben, result: cancelled, standing: 'cancelled' },
])('with $title, Anna is $standing', ({ leaderId, result, standing }) => {
  expect(standingOf({ bidderId: anna }, viewWith(leaderId, result))).toBe(standing)
})

test.each([
  { title: 'no leader', leaderId: undefined, result: undefined, standing: 'withdrawn' },
  { title: 'Ben leads', leaderId: ben, result: undefined, standing: 'withdrawn' },
  { title: 'Anna leads by a later bid', leaderId: anna, result: undefined, standing: 'leading' },
  { title: 'sold to Ben', leaderId: ben, result: soldTo(ben), standing: 'withdrawn' },
  { title: 'sold to Anna for a later bid', leaderId: anna, result: soldTo(anna), standing: 'won' },
  { title: 'bought by Ben', leaderId: undefined, result: boughtBy(ben), standing: 'withdrawn' },
  { title: 'bought by Anna', leaderId: undefined, result: boughtBy(anna), standing: 'won' },
  { title: 'unsold', leaderId: undefined, result: unsold, standing: 'withdrawn' },
  { title: 'cancelled', leaderId: undefined, result: cancelled, standing: 'cancelled' },
])('with a withdrawn bid, and $title, Anna is $standing', ({ leaderId, result, standing }) => {
  expect(standingOf({ bidderId: anna, isWithdrawn: true }, viewWith(leaderId, result))).toBe(standing)
})
