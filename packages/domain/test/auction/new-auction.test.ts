import { describe, expect, test } from 'vitest'
import { parseNewAuction, pastEndError } from '../../src/auction/new-auction.ts'
import { errorsOf, newAuctionJson, pointers } from '../support.ts'

const nowMs = Date.parse('2030-01-15T00:00:00Z')
const parse = (input: unknown) => parseNewAuction(input, nowMs)

describe('a new auction', () => {
  test('is parsed: money in minor units, times comparable', () => {
    expect(parse(newAuctionJson({ startingPrice: 100.5, minimumBidIncrement: 0.01 }))).toStrictEqual({
      ok: true,
      value: {
        productId: 7,
        ownerId: 1,
        title: 'A vase',
        description: 'It is old.',
        startingPriceMinor: 100_50,
        minimumBidIncrementMinor: 1,
        currency: { code: 'USD', exponent: 2 },
        startTime: { iso: '2030-01-31T12:00:00Z', epochMs: Date.parse('2030-01-31T12:00:00Z') },
        endTime: { iso: '2030-02-07T12:00:00Z', epochMs: Date.parse('2030-02-07T12:00:00Z') },
      },
    })
  })

  test.each([
    ['null', { title: null, description: null }],
    ['left out', { title: undefined, description: undefined }],
  ])('has no title or description if they are %s', (_, changed) => {
    const parsed = parse(newAuctionJson(changed))
    expect(parsed.ok && Object.keys(parsed.value).toSorted()).toEqual([
      'currency',
      'endTime',
      'minimumBidIncrementMinor',
      'ownerId',
      'productId',
      'startTime',
      'startingPriceMinor',
    ])
  })

  test('ignores read-only fields, whatever their values, so that a resource can be sent back', () => {
    const assigned = {
      ...{ id: 'x', status: 7, timestamp: [], currentPrice: -1, minimumNextBid: null, bidCount: {}, result: 0 },
      ...{ effectiveEndTime: 1, reserveMet: 'x', buyNowOffered: [], leaderId: -1, youLead: 7, yourMaximum: 'x' },
      ...{ createdAt: 0, endedAt: {}, correctedAt: false },
    }
    expect(parse(newAuctionJson(assigned))).toStrictEqual(parse(newAuctionJson()))
  })

  test.each<[string, Record<string, unknown>]>([
    ['largest ids', { productId: Number.MAX_SAFE_INTEGER, ownerId: Number.MAX_SAFE_INTEGER }],
    ['a starting price of nothing', { startingPrice: 0 }],
    ['the least increment', { minimumBidIncrement: 0.01 }],
    ['largest amounts', { startingPrice: 9_999_999_999_999.99, minimumBidIncrement: 9_999_999_999_999.99 }],
    ['a title of 200 emoji', { title: '🏺'.repeat(200) }],
    ['a title of one character', { title: 'x' }],
    ['an empty description', { description: '' }],
    ['a description of 10000 emoji', { description: '🏺'.repeat(10_000) }],
    ['a start in the past', { startTime: '1999-12-31T23:59:59Z' }],
    ['a window of a millisecond', { startTime: '2030-02-07T11:59:59.999Z' }],
    ['an end a millisecond from now', { startTime: '2029-01-01T00:00:00Z', endTime: '2030-01-15T00:00:00.001Z' }],
  ])('may have %s', (_, changed) => {
    expect(parse(newAuctionJson(changed)).ok).toBe(true)
  })

  test.each(['productId', 'ownerId', 'startingPrice', 'minimumBidIncrement', 'currency', 'startTime', 'endTime'])(
    'must have %s',
    (field) => {
      const errors = errorsOf(parse(newAuctionJson({ [field]: undefined })))
      expect(errors).toEqual([{ pointer: `/${field}`, message: 'is required' }])
      expect(pointers(parse(newAuctionJson({ [field]: null })))).toEqual([`/${field}`])
    },
  )

  const ids = ['1', 1.5, 0, -1, true, 2 ** 53, [], {}].flatMap((value) => [
    ['productId', value] as const,
    ['ownerId', value] as const,
  ])
  test.each<readonly [string, unknown]>([
    ...ids,
    ['title', ''],
    ['title', '🏺'.repeat(201)],
    ['title', 'lone \ud83c'],
    ['title', '\ud83c'.repeat(201)],
    ['title', '\udffa lone'],
    ['title', 7],
    ['title', ['A vase']],
    ['description', 'x'.repeat(10_001)],
    ['description', 'lone \udffa'],
    ['description', false],
    ['startingPrice', -0.01],
    ['startingPrice', 0.001],
    ['startingPrice', 1e13],
    ['startingPrice', '100'],
    ['startingPrice', 1e300],
    ['minimumBidIncrement', 0],
    ['minimumBidIncrement', -1],
    ['minimumBidIncrement', 0.005],
    ['minimumBidIncrement', 1e13],
    ['minimumBidIncrement', [5]],
    ['currency', 'usd'],
    ['currency', 'XXX'],
    ['currency', 840],
    ['startTime', '2030-01-31'],
    ['startTime', '2030-02-30T00:00:00Z'],
    ['startTime', 1_900_000_000],
    ['endTime', '2030-02-07T12:00:00+00:00'],
    ['endTime', 'tomorrow'],
    ['endTime', {}],
    ['endTime', '2030-01-31T11:59:59Z'],
    ['endTime', '2030-01-31T12:00:00Z'],
    ['endTime', '2030-01-31T12:00:00.000999999Z'],
  ])('is refused for an invalid %s: %j', (field, value) => {
    expect(pointers(parse(newAuctionJson({ [field]: value })))).toEqual([`/${field}`])
  })

  const notUsd = 'is not a valid USD amount; it must have at most 2 decimal places and be below 10^15 minor units'
  test.each<readonly [string, unknown, string]>([
    ['description', 7, 'must be a string of up to 10000 characters'],
    ['description', 'x'.repeat(10_001), 'must be a string of up to 10000 characters'],
    ['startingPrice', 0.001, `0.001 ${notUsd}`],
    ['minimumBidIncrement', 1e13, `10000000000000 ${notUsd}`],
    ['endTime', '2030-01-31T12:00:00Z', 'must be at least 1 millisecond after startTime'],
  ])('is refused with a message for an invalid %s: %j', (field, value, message) => {
    expect(errorsOf(parse(newAuctionJson({ [field]: value })))).toEqual([{ pointer: `/${field}`, message }])
  })

  test.each([null, undefined, [], [newAuctionJson()], 'text', 7, true])('must be an object, not %j', (input) => {
    expect(errorsOf(parse(input))).toEqual([{ pointer: '', message: 'must be a JSON object' }])
  })

  test('is refused with all of its errors, once per field', () => {
    const parsed = parse({
      productId: '7',
      ownerId: 0,
      title: '',
      description: 7,
      startingPrice: -1,
      minimumBidIncrement: 0,
      currency: 'usd',
      startTime: 'today',
      endTime: 'tomorrow',
      titel: 'A vase',
    })
    expect(pointers(parsed).toSorted()).toEqual([
      '/currency',
      '/description',
      '/endTime',
      '/minimumBidIncrement',
      '/ownerId',
      '/productId',
      '/startTime',
      '/startingPrice',
      '/titel',
      '/title',
    ])
    expect(pointers(parse({})).length).toBe(7)
  })

  test('is refused with the first error of each field', () => {
    expect(errorsOf(parse(newAuctionJson({ title: '\ud83c'.repeat(201) })))).toEqual([
      { pointer: '/title', message: 'must be a string of 1 to 200 characters' },
    ])
  })

  test('is refused for amounts that are not exact in the currency, in addition to other errors', () => {
    const changed = { currency: 'JPY', startingPrice: 0.5, minimumBidIncrement: 0.25, title: '', ownerId: 0 }
    expect(pointers(parse(newAuctionJson(changed))).toSorted()).toEqual([
      '/minimumBidIncrement',
      '/ownerId',
      '/startingPrice',
      '/title',
    ])
  })

  test('is refused for an end that is not after the start, in addition to other errors', () => {
    const changed = { endTime: '2030-01-31T12:00:00Z', currency: 'usd', extra: 1 }
    expect(pointers(parse(newAuctionJson(changed))).toSorted()).toEqual(['/currency', '/endTime', '/extra'])
  })
})

describe('an end in the past', () => {
  const past = { startTime: '2029-01-01T00:00:00Z', endTime: '2030-01-15T00:00:00Z' }

  test('is reported with the other errors', () => {
    expect(pointers(parse(newAuctionJson({ ...past, ownerId: 0 })))).toEqual(['/ownerId', '/endTime'])
    expect(pointers(parse(newAuctionJson({ ...past, extra: 0 })))).toEqual(['/endTime', '/extra'])
  })

  test('is reported before any number of unknown fields', () => {
    const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field${index}`, 1]))
    const parsed = parse(newAuctionJson({ ...unknown, ...past }))
    expect(pointers(parsed).slice(0, 2)).toEqual(['/endTime', '/field0'])
    expect(parsed).toMatchObject({ refusal: { moreErrors: 11 } })
  })

  test('is reported once if the end is invalid itself', () => {
    expect(pointers(parse(newAuctionJson({ ...past, endTime: '2028-01-01T00:00:00Z', ownerId: 0 })))).toEqual([
      '/ownerId',
      '/endTime',
    ])
  })

  test('alone is checked in the use case, which can identify a retry', () => {
    expect(parse(newAuctionJson(past)).ok).toBe(true)
  })

  test.each([
    [-1, true],
    [0, true],
    [1, false],
  ])('is detected to the millisecond: %d ms from now', (distanceMs, isPast) => {
    const endTime = { iso: 'as it was written', epochMs: nowMs + distanceMs }
    expect(pastEndError(endTime, nowMs)?.pointer).toBe(isPast ? '/endTime' : undefined)
  })
})
