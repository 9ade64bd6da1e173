import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseNewAuction } from '../../src/auction/new-auction.ts'
import { toCurrency } from '../../src/values/currency.ts'
import { isoOf } from '../../src/values/moment.ts'
import { type AmountMinor, toDecimal } from '../../src/values/money.ts'
import { errorsOf, newAuctionJson, pointers } from '../support.ts'

const nowMs = Date.parse('2030-01-15T00:00:00Z')
const parse = (input: unknown) => parseNewAuction(input, nowMs)
const parsedFrom = (input: unknown) => {
  const parsed = parse(input)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.refusal))
  return parsed.value
}

// Starts at 100 USD and ends at 2030-02-07T12:00:00Z.
const softClose = { windowSeconds: 120, extensionSeconds: 300, latestEndTime: '2030-02-07T13:00:00Z' }
const withSoftClose = (changed: object) => newAuctionJson({ softClose: { ...softClose, ...changed } })

describe('a new auction with formats', () => {
  test('is parsed: money in minor units, times comparable', () => {
    const plain = parsedFrom(newAuctionJson())
    const formats = { softClose, reservePrice: 150.5, buyNowPrice: 400, cancellableUntilEnd: true }
    expect(parsedFrom(newAuctionJson(formats))).toStrictEqual({
      ...plain,
      softClose: {
        windowSeconds: 120,
        extensionSeconds: 300,
        latestEndTime: { iso: '2030-02-07T13:00:00Z', epochMs: Date.parse('2030-02-07T13:00:00Z') },
      },
      reservePriceMinor: 150_50,
      buyNowPriceMinor: 400_00,
      cancellableUntilEnd: true,
    })
  })

  test.each([
    ['softClose', softClose],
    ['reservePrice', 150],
    ['buyNowPrice', 400],
    ['cancellableUntilEnd', false],
  ])('may have each alone, and null means absent: %s', (field, value) => {
    const plain = parsedFrom(newAuctionJson())
    expect(Object.keys(parsedFrom(newAuctionJson({ [field]: value }))).length).toBe(Object.keys(plain).length + 1)
    expect(parsedFrom(newAuctionJson({ [field]: null }))).toStrictEqual(plain)
  })

  test('may have none: its fields and their order are then those of a plain auction', () => {
    expect(JSON.stringify(parsedFrom(newAuctionJson()))).toBe(
      JSON.stringify({
        productId: 7,
        ownerId: 1,
        title: 'A vase',
        description: 'It is old.',
        startingPriceMinor: 100_00,
        minimumBidIncrementMinor: 5_00,
        currency: { code: 'USD', exponent: 2 },
        startTime: { iso: '2030-01-31T12:00:00Z', epochMs: Date.parse('2030-01-31T12:00:00Z') },
        endTime: { iso: '2030-02-07T12:00:00Z', epochMs: Date.parse('2030-02-07T12:00:00Z') },
      }),
    )
  })

  test('returns them exactly as sent', () => {
    const anyPrices = fc.record({
      code: fc.constantFrom('JPY', 'USD', 'KWD', 'CLF'),
      startingMinor: fc.nat(1_000),
      // Near both limits of amounts.
      reserveAboveMinor: fc.oneof(fc.nat(1_000), fc.integer({ min: 1e15 - 5_000, max: 1e15 - 4_000 })),
      buyNowAboveMinor: fc.integer({ min: 1, max: 1_000 }),
    })
    const anyLatest = fc
      .record({ afterMs: fc.integer({ min: 1, max: 604_800_000 }), more: fc.stringMatching(/^[0-9]{0,6}$/) })
      .map(({ afterMs, more }) => isoOf(Date.parse('2030-02-07T12:00:00Z') + afterMs).replace('Z', `${more}Z`))
    fc.assert(
      fc.property(anyPrices, anyLatest, (prices, latestEndTime) => {
        const currency = toCurrency(prices.code)
        const reserveMinor = prices.startingMinor + prices.reserveAboveMinor
        const decimal = (minor: number) => minor / 10 ** currency.exponent
        const sent = {
          currency: currency.code,
          minimumBidIncrement: 1,
          startingPrice: decimal(prices.startingMinor),
          reservePrice: decimal(reserveMinor),
          buyNowPrice: decimal(reserveMinor + prices.buyNowAboveMinor),
          softClose: { ...softClose, latestEndTime },
        }
        const auction = parsedFrom(newAuctionJson(sent))
        const toAmount = (minor: AmountMinor | undefined) => minor !== undefined && toDecimal(minor, currency)
        expect(toAmount(auction.startingPriceMinor)).toBe(sent.startingPrice)
        expect(toAmount(auction.reservePriceMinor)).toBe(sent.reservePrice)
        expect(toAmount(auction.buyNowPriceMinor)).toBe(sent.buyNowPrice)
        expect(auction.softClose).toStrictEqual({
          ...softClose,
          latestEndTime: { iso: latestEndTime, epochMs: Date.parse(latestEndTime) },
        })
      }),
    )
  })

  test('ignores read-only fields, so that a resource can be sent back', () => {
    const read = { effectiveEndTime: 7, reserveMet: 'x', buyNowOffered: null, result: {} }
    expect(parse(newAuctionJson(read))).toStrictEqual(parse(newAuctionJson()))
  })

  test.each<[string, Record<string, unknown>]>([
    ['a reserve at the starting price', { reservePrice: 100 }],
    ['a reserve of nothing', { startingPrice: 0, reservePrice: 0 }],
    ['a buy-now price just above the starting price', { buyNowPrice: 100.01 }],
    ['a buy-now price just above the reserve', { reservePrice: 200, buyNowPrice: 200.01 }],
    ['largest amounts', { reservePrice: 9_999_999_999_999.98, buyNowPrice: 9_999_999_999_999.99 }],
    ['a window of a second', { softClose: { ...softClose, windowSeconds: 1 } }],
    ['a window of a week', { softClose: { ...softClose, windowSeconds: 604_800 } }],
    ['an extension of a second', { softClose: { ...softClose, extensionSeconds: 1 } }],
    ['an extension of a week', { softClose: { ...softClose, extensionSeconds: 604_800 } }],
    ['a latest end a millisecond later', { softClose: { ...softClose, latestEndTime: '2030-02-07T12:00:00.001Z' } }],
    ['a latest end a week later', { softClose: { ...softClose, latestEndTime: '2030-02-14T12:00:00Z' } }],
    ['cancelling until the end', { cancellableUntilEnd: true }],
  ])('may have %s', (_, changed) => {
    expect(parse(newAuctionJson(changed)).ok).toBe(true)
  })
})

describe('a format is refused', () => {
  const seconds = 'must be an integer from 1 to 604800, in seconds'
  const latest = 'must be after endTime and no later than 2030-02-14T12:00:00.000Z, one week after it'
  const moment =
    'must be a valid UTC date-time such as "2030-01-31T12:00:00Z", with a trailing Z and at most 9 fractional digits'

  test.each([
    ['windowSeconds', 0, seconds],
    ['windowSeconds', -1, seconds],
    ['windowSeconds', 604_801, seconds],
    ['windowSeconds', 1.5, seconds],
    ['windowSeconds', '60', seconds],
    ['windowSeconds', null, seconds],
    ['windowSeconds', undefined, 'is required'],
    ['extensionSeconds', 0, seconds],
    ['extensionSeconds', 604_801, seconds],
    ['extensionSeconds', true, seconds],
    ['extensionSeconds', undefined, 'is required'],
    ['latestEndTime', '2030-02-07T12:00:00Z', latest],
    ['latestEndTime', '2030-02-07T12:00:00.000999999Z', latest],
    ['latestEndTime', '2030-02-01T12:00:00Z', latest],
    ['latestEndTime', '2030-02-14T12:00:00.001Z', latest],
    ['latestEndTime', '9999-12-31T23:59:59.999Z', latest],
    ['latestEndTime', '2030-02-30T12:00:00Z', moment],
    ['latestEndTime', 7, moment],
    ['latestEndTime', undefined, 'is required'],
  ])('for an invalid softClose/%s: %j', (field, value, message) => {
    expect(errorsOf(parse(withSoftClose({ [field]: value })))).toEqual([{ pointer: `/softClose/${field}`, message }])
  })

  test.each([7, 'none', true, false])('for a softClose that is not an object: %j', (value) => {
    expect(errorsOf(parse(newAuctionJson({ softClose: value })))).toEqual([
      { pointer: '/softClose', message: 'must be a JSON object' },
    ])
  })

  test.each([[[]], [[softClose]]])('for a softClose that is a list: %j', (value) => {
    expect(errorsOf(parse(newAuctionJson({ softClose: value })))).toEqual([
      { pointer: '/softClose', message: 'must be a JSON object' },
    ])
  })

  test('for an empty softClose', () => {
    expect(errorsOf(parse(newAuctionJson({ softClose: {} })))).toEqual(
      ['windowSeconds', 'extensionSeconds', 'latestEndTime'].map((field) => ({
        pointer: `/softClose/${field}`,
        message: 'is required',
      })),
    )
  })

  const notUsd = 'is not a valid USD amount; it must have at most 2 decimal places and be below 10^15 minor units'
  const nonNegative =
    'must be a JSON number of at least 0, with no more decimal places than the currency has, and below 10^15 minor units'
  const positive =
    'must be a JSON number above 0, with no more decimal places than the currency has, and below 10^15 minor units'
  const above = 'must be above startingPrice and reservePrice'
  test.each([
    [{ reservePrice: 99.99 }, '/reservePrice', 'must be at least startingPrice'],
    [{ reservePrice: 0 }, '/reservePrice', 'must be at least startingPrice'],
    [{ reservePrice: -1 }, '/reservePrice', nonNegative],
    [{ reservePrice: '150' }, '/reservePrice', nonNegative],
    [{ reservePrice: 150.005 }, '/reservePrice', notUsd],
    [{ reservePrice: 1e13 }, '/reservePrice', notUsd],
    [{ reservePrice: 1e15 }, '/reservePrice', nonNegative],
    [{ buyNowPrice: 100 }, '/buyNowPrice', above],
    [{ buyNowPrice: 99 }, '/buyNowPrice', above],
    [{ buyNowPrice: 200, reservePrice: 200 }, '/buyNowPrice', above],
    [{ buyNowPrice: 199.99, reservePrice: 200 }, '/buyNowPrice', above],
    [{ buyNowPrice: 0 }, '/buyNowPrice', positive],
    [{ buyNowPrice: 0, startingPrice: 0 }, '/buyNowPrice', positive],
    [{ buyNowPrice: [400] }, '/buyNowPrice', positive],
    [{ buyNowPrice: 400.005 }, '/buyNowPrice', `400.005 ${notUsd}`],
    [{ buyNowPrice: 1e13 }, '/buyNowPrice', `10000000000000 ${notUsd}`],
    [{ cancellableUntilEnd: 1 }, '/cancellableUntilEnd', 'must be true or false'],
    [{ cancellableUntilEnd: 'true' }, '/cancellableUntilEnd', 'must be true or false'],
  ])('for %j', (changed, pointer, message) => {
    expect(errorsOf(parse(newAuctionJson(changed)))).toEqual([{ pointer, message }])
  })

  test('for each invalid field once', () => {
    const changed = {
      title: '',
      softClose: { windowSeconds: '60', extensionSeconds: 0, latestEndTime: '2031-01-01T00:00:00Z' },
      reservePrice: 99,
      buyNowPrice: 100,
      cancellableUntilEnd: 0,
    }
    expect(pointers(parse(newAuctionJson(changed))).toSorted()).toEqual([
      '/buyNowPrice',
      '/cancellableUntilEnd',
      '/reservePrice',
      '/softClose/extensionSeconds',
      '/softClose/latestEndTime',
      '/softClose/windowSeconds',
      '/title',
    ])
  })

  test.each([
    ['startingPrice', { startingPrice: 'x', reservePrice: 1, buyNowPrice: 2 }, ['/startingPrice']],
    ['currency', { currency: 'x', reservePrice: 150.005, buyNowPrice: 400.005 }, ['/currency']],
    ['endTime', { endTime: 'x', softClose: { ...softClose, latestEndTime: '1999-01-01T00:00:00Z' } }, ['/endTime']],
    ['reservePrice', { reservePrice: 'x', buyNowPrice: 101 }, ['/reservePrice']],
  ])('not for a rule that depends on an invalid field: %s', (_, changed, expected) => {
    expect(pointers(parse(newAuctionJson(changed)))).toEqual(expected)
  })
})

test('an end in the past is reported in addition to an invalid soft close, which is relative to that end', () => {
  const past = { startTime: '2029-01-01T00:00:00Z', endTime: '2030-01-15T00:00:00Z' }
  const late = { ...softClose, latestEndTime: '2030-01-22T00:00:00.001Z' }
  const parsed = parse(newAuctionJson({ ...past, softClose: late }))
  expect(errorsOf(parsed)).toEqual([
    {
      pointer: '/softClose/latestEndTime',
      message: 'must be after endTime and no later than 2030-01-22T00:00:00.000Z, one week after it',
    },
    { pointer: '/endTime', message: 'must be in the future; the current time is 2030-01-15T00:00:00.000Z' },
  ])
})

describe('unknown names within softClose', () => {
  test.each([
    ['windowSecond', '/softClose/windowSecond'],
    ['WindowSeconds', '/softClose/WindowSeconds'],
    ['id', '/softClose/id'],
    ['status', '/softClose/status'],
    ['', '/softClose/'],
    ['a/b~c', '/softClose/a~1b~0c'],
    ['__proto__', '/softClose/__proto__'],
    ['constructor', '/softClose/constructor'],
    ['toString', '/softClose/toString'],
    ['x'.repeat(101), `/softClose/${'x'.repeat(100)}…`],
  ])('are refused: %j', (name, pointer) => {
    const json = JSON.stringify(newAuctionJson({ softClose: '…' })).replace(
      '"…"',
      `{"windowSeconds": 1, "extensionSeconds": 1, "latestEndTime": "2030-02-07T13:00:00Z", ${JSON.stringify(name)}: {"x": 1}}`,
    )
    expect(errorsOf(parse(JSON.parse(json)))).toEqual([
      { pointer, message: 'is not a known field; known fields are windowSeconds, extensionSeconds, latestEndTime' },
    ])
  })

  test('are reported in addition to those of the auction, and after the errors of known fields', () => {
    const parsed = parse(
      newAuctionJson({ titel: 1, ownerId: 0, softClose: { ...softClose, window: 1, windowSeconds: 0 } }),
    )
    expect(pointers(parsed)).toEqual(['/ownerId', '/softClose/windowSeconds', '/titel', '/softClose/window'])
  })

  test('are counted after the first 20', () => {
    const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field${index}`, 1]))
    const parsed = parse(newAuctionJson({ ...unknown, softClose: { ...softClose, ...unknown } }))
    expect(parsed).toMatchObject({ refusal: { moreErrors: 40 } })
    expect(pointers(parsed)).toEqual(Array.from({ length: 20 }, (_, index) => `/field${index}`))
    const nested = parse(newAuctionJson({ softClose: { ...softClose, ...unknown } }))
    expect(nested).toMatchObject({ refusal: { moreErrors: 10 } })
    expect(pointers(nested)).toEqual(Array.from({ length: 20 }, (_, index) => `/softClose/field${index}`))
  })
})

test('no error shows the amount of a reserve', () => {
  const figures = [77.777, -77_777, 77_777e11, 0.077_777, 77_777]
  for (const reservePrice of figures) {
    for (const others of [
      {},
      { startingPrice: 80_000 },
      { currency: 'JPY' },
      { currency: 'x' },
      { buyNowPrice: 101 },
    ]) {
      const faults = errorsOf(parse(newAuctionJson({ ...others, reservePrice })))
      if (reservePrice !== 77_777) expect(faults.length).toBeGreaterThan(0)
      expect(JSON.stringify(faults)).not.toContain('777')
    }
  }
})
