import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toPercent } from '../../src/auction/formats/english/prices.ts'
import { errorsOf, membersOf, parseChanged, past } from '../support.ts'

const parsedFrom = (changed?: Readonly<Record<string, unknown>>) => {
  const parsed = parseChanged(changed)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.refusal))
  return parsed.value
}

const storedName = (field: string) => (field.endsWith('Price') ? `${field}Minor` : field)
const day = '2030-02-07T12:00:00'
const endMs = Date.parse(`${day}Z`)
const softClose = { windowSeconds: 120, extensionSeconds: 300, latestEndTime: '2030-02-07T13:00:00Z' }

describe('a new auction', () => {
  test('is parsed: money in minor units, times comparable, fields in their order', () => {
    const parsed = parsedFrom({ startingPrice: 100.5, minimumBidIncrement: 0.01 })
    const expected = {
      productId: 7,
      ownerId: 1,
      title: 'A vase',
      description: 'It is old.',
      startingPriceMinor: 100_50,
      minimumBidIncrementMinor: 1,
      currency: { code: 'USD', exponent: 2 },
      startTime: { iso: '2030-01-31T12:00:00Z', epochMs: Date.parse('2030-01-31T12:00:00Z') },
      endTime: { iso: `${day}Z`, epochMs: endMs },
    }
    expect(parsed).toStrictEqual(expected)
    expect(JSON.stringify(parsed)).toBe(JSON.stringify(expected))
  })

  test.each([undefined, null, 'english'])('with the format %s is English, which is stored as absent', (format) => {
    expect(parsedFrom({ format })).toStrictEqual(parsedFrom())
  })

  test('is parsed with formats', () => {
    const formats = { softClose, reservePrice: 150.5, buyNowPrice: 400, cancellableUntilEnd: true }
    expect(parsedFrom(formats)).toStrictEqual({
      ...parsedFrom(),
      softClose: { ...softClose, latestEndTime: { iso: softClose.latestEndTime, epochMs: endMs + 3_600_000 } },
      reservePriceMinor: 150_50,
      buyNowPriceMinor: 400_00,
      cancellableUntilEnd: true,
    })
  })

  test('is parsed with increments: amounts in minor units, a percentage in basis points', () => {
    const incrementSteps = [
      { fromPrice: 0, increment: 6 },
      { fromPrice: 100, increment: 6 },
      { fromPrice: 100.01, increment: 7.5 },
    ]
    expect(parsedFrom({ incrementSteps, maximumBidIncrement: 7.5 })).toStrictEqual({
      ...parsedFrom(),
      incrementSteps: [
        { fromPriceMinor: 0, incrementMinor: 6_00 },
        { fromPriceMinor: 100_00, incrementMinor: 6_00 },
        { fromPriceMinor: 100_01, incrementMinor: 7_50 },
      ],
      maximumBidIncrementMinor: 7_50,
    })
    expect(parsedFrom({ incrementPercent: 2.5, maximumBidIncrement: 5 })).toStrictEqual({
      ...parsedFrom(),
      incrementBasisPoints: 250,
      maximumBidIncrementMinor: 5_00,
    })
  })

  test('returns each percentage as sent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), (basisPoints) => {
        expect(parsedFrom({ incrementPercent: basisPoints / 100 }).incrementBasisPoints).toBe(basisPoints)
        expect(toPercent(basisPoints)).toBe(basisPoints / 100)
      }),
    )
  })

  test.each([
    { field: 'title', value: 'x' },
    { field: 'description', value: '' },
    { field: 'softClose', value: softClose },
    { field: 'reservePrice', value: 150 },
    { field: 'buyNowPrice', value: 400 },
    { field: 'cancellableUntilEnd', value: false },
    { field: 'metadata', value: { color: 'blue' } },
    { field: 'incrementSteps', value: [{ fromPrice: 1, increment: 5 }] },
    { field: 'incrementPercent', key: 'incrementBasisPoints', value: 5 },
    { field: 'maximumBidIncrement', key: 'maximumBidIncrementMinor', value: 5 },
  ])('may have a $field; null and nothing mean none', ({ field, value, key = storedName(field) }) => {
    expect(parsedFrom({ [field]: value })).toHaveProperty(key)
    for (const none of [null, undefined]) expect(parsedFrom({ [field]: none })).not.toHaveProperty(key)
  })

  test('ignores read-only fields, whatever their values, so that a resource can be sent back', () => {
    const names = [
      'id',
      'status',
      'timestamp',
      'currentPrice',
      'minimumNextBid',
      'maximumNextBid',
      'bidCount',
      'result',
    ]
    names.push('effectiveEndTime', 'reserveMet', 'buyNowOffered', 'leaderId', 'youLead', 'yourMaximum', 'yourPseudonym')
    names.push('createdAt', 'endedAt', 'correctedAt', 'repairCount', 'saleId', 'lot')
    for (const value of ['x', [], -1, null])
      expect(parseChanged(Object.fromEntries(names.map((name) => [name, value])))).toStrictEqual(parseChanged())
  })

  const week = 604_800
  test.each<{ readonly title: string; readonly sent: Readonly<Record<string, unknown>> }>([
    {
      title: 'largest amounts',
      sent: { startingPrice: 9_999_999_999_999.99, minimumBidIncrement: 9_999_999_999_999.99 },
    },
    { title: 'a title of 200 emoji', sent: { title: '🏺'.repeat(200) } },
    { title: 'a start in the past', sent: { startTime: '1999-12-31T23:59:59Z' } },
    { title: 'a duration of a millisecond', sent: { startTime: '2030-02-07T11:59:59.999Z' } },
    { title: 'an end a millisecond from now', sent: { ...past, endTime: '2030-01-15T00:00:00.001Z' } },
    { title: 'a reserve at the starting price', sent: { reservePrice: 100 } },
    { title: 'a buy-now price just above the reserve', sent: { reservePrice: 200, buyNowPrice: 200.01 } },
    { title: 'seconds of a week', sent: { softClose: { ...softClose, windowSeconds: week, extensionSeconds: week } } },
    { title: 'metadata with every character of names', sent: { metadata: { 'Az09_.-': '', constructor: 'x' } } },
    { title: 'metadata with the longest name and value', sent: { metadata: { ['n'.repeat(40)]: '🏺'.repeat(500) } } },
    { title: 'metadata of 4 KiB', sent: { metadata: { ...membersOf(8, 'x'.repeat(500)), rest: 'é'.repeat(42) } } },
    { title: 'a latest end a millisecond later', sent: { softClose: { ...softClose, latestEndTime: `${day}.001Z` } } },
    {
      title: 'a latest end a week later',
      sent: { softClose: { ...softClose, latestEndTime: '2030-02-14T12:00:00Z' } },
    },
  ])('may have $title', ({ sent }) => {
    expect(errorsOf(parseChanged(sent))).toEqual([])
  })
})
