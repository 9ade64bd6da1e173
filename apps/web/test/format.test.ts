import { describe, expect, onTestFinished, test } from 'vitest'
import { isLarge, raisedBy } from '../page/amounts.js'
import { createFormat } from '../page/format.js'
import { formatOf } from '../page/formats.js'
import { factsOf, picturesOf, wordsOf } from '../page/pictures.js'
import { isolated, localTimeAfter, parseLocalTime, phaseOf } from '../page/times.js'
import { auction } from './sample.ts'

const { bidder, duration, timeLeft } = createFormat({}, 'en')

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
  expect(phaseOf(auction, end - 60_001)).toBe('open')
  expect(phaseOf(auction, end - 60_000)).toBe('last')
  expect(timeLeft(auction, end - 1)).toBe(`${isolated('1s')} left`)
  expect(timeLeft(auction, end)).toBe('Ending…')
  const extended = { ...auction, effectiveEndTime: '2030-01-02T00:05:00Z' }
  expect(timeLeft(extended, end)).toBe(`${isolated('5m')} left`)
  const result = { outcome: 'unsold', reason: 'no-bids' } as const
  expect(timeLeft({ ...auction, status: 'Ended', result }, end + 9_000)).toMatch(/^Ended .*1/)
})

test('bidders have names, even with a pseudonym', () => {
  const isSelf = (id: number | null) => id === 7
  expect([bidder(7, isSelf), bidder(8, isSelf), bidder(null, isSelf)]).toEqual(['You', 'User 8', ''])
  expect(bidder(-5_000_000_000_001, isSelf)).toMatch(/^Bidder [0-9A-Z]{4}$/)
})

test.each([
  { steps: [], words: 'Bids rise by $5.00.' },
  { steps: [{ fromPrice: 100, increment: 10 }], words: 'Bids rise by $5.00; by $10.00 from $100.00.' },
  { steps: [{ fromPrice: 0, increment: 6 }], words: 'Bids rise by $6.00.' },
  {
    steps: [
      { fromPrice: 0, increment: 6 },
      { fromPrice: 100, increment: 10 },
    ],
    words: 'Bids rise by $6.00; by $10.00 from $100.00.',
  },
])('the increments $steps are in words', ({ steps, words }) => {
  const sent = { ...auction, minimumBidIncrement: 5, ...(steps.length > 0 && { incrementSteps: steps }) }
  expect(formatOf(sent).rule(createFormat({}, 'en'), sent)).toBe(words)
})

test.each([
  { startingPrice: 300, words: 'Bids go by steps: from $300.00 on, $300.00 plus $20.00, $50.00, and so on.' },
  {
    ...{ startingPrice: 100, minimumBidIncrement: 5, onlySteps: true as const },
    words:
      'Only steps may be bid: from $300.00 on, $300.00 plus $20.00, $50.00, and so on. Below $300.00, bids rise by $5.00.',
  },
])('a ladder is in words', ({ words, ...terms }) => {
  const sent = { ...auction, ...terms, bidSteps: [{ fromPrice: 300, amounts: [20, 50] }] }
  expect(formatOf(sent).rule(createFormat({}, 'en'), sent)).toBe(words)
})

describe('a local time', () => {
  /** Runs the rest of a test in a zone. */
  function inZone(zone: string): void {
    const before = process.env['TZ']
    process.env['TZ'] = zone
    onTestFinished(() => {
      if (before === undefined) delete process.env['TZ']
      else process.env['TZ'] = before
    })
  }

  test.each([
    ['UTC', '2027-03-28T02:30', '2027-03-28T02:30:00.000Z'],
    ['Europe/Berlin', '2027-03-28T01:59', '2027-03-28T00:59:00.000Z'],
    ['Europe/Berlin', '2027-03-28T03:00', '2027-03-28T01:00:00.000Z'],
    ['Europe/Berlin', '2027-07-01T12:00:30', '2027-07-01T10:00:30.000Z'],
    ['America/New_York', '2027-03-14T03:00', '2027-03-14T07:00:00.000Z'],
    ['Australia/Lord_Howe', '2027-10-03T02:30', '2027-10-02T15:30:00.000Z'],
    // Before zones had whole minutes.
    ['Europe/Berlin', '1890-01-01T00:00', '1889-12-31T23:06:32.000Z'],
    // Twice: the first is meant.
    ['Europe/Berlin', '2027-10-31T02:30', '2027-10-31T00:30:00.000Z'],
    ['Australia/Lord_Howe', '2027-04-04T01:45', '2027-04-03T14:45:00.000Z'],
  ])('in %s: %s is %s', (zone, text, iso) => {
    inZone(zone)
    expect(parseLocalTime(text)).toEqual({ ms: Date.parse(iso) })
  })

  test.each([
    ['Europe/Berlin', '2027-03-28T02:00'],
    ['Europe/Berlin', '2027-03-28T02:30'],
    ['Europe/Berlin', '2027-03-28T02:59:59'],
    ['America/New_York', '2027-03-14T02:30'],
    ['Australia/Lord_Howe', '2027-10-03T02:15'],
    // A midnight.
    ['America/Asuncion', '2023-10-01T00:30'],
    // A whole day.
    ['Pacific/Apia', '2011-12-30T12:00'],
  ])('in %s does not exist: %s', (zone, text) => {
    inZone(zone)
    expect(parseLocalTime(text)).toEqual({ error: 'timeSkipped' })
  })

  test('is incomplete if it cannot be read', () => {
    for (const text of ['20277-03-28T02:30', '2027-03-28T']) {
      expect(parseLocalTime(text)).toEqual({ error: 'enterTime' })
    }
  })

  test.each([
    ['2027-03-28T00:30:00Z', '2027-03-28T03:30'],
    ['2027-10-30T23:30:00Z', '2027-10-31T02:30'],
    ['2027-10-31T00:30:00Z', '2027-10-31T03:30'],
    ['2027-10-31T01:30:00Z', '2027-10-31T03:30'],
  ])('is suggested after %s: %s', (now, text) => {
    inZone('Europe/Berlin')
    expect(localTimeAfter(Date.parse(now))).toBe(text)
  })
})

test.each([
  { amount: 115, currentPrice: 100, least: 100, isAsked: false },
  { amount: 115.01, currentPrice: 100, least: 100, isAsked: true },
  { amount: 240, currentPrice: 200, least: 210, isAsked: false },
  { amount: 240.01, currentPrice: 200, least: 210, isAsked: true },
  { amount: 9_999_999_999_999.99, currentPrice: 9_999_999_999_900, least: 9_999_999_999_925, isAsked: false },
])('$amount with a minimum of $least is more than three increments above it: $isAsked', (row) => {
  const { amount, currentPrice, least, isAsked } = row
  const state = { ...auction, minimumBidIncrement: 5, currentPrice, minimumNextBid: least }
  expect(isLarge(amount, state)).toBe(isAsked)
})

test('a maximum rises by the current increment, exactly', () => {
  expect(raisedBy({ ...auction, currentPrice: 0.1, minimumNextBid: 0.3 }, 0.7)).toBe(0.9)
})

test('a name of the metadata becomes words', () => {
  expect(['material', 'yearMade', 'width_cm', 'ISBN'].map(wordsOf)).toEqual([
    'Material',
    'Year made',
    'Width cm',
    'ISBN',
  ])
})

test('an auction has up to ten pictures, whose addresses begin with https', () => {
  const names = ['pictureUrl', ...Array.from({ length: 10 }, (_, at) => `pictureUrl${at + 2}`)]
  const metadata = { ...Object.fromEntries(names.map((name) => [name, `https://a.example/${name}`])), material: 'Oak' }
  expect(picturesOf({ ...auction, metadata })).toHaveLength(10)
  expect(picturesOf({ ...auction, metadata: { pictureUrl: 'http://a.example', pictureUrl2: 'x' } })).toEqual([])
  expect(factsOf({ ...auction, metadata })).toEqual([
    ['pictureUrl11', 'https://a.example/pictureUrl11'],
    ['material', 'Oak'],
  ])
})
