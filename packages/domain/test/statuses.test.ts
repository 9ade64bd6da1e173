import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { termsOf } from '../src/auction/auction.ts'
import { earliestEndMs, effectiveEnd, effectiveEndMs, latestEndMs, maxOvertimeMs } from '../src/auction/ends.ts'
import { type AuctionState, initialState } from '../src/auction/state.ts'
import { auctionStatuses, mayBeInOvertime, mayHaveStatus, statusAt } from '../src/auction/status.ts'
import { isoOf } from '../src/moment.ts'
import { sampleAuction } from '../src/testing/samples.ts'
import { bid, buy, cancel, close, marginMs, play, type Step, termsWith } from './auction/play.ts'

const auction = sampleAuction({ startTime: '2030-01-31T12:00:00.5Z', endTime: '2030-02-07T12:00:00.250999999Z' })
const startMs = Date.parse('2030-01-31T12:00:00.500Z')
const endMs = Date.parse('2030-02-07T12:00:00.250Z')

describe('an auction without entries', () => {
  test.each([
    [0, 'Pending'],
    [startMs - 1, 'Pending'],
    [startMs, 'Active'],
    [startMs + 1, 'Active'],
    [endMs - 1, 'Active'],
    [endMs, 'Ended'],
    [endMs + 1, 'Ended'],
    [Number.MAX_SAFE_INTEGER, 'Ended'],
  ])('at %d is %s', (nowMs, status) => {
    expect(statusAt(auction, initialState, nowMs)).toBe(status)
  })

  test('never goes back to a status it has left', () => {
    const times = fc.array(fc.integer({ min: startMs - 10, max: endMs + 10 }), { minLength: 2 })
    fc.assert(
      fc.property(times, (readings) => {
        const reached = readings
          .toSorted((a, b) => a - b)
          .map((nowMs) => auctionStatuses.indexOf(statusAt(auction, initialState, nowMs)))
        expect(reached).toEqual(reached.toSorted())
      }),
    )
  })

  test('ends as it was sent', () => {
    expect(effectiveEnd(auction, initialState)).toBe(auction.endTime)
    expect(effectiveEndMs(auction, initialState)).toBe(endMs)
  })
})

describe('what an auction has become says its status, before the clock does', () => {
  const extended: AuctionState = { ...initialState, extendedEndMs: endMs + 5_000 }
  const state = (outcome: 'bought' | 'cancelled' | 'unsold'): AuctionState => {
    const result = {
      bought: { outcome: 'bought', buyerId: auction.ownerId, priceMinor: auction.startingPriceMinor },
      cancelled: { outcome: 'cancelled' },
      unsold: { outcome: 'unsold', reason: 'no-bids' },
    } as const
    return { phase: 'closed', bidCount: 0, leader: null, atMs: startMs, result: result[outcome] }
  }

  test.each([
    ['extended', extended, endMs - 1, 'Active'],
    ['extended', extended, endMs, 'Active'],
    ['extended', extended, endMs + 4_999, 'Active'],
    ['extended', extended, endMs + 5_000, 'Ended'],
    ['extended', extended, startMs - 1, 'Pending'],
    ['bought', state('bought'), startMs, 'Ended'],
    ['bought, by a clock that is behind', state('bought'), startMs - 1, 'Ended'],
    ['cancelled', state('cancelled'), startMs, 'Cancelled'],
    ['cancelled before the start', state('cancelled'), startMs - 1, 'Cancelled'],
    ['cancelled, long after the end', state('cancelled'), endMs + 1e9, 'Cancelled'],
    ['closed', state('unsold'), endMs, 'Ended'],
    ['closed, by a clock that is behind', state('unsold'), startMs, 'Ended'],
  ])('%s', (_, of, nowMs, status) => {
    expect(statusAt(auction, of, nowMs)).toBe(status)
  })

  test('an end that bids have moved is told in milliseconds', () => {
    expect(effectiveEnd(auction, extended)).toStrictEqual({ iso: '2030-02-07T12:00:05.250Z', epochMs: endMs + 5_000 })
    expect(effectiveEndMs(auction, extended)).toBe(endMs + 5_000)
  })
})

describe('what the terms alone say of the end', () => {
  const latestEndTime = '2030-02-07T13:00:00Z'
  const softClose = { windowSeconds: 60, extensionSeconds: 60, latestEndTime }
  const { startTime, endTime } = { startTime: auction.startTime.iso, endTime: auction.endTime.iso }
  const plain = termsOf(auction)
  const soft = termsWith({ startTime, endTime, softClose })
  const buyable = termsWith({ startTime, endTime, buyNowPriceMinor: 500 })

  test('it is the end, unless bids can move it or a purchase can be made', () => {
    expect([earliestEndMs(plain), latestEndMs(plain)]).toEqual([endMs, endMs])
    expect([earliestEndMs(soft), latestEndMs(soft)]).toEqual([endMs, Date.parse(latestEndTime)])
    expect([earliestEndMs(buyable), latestEndMs(buyable)]).toEqual([startMs, endMs])
  })

  test('a week is the most that an auction runs longer', () => {
    expect(maxOvertimeMs).toBe(604_800_000)
  })

  const latestMs = Date.parse(latestEndTime)
  test.each([
    ['a plain one', plain, startMs - 1, ['Pending', 'Cancelled']],
    ['a plain one', plain, startMs, ['Active', 'Cancelled']],
    ['a plain one', plain, endMs - 1, ['Active', 'Cancelled']],
    ['a plain one', plain, endMs, ['Ended', 'Cancelled']],
    ['one with a soft close', soft, startMs - 1, ['Pending', 'Cancelled']],
    ['one with a soft close', soft, endMs - 1, ['Active', 'Cancelled']],
    ['one with a soft close', soft, endMs, ['Active', 'Ended', 'Cancelled']],
    ['one with a soft close', soft, latestMs - 1, ['Active', 'Ended', 'Cancelled']],
    ['one with a soft close', soft, latestMs, ['Ended', 'Cancelled']],
    ['one that can be bought', buyable, startMs - 1, ['Pending', 'Cancelled']],
    ['one that can be bought', buyable, startMs, ['Active', 'Ended', 'Cancelled']],
    ['one that can be bought', buyable, endMs, ['Ended', 'Cancelled']],
  ])('%s at %d may be %j, %j', (_, terms, nowMs, statuses) => {
    expect(auctionStatuses.filter((status) => mayHaveStatus(terms, status, nowMs))).toEqual(statuses)
  })

  test.each([
    ['a plain one before its end', plain, endMs - 1, false],
    ['a plain one at its end', plain, endMs, false],
    ['one with a soft close before its end', soft, endMs - 1, false],
    ['one with a soft close at its end', soft, endMs, true],
    ['one with a soft close before its latest end', soft, latestMs - 1, true],
    ['one with a soft close at its latest end', soft, latestMs, false],
  ])('%s may be in overtime: at %d %s', (_, terms, nowMs, expected) => {
    expect(mayBeInOvertime(terms, nowMs)).toBe(expected)
  })

  test('no state has a status that the terms do not allow it, by a clock that is not behind its last entry', () => {
    const anySteps = fc.array(
      fc.record({
        kind: fc.constantFrom('bid', 'bid', 'buy', 'cancel', 'close'),
        clockMs: fc.nat(9_000),
        above: fc.nat(9),
      }),
      { maxLength: 15 },
    )
    const anyTerms = fc.record({ isSoft: fc.boolean(), isBuyable: fc.boolean() }).map(({ isSoft, isBuyable }) =>
      termsWith({
        startTime: isoOf(startMs),
        endTime: isoOf(startMs + 4_000),
        ...(isSoft && {
          softClose: { windowSeconds: 2, extensionSeconds: 3, latestEndTime: isoOf(startMs + 7_000) },
        }),
        ...(isBuyable && { buyNowPriceMinor: 900 }),
      }),
    )
    fc.assert(
      fc.property(anyTerms, anySteps, (terms, wanted) => {
        const steps = wanted
          .toSorted((a, b) => a.clockMs - b.clockMs)
          .map(({ kind, clockMs, above }): Step => {
            const command = { bid: bid(2, 100 + above * 5), buy: buy(3), cancel: cancel(), close }[kind] ?? close
            return [command, startMs - 500 + clockMs]
          })
        const nowMs = startMs - 500 + (wanted.length === 0 ? 0 : Math.max(...wanted.map(({ clockMs }) => clockMs)))
        for (const { state } of play(terms, ...steps)) {
          for (const atMs of [state.atMs, nowMs, nowMs + marginMs, startMs + 20_000]) {
            if (atMs < state.atMs) continue
            const status = statusAt(terms, state, atMs)
            expect(mayHaveStatus(terms, status, atMs)).toBe(true)
            if (atMs >= terms.endTime.epochMs && status === 'Active') expect(mayBeInOvertime(terms, atMs)).toBe(true)
          }
        }
      }),
      { numRuns: 500 },
    )
  })
})
