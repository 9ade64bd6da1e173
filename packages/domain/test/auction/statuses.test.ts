import { sampleAuction } from '@auction/testing/samples'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AuctionState, initialState } from '../../src/auction/state.ts'
import { auctionStatuses, effectiveEnd, effectiveEndMs, statusAt } from '../../src/auction/status.ts'

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

  test('never returns to an earlier status', () => {
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

  test('ends at the time that was sent', () => {
    expect(effectiveEnd(auction, initialState)).toBe(auction.endTime)
    expect(effectiveEndMs(auction, initialState)).toBe(endMs)
  })
})

describe('the status follows the state of an auction rather than the clock', () => {
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
  ])('for an auction that is %s', (_, of, nowMs, status) => {
    expect(statusAt(auction, of, nowMs)).toBe(status)
  })

  test('an extended end is returned in milliseconds', () => {
    expect(effectiveEnd(auction, extended)).toStrictEqual({ iso: '2030-02-07T12:00:05.250Z', epochMs: endMs + 5_000 })
    expect(effectiveEndMs(auction, extended)).toBe(endMs + 5_000)
  })
})
