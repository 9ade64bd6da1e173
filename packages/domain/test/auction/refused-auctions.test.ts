import { describe, expect, test } from 'vitest'
import { parseNewAuction } from '../../src/auction/new-auction.ts'
import { pastEndError } from '../../src/auction/rules.ts'
import { errorsOf, membersOf, newAuctionJson, parseChanged, parsedAtMs, past, pointers } from '../support.ts'

const day = '2030-02-07T12:00:00'
const softClose = { windowSeconds: 120, extensionSeconds: 300, latestEndTime: '2030-02-07T13:00:00Z' }

describe('a new auction is refused', () => {
  test.each(['closed', 'English', '', 1, {}, 'constructor'])(
    'with the unknown format %j, which names those that are known',
    (format) => {
      expect(errorsOf(parseChanged({ format, minimumBidIncrement: undefined, falling: {} }))).toStrictEqual([
        { pointer: '/format', message: 'must be english, sealed or falling' },
      ])
    },
  )

  test.each(['productId', 'ownerId', 'startingPrice', 'minimumBidIncrement', 'currency', 'startTime', 'endTime'])(
    'without %s',
    (field) => {
      expect(errorsOf(parseChanged({ [field]: undefined }))).toEqual([{ pointer: `/${field}`, message: 'is required' }])
      expect(pointers(parseChanged({ [field]: null }))).toEqual([`/${field}`])
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
    { sent: { description: 7 }, at: '/description', message: description },
    { sent: { description: 'x'.repeat(10_001) }, at: '/description', message: description },
    { sent: { startingPrice: -0.01 }, at: '/startingPrice', message: nonNegative },
    { sent: { startingPrice: 0.001 }, at: '/startingPrice', message: `0.001 ${notUsd}` },
    { sent: { minimumBidIncrement: 0 }, at: '/minimumBidIncrement', message: positive },
    { sent: { minimumBidIncrement: 1e13 }, at: '/minimumBidIncrement', message: `10000000000000 ${notUsd}` },
    { sent: { currency: 'usd' }, at: '/currency', message: 'ISO 4217' },
    { sent: { endTime: 'tomorrow' }, at: '/endTime', message: moment },
    { sent: { endTime: '2030-01-31T11:59:59Z' }, at: '/endTime', message: after },
    { sent: { endTime: '2030-01-31T12:00:00.000999999Z' }, at: '/endTime', message: after },
    { sent: { reservePrice: 99.99 }, at: '/reservePrice', message: 'must be at least startingPrice' },
    { sent: { reservePrice: 150.005 }, at: '/reservePrice', message: notUsd },
    { sent: { buyNowPrice: 100 }, at: '/buyNowPrice', message: above },
    { sent: { buyNowPrice: 200, reservePrice: 200 }, at: '/buyNowPrice', message: above },
    { sent: { buyNowPrice: 0, startingPrice: 0 }, at: '/buyNowPrice', message: positive },
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
    { sent: { softClose: 7 }, at: '/softClose', message: 'must be a JSON object' },
    { sent: { softClose: [softClose] }, at: '/softClose', message: 'must be a JSON object' },
  ])('with one error for $sent', ({ sent, at, message }) => {
    expect(errorsOf(parseChanged(sent))).toEqual([{ pointer: at, message: expect.stringContaining(message) }])
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
    { sent: { maximumBidIncrement: 4.99 }, at: '/maximumBidIncrement', message: 'at least 5, the largest increment' },
    {
      sent: { maximumBidIncrement: 7.5, incrementPercent: 7.51 },
      ...{ at: '/maximumBidIncrement', message: 'must be at least 7.51, the increment at startingPrice' },
    },
  ])('with one error for increments such as $sent', ({ sent, at, message }) => {
    expect(errorsOf(parseChanged(sent))).toEqual([{ pointer: at, message: expect.stringContaining(message) }])
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
    const errors = errorsOf(parseChanged({ softClose: { ...softClose, [field]: value } }))
    expect(errors).toEqual([{ pointer: `/softClose/${field}`, message: expect.stringContaining(message) }])
  })

  test.each([null, undefined, [], [newAuctionJson()], 'text', 7, true])('if it is %j, not an object', (input) => {
    expect(errorsOf(parseNewAuction(input, parsedAtMs))).toEqual([{ pointer: '', message: 'must be a JSON object' }])
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
    expect(pointers(parseChanged({ ...wrong, titel: 1 }))).toEqual([...fields, 'titel'].map((field) => `/${field}`))
    expect(pointers(parseChanged(others))).toHaveLength(Object.keys(others).length)
  })

  test.each([
    {
      title: 'unknown names and a latest end that is too late',
      sent: { titel: 1, softClose: { ...softClose, windowSeconds: 0, latestEndTime: '2031-01-01T00:00:00Z', x: 1 } },
      expected: ['/softClose/windowSeconds', '/softClose/latestEndTime', '/titel', '/softClose/x'],
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
    expect(pointers(parseChanged(sent))).toEqual(expected)
  })

  test.each([
    { on: 'currency', sent: { currency: 'x', reservePrice: 150.005, buyNowPrice: 400.005 } },
    { on: 'endTime', sent: { endTime: 'x', softClose: { ...softClose, latestEndTime: '1999-01-01T00:00:00Z' } } },
    { on: 'startingPrice', sent: { startingPrice: 'x', incrementPercent: 90, maximumBidIncrement: 5 } },
    {
      on: 'minimumBidIncrement',
      sent: { minimumBidIncrement: 0, incrementSteps: [step(1, 1)], maximumBidIncrement: 1 },
    },
    { on: 'currency', sent: { currency: 'x', incrementSteps: [step(1.005, 5)], maximumBidIncrement: 5.005 } },
  ])('not for a rule that depends on an invalid $on', ({ on, sent }) => {
    expect(pointers(parseChanged(sent))).toEqual([`/${on}`])
  })

  test.each([{}, { startingPrice: 80_000 }, { currency: 'JPY' }, { currency: 'x' }, { buyNowPrice: 101 }])(
    'without the amount of its reserve in an error: %j',
    (others) => {
      for (const reservePrice of [77.777, -77_777, 77_777e11, 0.077_777, 77_777]) {
        const errors = errorsOf(parseChanged({ ...others, reservePrice }))
        if (reservePrice !== 77_777) expect(errors.length).toBeGreaterThan(0)
        expect(JSON.stringify(errors)).not.toContain('777')
      }
    },
  )
})

describe('an end in the past', () => {
  const passed = { pointer: '/endTime', message: 'must be in the future; the current time is 2030-01-15T00:00:00.000Z' }

  test('is reported with other errors, after those of known fields', () => {
    const late = { ...softClose, latestEndTime: '2030-01-22T00:00:00.001Z' }
    const message = 'must be after endTime and no later than 2030-01-22T00:00:00.000Z, one week after it'
    expect(errorsOf(parseChanged({ ...past, softClose: late }))).toEqual([
      { pointer: '/softClose/latestEndTime', message },
      passed,
    ])
    expect(pointers(parseChanged({ ...past, extra: 0 }))).toEqual(['/endTime', '/extra'])
    // Alone, it is checked in the use case, which can identify a retry.
    expect(parseChanged(past).ok).toBe(true)
  })

  test.each([
    { distanceMs: 0, error: passed },
    { distanceMs: 1, error: undefined },
  ])('is detected to the millisecond: $distanceMs ms from now', ({ distanceMs, error }) => {
    expect(pastEndError({ iso: 'as it was written', epochMs: parsedAtMs + distanceMs }, parsedAtMs)).toEqual(error)
  })
})

describe('unknown names within softClose', () => {
  test.each([
    { name: 'windowSecond', pointer: '/softClose/windowSecond' },
    { name: 'a/b~c', pointer: '/softClose/a~1b~0c' },
    { name: '__proto__', pointer: '/softClose/__proto__' },
  ])('are refused: $name', ({ name, pointer }) => {
    const json = JSON.stringify(softClose).replace('}', `, ${JSON.stringify(name)}: {"x": 1}}`)
    const message = 'is not a known field; known fields are windowSeconds, extensionSeconds, latestEndTime'
    expect(errorsOf(parseChanged({ softClose: JSON.parse(json) }))).toEqual([{ pointer, message }])
  })
})
