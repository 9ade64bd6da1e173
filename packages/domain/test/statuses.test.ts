import fc from 'fast-check'
import { expect, test } from 'vitest'
import { auctionStatuses, statusAt } from '../src/auction/status.ts'
import { sampleAuction } from '../src/testing/samples.ts'

const auction = sampleAuction({ startTime: '2030-01-31T12:00:00.5Z', endTime: '2030-02-07T12:00:00.250999999Z' })
const startMs = Date.parse('2030-01-31T12:00:00.500Z')
const endMs = Date.parse('2030-02-07T12:00:00.250Z')

test.each([
  [0, 'Pending'],
  [startMs - 1, 'Pending'],
  [startMs, 'Active'],
  [startMs + 1, 'Active'],
  [endMs - 1, 'Active'],
  [endMs, 'Ended'],
  [endMs + 1, 'Ended'],
  [Number.MAX_SAFE_INTEGER, 'Ended'],
])('at %d the auction is %s', (nowMs, status) => {
  expect(statusAt(auction, nowMs)).toBe(status)
})

test('an auction never goes back to a status it has left', () => {
  const times = fc.array(fc.integer({ min: startMs - 10, max: endMs + 10 }), { minLength: 2 })
  fc.assert(
    fc.property(times, (readings) => {
      const reached = readings
        .toSorted((a, b) => a - b)
        .map((nowMs) => auctionStatuses.indexOf(statusAt(auction, nowMs)))
      expect(reached).toEqual(reached.toSorted())
    }),
  )
})
