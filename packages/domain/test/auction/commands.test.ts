import { describe, expect, test } from 'vitest'
import { parseNewBid } from '../../src/auction/bid.ts'
import { parseCancellation } from '../../src/auction/commands.ts'
import { parseCorrection } from '../../src/auction/correction.ts'
import { parsePurchase } from '../../src/auction/offers.ts'
import { errorsOf, newBidJson, pointers } from '../support.ts'

describe('a correction', () => {
  test.each([
    { title: 'x' },
    { description: '' },
    { title: null },
    { title: '😀'.repeat(200), description: '😀'.repeat(10_000) },
    { title: null, description: null },
  ])('is parsed from %j', (input) => {
    expect(parseCorrection(input)).toStrictEqual({ ok: true, value: input })
  })

  test('is parsed with any field of a new auction, except those that cannot be corrected', () => {
    const endTime = { iso: '2030-02-07T12:00:00Z', epochMs: Date.parse('2030-02-07T12:00:00Z') }
    const input = {
      ...{ startingPrice: 0, minimumBidIncrement: 0.5, startTime: endTime.iso, endTime: endTime.iso, softClose: null },
      ...{ reservePrice: 1, buyNowPrice: null, cancellableUntilEnd: null, maximumBidIncrement: null },
      ...{ incrementSteps: [{ fromPrice: 1, increment: 2 }], incrementPercent: null },
      metadata: { color: null, size: '' },
    }
    expect(parseCorrection(input)).toStrictEqual({ ok: true, value: { ...input, startTime: endTime, endTime } })
  })

  test.each([
    { input: undefined, at: [''] },
    { input: null, at: [''] },
    { input: ['x'], at: [''] },
    { input: { title: '' }, at: ['/title'] },
    { input: { title: 'x'.repeat(201) }, at: ['/title'] },
    { input: { title: '\ud800', description: 'x'.repeat(10_001) }, at: ['/title', '/description'] },
    { input: { description: 7 }, at: ['/description'] },
    { input: { title: 'x', ownerId: 1, currency: 'USD', productId: 7 }, at: ['/ownerId', '/currency', '/productId'] },
    {
      input: { startingPrice: null, minimumBidIncrement: 0, startTime: null },
      at: ['/startingPrice', '/minimumBidIncrement', '/startTime'],
    },
    {
      input: { softClose: { windowSeconds: 1, windowMinutes: 1 } },
      at: ['/softClose/extensionSeconds', '/softClose/latestEndTime', '/softClose/windowMinutes'],
    },
    { input: { softClose: [] }, at: ['/softClose'] },
    { input: { metadata: { 'a b': 'x', color: 7 } }, at: ['/metadata/a b', '/metadata/color'] },
    { input: { metadata: 'x', incrementSteps: [] }, at: ['/incrementSteps', '/metadata'] },
  ])('is refused for $input', ({ input, at }) => {
    expect(pointers(parseCorrection(input))).toEqual(at)
  })

  test.each([
    { count: 40, errors: [] },
    { count: 41, errors: [{ pointer: '/metadata', message: 'must have at most 40 members' }] },
  ])('of $count members of metadata has $errors.length errors', ({ count, errors }) => {
    const members = Array.from({ length: count }, (_, index) => [`name-${index}`, null])
    const parsed = parseCorrection({ metadata: Object.fromEntries(members) })
    expect(parsed.ok ? [] : errorsOf(parsed)).toEqual(errors)
  })

  test('states what it needs if it is empty', () => {
    const message = 'must contain at least one field of an auction'
    expect(errorsOf(parseCorrection({}))).toEqual([{ pointer: '', message }])
  })
})

describe('a cancellation', () => {
  test.each([
    { input: {}, value: {} },
    { input: { reason: null }, value: {} },
    { input: { reason: '😀'.repeat(500) }, value: { reason: '😀'.repeat(500) } },
  ])('is parsed from $input', ({ input, value }) => {
    expect(parseCancellation(input)).toStrictEqual({ ok: true, value })
  })

  test.each([
    ...[undefined, [], 'lost'].map((input) => ({ input, at: [''] })),
    ...['', 'x'.repeat(501), '\ud800'].map((reason) => ({ input: { reason }, at: ['/reason'] })),
    { input: { reason: 1, status: 'Cancelled' }, at: ['/reason', '/status'] },
  ])('is refused for $input', ({ input, at }) => {
    expect(pointers(parseCancellation(input))).toEqual(at)
  })
})

describe('a purchase', () => {
  test('has a buyer', () => {
    for (const input of [{ buyerId: 3 }, { buyerId: 3, atMost: null }])
      expect(parsePurchase(input)).toStrictEqual({ ok: true, value: { buyerId: 3 } })
  })

  test('may have the most that the buyer pays', () => {
    expect(parsePurchase({ buyerId: 3, atMost: 9.5 })).toStrictEqual({ ok: true, value: { buyerId: 3, atMost: 9.5 } })
  })

  test.each([
    ...[undefined, [3]].map((input) => ({ input, at: [''] })),
    ...[undefined, '3', 0].map((buyerId) => ({ input: { buyerId }, at: ['/buyerId'] })),
    { input: { buyerId: 3, price: 500 }, at: ['/price'] },
    ...['9', -1, 1e15].map((atMost) => ({ input: { buyerId: 3, atMost }, at: ['/atMost'] })),
  ])('is refused for $input', ({ input, at }) => {
    expect(pointers(parsePurchase(input))).toEqual(at)
  })
})

describe('a new bid', () => {
  test('is parsed', () => {
    expect(parseNewBid(newBidJson({ amount: 100.25 }))).toStrictEqual({
      ok: true,
      value: { auctionId: 1, bidderId: 2, amount: 100.25 },
    })
  })

  test('ignores read-only fields', () => {
    const assigned = { id: 'x', timestamp: 7, status: null, automatic: true, raisesMaximum: true }
    expect(parseNewBid(newBidJson(assigned))).toStrictEqual(parseNewBid(newBidJson()))
  })

  test.each([100, 100.01, 1e15 - 1])('may have a maximum of its amount or more: %d', (maximumAmount) => {
    const { value } = parseNewBid(newBidJson({ maximumAmount })) as { readonly value?: unknown }
    expect(value).toStrictEqual({ auctionId: 1, bidderId: 2, amount: 100, maximumAmount })
  })

  test('has no maximum if it is null, and none below its amount', () => {
    expect(parseNewBid(newBidJson({ maximumAmount: null }))).toStrictEqual(parseNewBid(newBidJson()))
    const errors = [{ pointer: '/maximumAmount', message: 'must be at least amount' }]
    expect(errorsOf(parseNewBid(newBidJson({ maximumAmount: 99.99 })))).toEqual(errors)
  })

  test('is refused with one error for an invalid maximum, and with none for a maximum that depends on an invalid amount', () => {
    const rule =
      'must be a JSON number above 0, with no more decimal places than the currency has, and below 10^15 minor units'
    expect(errorsOf(parseNewBid(newBidJson({ maximumAmount: -1 })))).toEqual([
      { pointer: '/maximumAmount', message: rule },
    ])
    expect(pointers(parseNewBid(newBidJson({ amount: '100', maximumAmount: 1 })))).toEqual(['/amount'])
    expect(pointers(parseNewBid(newBidJson({ amount: '100', maximumAmount: '1' })))).toEqual([
      '/amount',
      '/maximumAmount',
    ])
  })

  test.each([
    { field: 'auctionId', value: '1' },
    { field: 'auctionId', value: null },
    { field: 'bidderId', value: 0 },
    { field: 'amount', value: 0 },
    { field: 'amount', value: null },
    { field: 'amount', value: 1e15 },
    { field: 'maximumAmount', value: 0 },
    { field: 'maximumAmount', value: '200' },
  ])('is refused for an invalid $field: $value', ({ field, value }) => {
    expect(pointers(parseNewBid(newBidJson({ [field]: value })))).toEqual([`/${field}`])
  })

  test('is refused with all missing fields', () => {
    expect(errorsOf(parseNewBid({}))).toEqual(
      ['/auctionId', '/bidderId', '/amount'].map((pointer) => ({ pointer, message: 'is required' })),
    )
  })

  test.each([null, undefined, [], 'text', 7, true])('must be an object, not %j', (input) => {
    expect(errorsOf(parseNewBid(input))).toEqual([{ pointer: '', message: 'must be a JSON object' }])
  })
})
