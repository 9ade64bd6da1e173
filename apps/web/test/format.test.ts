import { expect, test } from 'vitest'
import { bidder, duration, isolated, phaseOf, timeLeft } from '../page/format.js'

const auction = {
  id: 1,
  productId: 1,
  ownerId: 1,
  currency: 'USD',
  status: 'Active',
  startingPrice: 1,
  minimumBidIncrement: 1,
  startTime: '2030-01-01T00:00:00Z',
  endTime: '2030-01-02T00:00:00Z',
  currentPrice: 1,
  minimumNextBid: 1,
  bidCount: 0,
  leaderId: null,
  endedAt: null,
  result: null,
}

test.each([
  [1, '1s'],
  [59_000, '59s'],
  [60_000, '1m'],
  [65_000, '1m 5s'],
  [3_600_000 + 65_000, '1h 1m'],
  [2 * 86_400_000 + 30_000, '2d'],
])('%d ms are %s', (ms, text) => {
  expect(duration(ms)).toBe(text)
})

test('an auction is ending from its end until its result', () => {
  const end = Date.parse(auction.endTime)
  expect(phaseOf(auction, Date.parse(auction.startTime) - 1)).toBe('soon')
  expect(timeLeft(auction, end - 1)).toBe(`${isolated('1s')} left`)
  expect(timeLeft(auction, end)).toBe('Ending…')
  const extended = { ...auction, effectiveEndTime: '2030-01-02T00:05:00Z' }
  expect(timeLeft(extended, end)).toBe(`${isolated('5m')} left`)
  const result = { outcome: 'unsold', reason: 'no-bids' } as const
  expect(timeLeft({ ...auction, status: 'Ended', result }, end + 9_000)).toBe('Ended')
})

test('bidders have names, even with a pseudonym', () => {
  const isSelf = (id: number | null) => id === 7
  expect([bidder(7, isSelf), bidder(8, isSelf), bidder(null, isSelf)]).toEqual(['You', 'User 8', ''])
  expect(bidder(-5_000_000_000_001, isSelf)).toMatch(/^Bidder [0-9A-Z]{4}$/)
})
