import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pastEndError } from '../../src/auction/auction-rules.ts'
import { toPercent } from '../../src/auction/increments.ts'
import { parseNewAuction } from '../../src/auction/new-auction.ts'
import { toCurrency } from '../../src/values/currency.ts'
import { isoOf } from '../../src/values/moment.ts'
import { type AmountMinor, toDecimal } from '../../src/values/money.ts'
import { errorsOf, newAuctionJson, pointers } from '../support.ts'

const nowMs = Date.parse('2030-01-15T00:00:00Z')
const parse = (changed?: Readonly<Record<string, unknown>>) => parseNewAuction(newAuctionJson(changed), nowMs)
const parsedFrom = (changed?: Readonly<Record<string, unknown>>) => {
  const parsed = parse(changed)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.refusal))
  return parsed.value
}

const storedName = (field: string) => (field.endsWith('Price') ? `${field}Minor` : field)
const day = '2030-02-07T12:00:00'
const endMs = Date.parse(`${day}Z`)
const softClose = { windowSeconds: 120, extensionSeconds: 300, latestEndTime: '2030-02-07T13:00:00Z' }
const membersOf = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}`, value]))
const past = { startTime: '2029-01-01T00:00:00Z', endTime: '2030-01-15T00:00:00Z' }

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
    for (let basisPoints = 1; basisPoints <= 10_000; basisPoints++) {
      expect(parsedFrom({ incrementPercent: basisPoints / 100 }).incrementBasisPoints).toBe(basisPoints)
      expect(toPercent(basisPoints)).toBe(basisPoints / 100)
    }
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

  test('returns amounts and times exactly as sent', () => {
    const anyPrices = fc.record({
      code: fc.constantFrom('JPY', 'USD', 'KWD', 'CLF'),
      startingMinor: fc.nat(1_000),
      // Near both limits of amounts.
      reserveAboveMinor: fc.oneof(fc.nat(1_000), fc.integer({ min: 1e15 - 5_000, max: 1e15 - 4_000 })),
      buyNowAboveMinor: fc.integer({ min: 1, max: 1_000 }),
    })
    const anyLatest = fc
      .record({ afterMs: fc.integer({ min: 1, max: 604_800_000 }), more: fc.stringMatching(/^[0-9]{0,6}$/) })
      .map(({ afterMs, more }) => isoOf(endMs + afterMs).replace('Z', `${more}Z`))
    fc.assert(
      fc.property(anyPrices, anyLatest, (prices, latestEndTime) => {
        const currency = toCurrency(prices.code)
        const reserveMinor = prices.startingMinor + prices.reserveAboveMinor
        const decimal = (minor: number) => minor / 10 ** currency.exponent
        const sent = {
          startingPrice: decimal(prices.startingMinor),
          reservePrice: decimal(reserveMinor),
          buyNowPrice: decimal(reserveMinor + prices.buyNowAboveMinor),
        }
        const formats = { ...sent, softClose: { ...softClose, latestEndTime } }
        const auction = parsedFrom({ ...formats, currency: currency.code, minimumBidIncrement: 1 })
        const toAmount = (minor: AmountMinor | undefined) => minor !== undefined && toDecimal(minor, currency)
        expect({
          startingPrice: toAmount(auction.startingPriceMinor),
          reservePrice: toAmount(auction.reservePriceMinor),
          buyNowPrice: toAmount(auction.buyNowPriceMinor),
        }).toStrictEqual(sent)
        const latest = { iso: latestEndTime, epochMs: Date.parse(latestEndTime) }
        expect(auction.softClose).toStrictEqual({ ...softClose, latestEndTime: latest })
      }),
    )
  })

  test('ignores read-only fields, whatever their values, so that a resource can be sent back', () => {
    const assigned = {
      ...{
        id: 'x',
        status: 7,
        timestamp: [],
        currentPrice: -1,
        minimumNextBid: null,
        maximumNextBid: 'x',
        bidCount: {},
        result: 0,
      },
      ...{ effectiveEndTime: 1, reserveMet: 'x', buyNowOffered: [], leaderId: -1, youLead: 7, yourMaximum: 'x' },
      ...{ yourPseudonym: [] },
      ...{ createdAt: 0, endedAt: {}, correctedAt: false, repairCount: 'x' },
    }
    expect(parse(assigned)).toStrictEqual(parse())
  })

  const week = 604_800
  test.each<{ readonly title: string; readonly sent: Readonly<Record<string, unknown>> }>([
    { title: 'largest ids', sent: { productId: Number.MAX_SAFE_INTEGER, ownerId: Number.MAX_SAFE_INTEGER } },
    { title: 'a starting price of nothing', sent: { startingPrice: 0 } },
    {
      title: 'largest amounts',
      sent: { startingPrice: 9_999_999_999_999.99, minimumBidIncrement: 9_999_999_999_999.99 },
    },
    { title: 'a title of 200 emoji', sent: { title: '🏺'.repeat(200) } },
    { title: 'a description of 10000 emoji', sent: { description: '🏺'.repeat(10_000) } },
    { title: 'a start in the past', sent: { startTime: '1999-12-31T23:59:59Z' } },
    { title: 'a duration of a millisecond', sent: { startTime: '2030-02-07T11:59:59.999Z' } },
    { title: 'an end a millisecond from now', sent: { ...past, endTime: '2030-01-15T00:00:00.001Z' } },
    { title: 'a reserve at the starting price', sent: { reservePrice: 100 } },
    { title: 'a reserve of nothing', sent: { startingPrice: 0, reservePrice: 0 } },
    { title: 'a buy-now price just above the starting price', sent: { buyNowPrice: 100.01 } },
    { title: 'a buy-now price just above the reserve', sent: { reservePrice: 200, buyNowPrice: 200.01 } },
    { title: 'seconds of 1', sent: { softClose: { ...softClose, windowSeconds: 1, extensionSeconds: 1 } } },
    { title: 'seconds of a week', sent: { softClose: { ...softClose, windowSeconds: week, extensionSeconds: week } } },
    { title: 'metadata with every character of names', sent: { metadata: { 'Az09_.-': '', constructor: 'x' } } },
    { title: 'metadata with the longest name and value', sent: { metadata: { ['n'.repeat(40)]: '🏺'.repeat(500) } } },
    { title: 'metadata with 20 members', sent: { metadata: membersOf(20, 'x') } },
    { title: 'metadata of 4 KiB', sent: { metadata: { ...membersOf(8, 'x'.repeat(500)), rest: 'é'.repeat(42) } } },
    { title: 'a latest end a millisecond later', sent: { softClose: { ...softClose, latestEndTime: `${day}.001Z` } } },
    {
      title: 'a latest end a week later',
      sent: { softClose: { ...softClose, latestEndTime: '2030-02-14T12:00:00Z' } },
    },
  ])('may have $title', ({ sent }) => {
    expect(errorsOf(parse(sent))).toEqual([])
  })
})

describe('a new auction is refused', () => {
  test.each(['productId', 'ownerId', 'startingPrice', 'minimumBidIncrement', 'currency', 'startTime', 'endTime'])(
    'without %s',
    (field) => {
      expect(errorsOf(parse({ [field]: undefined }))).toEqual([{ pointer: `/${field}`, message: 'is required' }])
      expect(pointers(parse({ [field]: null }))).toEqual([`/${field}`])
    },
  )

  const id = 'must be an integer from 1 to 9007199254740991'
  const title = 'must be a string of 1 to 200 characters'
  const description = 'must be a string of up to 10000 characters'
  const unicode = 'must be well-formed Unicode'
  const price = 'no more decimal places than the currency has, and below 10^15 minor units'
  const nonNegative = `must be a JSON number of at least 0, with ${price}`
  const positive = `must be a JSON number above 0, with ${price}`
  const notUsd = 'is not a valid USD amount; it must have at most 2 decimal places and be below 10^15 minor units'
  const moment = 'must be a valid UTC date-time'
  const after = 'must be at least 1 millisecond after startTime'
  const above = 'must be above startingPrice and reservePrice'
  test.each<{ readonly sent: Readonly<Record<string, unknown>>; readonly at: string; readonly message: string }>([
    { sent: { productId: '1' }, at: '/productId', message: id },
    { sent: { ownerId: 0 }, at: '/ownerId', message: id },
    { sent: { title: '' }, at: '/title', message: title },
    { sent: { title: '🏺'.repeat(201) }, at: '/title', message: title },
    { sent: { title: 'lone \ud83c' }, at: '/title', message: unicode },
    { sent: { title: '\ud83c'.repeat(201) }, at: '/title', message: title },
    { sent: { title: ['A vase'] }, at: '/title', message: title },
    { sent: { description: 7 }, at: '/description', message: description },
    { sent: { description: 'x'.repeat(10_001) }, at: '/description', message: description },
    { sent: { description: 'lone \udffa' }, at: '/description', message: unicode },
    { sent: { startingPrice: -0.01 }, at: '/startingPrice', message: nonNegative },
    { sent: { startingPrice: 0.001 }, at: '/startingPrice', message: `0.001 ${notUsd}` },
    { sent: { minimumBidIncrement: 0 }, at: '/minimumBidIncrement', message: positive },
    { sent: { minimumBidIncrement: 1e13 }, at: '/minimumBidIncrement', message: `10000000000000 ${notUsd}` },
    { sent: { currency: 'usd' }, at: '/currency', message: 'ISO 4217' },
    { sent: { startTime: '2030-01-31' }, at: '/startTime', message: moment },
    { sent: { endTime: 'tomorrow' }, at: '/endTime', message: moment },
    { sent: { endTime: '2030-01-31T11:59:59Z' }, at: '/endTime', message: after },
    { sent: { endTime: '2030-01-31T12:00:00.000999999Z' }, at: '/endTime', message: after },
    { sent: { reservePrice: 99.99 }, at: '/reservePrice', message: 'must be at least startingPrice' },
    { sent: { reservePrice: -1 }, at: '/reservePrice', message: nonNegative },
    { sent: { reservePrice: 150.005 }, at: '/reservePrice', message: notUsd },
    { sent: { reservePrice: 1e13 }, at: '/reservePrice', message: notUsd },
    { sent: { buyNowPrice: 100 }, at: '/buyNowPrice', message: above },
    { sent: { buyNowPrice: 200, reservePrice: 200 }, at: '/buyNowPrice', message: above },
    { sent: { buyNowPrice: 99, reservePrice: 200 }, at: '/buyNowPrice', message: above },
    { sent: { buyNowPrice: 0, startingPrice: 0 }, at: '/buyNowPrice', message: positive },
    { sent: { buyNowPrice: 400.005 }, at: '/buyNowPrice', message: `400.005 ${notUsd}` },
    { sent: { cancellableUntilEnd: 'true' }, at: '/cancellableUntilEnd', message: 'must be true or false' },
    ...['x', ['x'], true].map((metadata) => ({
      sent: { metadata },
      at: '/metadata',
      message: 'must be a JSON object',
    })),
    ...['x', 7].map((value) => ({
      sent: { metadata: membersOf(21, value) },
      ...{ at: '/metadata', message: 'must have at most 20 members' },
    })),
    {
      sent: { metadata: { ...membersOf(8, 'x'.repeat(500)), rest: `${'é'.repeat(42)}x` } },
      ...{ at: '/metadata', message: 'must have at most 4096 bytes of names and values in UTF-8' },
    },
    ...['', 'n'.repeat(41), 'a b', 'é', '__proto__'].map((name) => ({
      // `__proto__` has to be an own member.
      sent: { metadata: JSON.parse(`{${JSON.stringify(name)}: "x"}`) },
      ...{ at: `/metadata/${name}`, message: 'must have a name of 1 to 40 characters' },
    })),
    ...['x'.repeat(501), 7, null, ['x']].map((value) => ({
      sent: { metadata: { color: value } },
      ...{ at: '/metadata/color', message: 'must be a string of up to 500 characters' },
    })),
    { sent: { metadata: { color: 'lone \ud83c' } }, at: '/metadata/color', message: 'well-formed Unicode' },
    { sent: { softClose: 7 }, at: '/softClose', message: 'must be a JSON object' },
    { sent: { softClose: true }, at: '/softClose', message: 'must be a JSON object' },
    { sent: { softClose: [softClose] }, at: '/softClose', message: 'must be a JSON object' },
  ])('with one error for $sent', ({ sent, at, message }) => {
    expect(errorsOf(parse(sent))).toEqual([{ pointer: at, message: expect.stringContaining(message) }])
  })

  const step = (fromPrice: unknown, increment: unknown) => ({ fromPrice, increment })
  const percent = 'must be a number from 0.01 to 100, with at most two decimal places'
  test.each([
    ...[
      [],
      {},
      'text',
      7,
      Array.from({ length: 21 }, (_, index) => step(index + 1, 5)),
      Array.from({ length: 21 }, () => ({})),
    ].map((incrementSteps) => ({
      sent: { incrementSteps },
      ...{ at: '/incrementSteps', message: 'must be an array of 1 to 20 steps' },
    })),
    ...[7, null, []].map((wrong) => ({
      sent: { incrementSteps: [step(1, 5), wrong] },
      ...{ at: '/incrementSteps/1', message: 'must be a JSON object' },
    })),
    ...[-1, '5'].map((wrong) => ({
      sent: { incrementSteps: [step(wrong, 5)] },
      ...{ at: '/incrementSteps/0/fromPrice', message: 'must be a JSON number of at least 0' },
    })),
    { sent: { incrementSteps: [step(1, 0)] }, at: '/incrementSteps/0/increment', message: 'must be a JSON number' },
    { sent: { incrementSteps: [{ increment: 5 }] }, at: '/incrementSteps/0/fromPrice', message: 'is required' },
    {
      sent: { incrementSteps: [step(1, 5), { ...step(2, 5), to: 3 }] },
      ...{ at: '/incrementSteps/1/to', message: 'is not a known field; known fields are fromPrice, increment' },
    },
    {
      sent: { incrementSteps: [step(1.005, 5)] },
      at: '/incrementSteps/0/fromPrice',
      message: 'not a valid USD amount',
    },
    {
      sent: { incrementSteps: [step(1, 5), step(2, 5.005)] },
      ...{ at: '/incrementSteps/1/increment', message: '5.005 is not a valid USD amount' },
    },
    {
      sent: { incrementSteps: [step(0, 5), step(0, 6)] },
      ...{ at: '/incrementSteps/1/fromPrice', message: 'must be above the fromPrice of the step before' },
    },
    {
      sent: { incrementSteps: [step(2, 5), step(3, 6), step(3, 7)] },
      ...{ at: '/incrementSteps/2/fromPrice', message: 'must be above the fromPrice of the step before' },
    },
    {
      sent: { incrementSteps: [step(2, 5), step(3, 6), step(4, 5.99)] },
      ...{ at: '/incrementSteps/2/increment', message: 'must be at least the increment of the step before' },
    },
    {
      sent: { incrementSteps: [step(0, 4.99)] },
      ...{ at: '/incrementSteps/0/increment', message: 'must be at least minimumBidIncrement' },
    },
    ...[0, -5, 0.001, 2.555, 100.01, '5'].map((incrementPercent) => ({
      ...{ sent: { incrementPercent }, at: '/incrementPercent', message: percent },
    })),
    {
      sent: { incrementPercent: 5, incrementSteps: [step(1, 5)] },
      ...{ at: '/incrementPercent', message: 'must not be sent together with incrementSteps' },
    },
    { sent: { maximumBidIncrement: 0 }, at: '/maximumBidIncrement', message: 'must be a JSON number above 0' },
    { sent: { maximumBidIncrement: 5.005 }, at: '/maximumBidIncrement', message: '5.005 is not a valid USD amount' },
    { sent: { maximumBidIncrement: 4.99 }, at: '/maximumBidIncrement', message: 'at least 5, the largest increment' },
    {
      sent: { maximumBidIncrement: 7, incrementSteps: [step(1, 6), step(1e12, 7.5)] },
      ...{ at: '/maximumBidIncrement', message: 'must be at least 7.5, the largest increment' },
    },
    {
      sent: { maximumBidIncrement: 7.5, incrementPercent: 7.51 },
      ...{ at: '/maximumBidIncrement', message: 'must be at least 7.51, the increment at startingPrice' },
    },
    {
      sent: { maximumBidIncrement: 4.99, incrementPercent: 1 },
      ...{ at: '/maximumBidIncrement', message: 'must be at least 5, the increment at startingPrice' },
    },
  ])('with one error for increments such as $sent', ({ sent, at, message }) => {
    expect(errorsOf(parse(sent))).toEqual([{ pointer: at, message: expect.stringContaining(message) }])
  })

  const seconds = 'must be an integer from 1 to 604800, in seconds'
  const latest = 'must be after endTime and no later than 2030-02-14T12:00:00.000Z, one week after it'
  test.each([
    ...[0, 604_801, 1.5, '60', null].map((value) => ({ field: 'windowSeconds', value, message: seconds })),
    ...[0, 604_801, true].map((value) => ({ field: 'extensionSeconds', value, message: seconds })),
    { field: 'latestEndTime', value: `${day}Z`, message: latest },
    { field: 'latestEndTime', value: `${day}.000999999Z`, message: latest },
    { field: 'latestEndTime', value: '2030-02-14T12:00:00.001Z', message: latest },
    { field: 'latestEndTime', value: '2030-02-30T12:00:00Z', message: moment },
    ...Object.keys(softClose).map((field) => ({ field, value: undefined, message: 'is required' })),
  ])('with one error for a softClose/$field of $value', ({ field, value, message }) => {
    const errors = errorsOf(parse({ softClose: { ...softClose, [field]: value } }))
    expect(errors).toEqual([{ pointer: `/softClose/${field}`, message: expect.stringContaining(message) }])
  })

  test.each([null, undefined, [], [newAuctionJson()], 'text', 7, true])('if it is %j, not an object', (input) => {
    expect(errorsOf(parseNewAuction(input, nowMs))).toEqual([{ pointer: '', message: 'must be a JSON object' }])
  })

  test('with all of its errors, once per field, in the order of the fields', () => {
    const wrong = {
      ...{ productId: '7', ownerId: 0, title: '', description: 7, startingPrice: -1, minimumBidIncrement: 0 },
      ...{ currency: 'usd', startTime: 'today', endTime: 'tomorrow', softClose: {}, reservePrice: '1' },
      ...{ buyNowPrice: [1], cancellableUntilEnd: 0, incrementSteps: [], incrementPercent: 0, maximumBidIncrement: 0 },
      metadata: 'blue',
    }
    const { softClose: _, ...others } = wrong
    const inSoftClose = Object.keys(softClose).map((field) => `softClose/${field}`)
    const fields = Object.keys(wrong).flatMap((field) => (field === 'softClose' ? inSoftClose : [field]))
    expect(pointers(parse({ ...wrong, titel: 1 }))).toEqual([...fields, 'titel'].map((field) => `/${field}`))
    expect(pointers(parse(others))).toHaveLength(Object.keys(others).length)
  })

  test.each([
    {
      title: 'amounts that are not exact',
      sent: { currency: 'JPY', startingPrice: 0.5, minimumBidIncrement: 0.25, title: '', ownerId: 0 },
      expected: ['/ownerId', '/title', '/startingPrice', '/minimumBidIncrement'],
    },
    {
      title: 'an end before the start',
      sent: { endTime: '2030-01-31T12:00:00Z', currency: 'usd', extra: 1 },
      expected: ['/currency', '/endTime', '/extra'],
    },
    {
      title: 'a latest end that is too late',
      sent: { softClose: { ...softClose, windowSeconds: 0, latestEndTime: '2031-01-01T00:00:00Z' }, title: '' },
      expected: ['/title', '/softClose/windowSeconds', '/softClose/latestEndTime'],
    },
    {
      title: 'steps that fall',
      sent: { incrementSteps: [step(2, 4), step(1.005, 3)], currency: 'USD', ownerId: 0 },
      expected: [
        '/ownerId',
        '/incrementSteps/0/increment',
        '/incrementSteps/1/fromPrice',
        '/incrementSteps/1/increment',
      ],
    },
  ])('with $title in addition to other errors', ({ sent, expected }) => {
    expect(pointers(parse(sent))).toEqual(expected)
  })

  test.each([
    { on: 'startingPrice', sent: { startingPrice: 'x', reservePrice: 1, buyNowPrice: 2 } },
    { on: 'currency', sent: { currency: 'x', reservePrice: 150.005, buyNowPrice: 400.005 } },
    { on: 'endTime', sent: { endTime: 'x', softClose: { ...softClose, latestEndTime: '1999-01-01T00:00:00Z' } } },
    { on: 'reservePrice', sent: { reservePrice: 'x', buyNowPrice: 101 } },
    { on: 'startingPrice', sent: { startingPrice: 'x', incrementPercent: 90, maximumBidIncrement: 5 } },
    {
      on: 'minimumBidIncrement',
      sent: { minimumBidIncrement: 0, incrementSteps: [step(1, 1)], maximumBidIncrement: 1 },
    },
    { on: 'currency', sent: { currency: 'x', incrementSteps: [step(1.005, 5)], maximumBidIncrement: 5.005 } },
  ])('not for a rule that depends on an invalid $on', ({ on, sent }) => {
    expect(pointers(parse(sent))).toEqual([`/${on}`])
  })

  test.each([{}, { startingPrice: 80_000 }, { currency: 'JPY' }, { currency: 'x' }, { buyNowPrice: 101 }])(
    'without the amount of its reserve in an error: %j',
    (others) => {
      for (const reservePrice of [77.777, -77_777, 77_777e11, 0.077_777, 77_777]) {
        const errors = errorsOf(parse({ ...others, reservePrice }))
        if (reservePrice !== 77_777) expect(errors.length).toBeGreaterThan(0)
        expect(JSON.stringify(errors)).not.toContain('777')
      }
    },
  )
})

describe('an end in the past', () => {
  const passed = { pointer: '/endTime', message: 'must be in the future; the current time is 2030-01-15T00:00:00.000Z' }

  test('alone is checked in the use case, which can identify a retry', () => {
    expect(parse(past).ok).toBe(true)
  })

  test('is reported with other errors, after those of known fields', () => {
    const late = { ...softClose, latestEndTime: '2030-01-22T00:00:00.001Z' }
    const message = 'must be after endTime and no later than 2030-01-22T00:00:00.000Z, one week after it'
    expect(errorsOf(parse({ ...past, softClose: late }))).toEqual([
      { pointer: '/softClose/latestEndTime', message },
      passed,
    ])
    expect(pointers(parse({ ...past, extra: 0 }))).toEqual(['/endTime', '/extra'])
  })

  test('is reported before any number of unknown fields', () => {
    const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field${index}`, 1]))
    const parsed = parse({ ...unknown, ...past })
    expect(pointers(parsed).slice(0, 2)).toEqual(['/endTime', '/field0'])
    expect(parsed).toMatchObject({ refusal: { moreErrors: 11 } })
  })

  test('is reported once if the end is invalid itself', () => {
    const sent = { ...past, endTime: '2028-01-01T00:00:00Z', ownerId: 0 }
    expect(pointers(parse(sent))).toEqual(['/ownerId', '/endTime'])
  })

  test.each([
    { distanceMs: 0, error: passed },
    { distanceMs: 1, error: undefined },
  ])('is detected to the millisecond: $distanceMs ms from now', ({ distanceMs, error }) => {
    expect(pastEndError({ iso: 'as it was written', epochMs: nowMs + distanceMs }, nowMs)).toEqual(error)
  })
})

describe('unknown names within softClose', () => {
  test.each([
    { name: 'windowSecond', pointer: '/softClose/windowSecond' },
    { name: 'status', pointer: '/softClose/status' },
    { name: 'a/b~c', pointer: '/softClose/a~1b~0c' },
    { name: '__proto__', pointer: '/softClose/__proto__' },
    { name: 'x'.repeat(101), pointer: `/softClose/${'x'.repeat(100)}…` },
  ])('are refused: $name', ({ name, pointer }) => {
    const json = JSON.stringify(softClose).replace('}', `, ${JSON.stringify(name)}: {"x": 1}}`)
    const message = 'is not a known field; known fields are windowSeconds, extensionSeconds, latestEndTime'
    expect(errorsOf(parse({ softClose: JSON.parse(json) }))).toEqual([{ pointer, message }])
  })

  test('are reported after the errors of known fields and the unknown names of the auction', () => {
    const sent = { titel: 1, ownerId: 0, softClose: { ...softClose, window: 1, windowSeconds: 0 } }
    expect(pointers(parse(sent))).toEqual(['/ownerId', '/softClose/windowSeconds', '/titel', '/softClose/window'])
  })

  test('are counted after the first 20', () => {
    const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field${index}`, 1]))
    const parsed = parse({ ...unknown, softClose: { ...softClose, ...unknown } })
    expect(parsed).toMatchObject({ refusal: { moreErrors: 40 } })
    expect(pointers(parsed)).toEqual(Array.from({ length: 20 }, (_, index) => `/field${index}`))
  })
})
