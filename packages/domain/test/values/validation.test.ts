import { describe, expect, test } from 'vitest'
import { parseNewBid } from '../../src/auction/bid.ts'
import { accepted, refused } from '../../src/values/result.ts'
import { allErrorsOf, pointerTo, validationFailed, withUnknownNames } from '../../src/values/validation.ts'
import { errorsOf, newBidJson, pointers } from '../support.ts'

describe('unknown fields', () => {
  test.each([
    { name: 'amuont', pointer: '/amuont' },
    { name: '', pointer: '/' },
    { name: 'a/b', pointer: '/a~1b' },
    { name: '~1', pointer: '/~01' },
    { name: '__proto__', pointer: '/__proto__' },
    { name: 'constructor', pointer: '/constructor' },
    { name: 'hasOwnProperty', pointer: '/hasOwnProperty' },
  ])('such as $name are refused at $pointer', ({ name, pointer }) => {
    const json = `{"auctionId": 1, "bidderId": 2, "amount": 100, ${JSON.stringify(name)}: {"x": 1}}`
    expect(pointers(parseNewBid(JSON.parse(json)))).toEqual([pointer])
  })

  test('are reported with the known fields', () => {
    const parsed = parseNewBid(newBidJson({ price: 1 }))
    expect(errorsOf(parsed)).toEqual([
      {
        pointer: '/price',
        message: 'is not a known field; known fields are auctionId, bidderId, amount, maximumAmount',
      },
    ])
  })

  test('are all reported, in addition to other errors', () => {
    expect(pointers(parseNewBid({ a: 1, b: 2, auctionId: 1, bidderId: 2 }))).toEqual(['/amount', '/a', '/b'])
  })
})

describe('an input with many errors', () => {
  /** A bid with `count` unknown fields before the known ones. */
  const crowded = (count: number, changed: object = {}) => ({
    ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, index])),
    ...(newBidJson() as object),
    ...changed,
  })
  const refusalOf = (input: unknown) => {
    const parsed = parseNewBid(input)
    return parsed.ok ? undefined : parsed.refusal
  }

  test.each([
    { count: 1, listed: 1, more: 0 },
    { count: 20, listed: 20, more: 0 },
    { count: 21, listed: 20, more: 1 },
    { count: 13_000, listed: 20, more: 12_980 },
  ])('with $count unknown fields lists $listed, and counts the others: $more', ({ count, listed, more }) => {
    const refusal = refusalOf(crowded(count))
    expect(refusal?.errors.map(({ pointer }) => pointer)).toEqual(
      Array.from({ length: listed }, (_, index) => `/field${index}`),
    )
    expect(refusal?.moreErrors).toBe(more)
  })

  test('lists errors of known fields first', () => {
    const refusal = refusalOf(crowded(30, { amount: 0, bidderId: '2' }))
    expect(refusal?.errors.slice(0, 3).map(({ pointer }) => pointer)).toEqual(['/bidderId', '/amount', '/field0'])
    expect([refusal?.errors.length, refusal?.moreErrors]).toEqual([20, 12])
  })

  test.each([
    { title: '101 letters', name: 'x'.repeat(101), pointer: `/${'x'.repeat(100)}…` },
    { title: '101 slashes', name: '/'.repeat(101), pointer: `/${'~1'.repeat(100)}…` },
    { title: '51 emoji', name: '🏺'.repeat(51), pointer: `/${'🏺'.repeat(50)}…` },
    { title: 'a letter and 50 emoji', name: `x${'🏺'.repeat(50)}`, pointer: `/x${'🏺'.repeat(49)}…` },
  ])('shortens a long name, at a character boundary: $title', ({ name, pointer }) => {
    expect(pointers(parseNewBid(crowded(0, { [name]: 1 })))).toEqual([pointer])
  })
})

describe('the errors of several parts of one input', () => {
  const faults = (count: number, name: string) =>
    Array.from({ length: count }, (_, index) => ({ pointer: `/${name}${index}`, message: 'is wrong' }))
  const refusedFor = (count: number, name: string) => refused(validationFailed(...faults(count, name)))

  test('are listed in the order of the parts', () => {
    expect(allErrorsOf(accepted(7), refusedFor(2, 'a'), refusedFor(1, 'b'))).toStrictEqual({
      code: 'validation-failed',
      errors: [...faults(2, 'a'), ...faults(1, 'b')],
      moreErrors: 0,
    })
  })

  test('are listed up to the 20th; the others are counted, including those that the parts have counted', () => {
    expect(allErrorsOf(refusedFor(15, 'a'), refusedFor(23, 'b'))).toStrictEqual({
      code: 'validation-failed',
      errors: [...faults(15, 'a'), ...faults(5, 'b')],
      moreErrors: 18,
    })
  })

  test('include unknown names, after the errors of known ones', () => {
    expect(withUnknownNames(faults(19, 'a'), ['limt', 'sort/by', 'x'], 'is not a known parameter')).toStrictEqual({
      code: 'validation-failed',
      errors: [...faults(19, 'a'), { pointer: '/limt', message: 'is not a known parameter' }],
      moreErrors: 2,
    })
    expect(withUnknownNames([], ['sort/by'], 'is not a known parameter').errors).toStrictEqual([
      { pointer: '/sort~1by', message: 'is not a known parameter' },
    ])
  })
})

test.each([
  { path: [], pointer: '' },
  { path: [''], pointer: '/' },
  { path: ['a', 'b'], pointer: '/a/b' },
  { path: ['m~n', 'a/b'], pointer: '/m~0n/a~1b' },
  { path: ['~01'], pointer: '/~001' },
])('the JSON Pointer of $path is $pointer (RFC 6901)', ({ path, pointer }) => {
  expect(pointerTo(path)).toBe(pointer)
})
