import { describe, expect, test } from 'vitest'
import { parseNewBid } from '../../src/auction/bid.ts'
import { errorsOf, newBidJson, pointers } from '../support.ts'

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
    expect(parseNewBid(newBidJson({ maximumAmount }))).toStrictEqual({
      ok: true,
      value: { auctionId: 1, bidderId: 2, amount: 100, maximumAmount },
    })
  })

  test('has no maximum if it is null', () => {
    expect(parseNewBid(newBidJson({ maximumAmount: null }))).toStrictEqual(parseNewBid(newBidJson()))
  })

  test.each([99.99, 1])('is refused for a maximum below its amount: %d', (maximumAmount) => {
    expect(errorsOf(parseNewBid(newBidJson({ maximumAmount })))).toEqual([
      { pointer: '/maximumAmount', message: 'must be at least amount' },
    ])
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

  test('is refused for an amount that is not a number, whatever the other fields', () => {
    expect(pointers(parseNewBid({ auctionId: 1, bidderId: 2, amount: Number.NaN }))).toEqual(['/amount'])
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
