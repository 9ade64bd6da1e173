import { describe, expect, test } from 'vitest'
import { parseNewBid } from '../../src/auction/bid.ts'
import { accepted, refused } from '../../src/values/result.ts'
import { allErrorsOf, pointerTo, validationFailed, withUnknownNames } from '../../src/values/validation.ts'
import { errorsOf, newBidJson, pointers } from '../support.ts'

describe('unknown fields', () => {
  test.each([
    ['amuont', '/amuont'],
    ['currency', '/currency'],
    ['Amount', '/Amount'],
    ['', '/'],
    ['a/b', '/a~1b'],
    ['a~b', '/a~0b'],
    ['~1', '/~01'],
    ['/~', '/~1~0'],
    ['with space', '/with space'],
    ['🏺', '/🏺'],
    ['0', '/0'],
    ['__proto__', '/__proto__'],
    ['constructor', '/constructor'],
    ['prototype', '/prototype'],
    ['toString', '/toString'],
    ['hasOwnProperty', '/hasOwnProperty'],
  ])('such as %j are refused at %j', (name, pointer) => {
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
    [1, 1, 0],
    [20, 20, 0],
    [21, 20, 1],
    [37, 20, 17],
    [13_000, 20, 12_980],
  ])('with %i unknown fields lists %i, and counts the others: %i', (count, listed, more) => {
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
    ['100 letters', 'x'.repeat(100), `/${'x'.repeat(100)}`],
    ['101 letters', 'x'.repeat(101), `/${'x'.repeat(100)}…`],
    ['60,000 letters', 'x'.repeat(60_000), `/${'x'.repeat(100)}…`],
    ['101 slashes', '/'.repeat(101), `/${'~1'.repeat(100)}…`],
    ['50 emoji', '🏺'.repeat(50), `/${'🏺'.repeat(50)}`],
    ['51 emoji', '🏺'.repeat(51), `/${'🏺'.repeat(50)}…`],
    ['a letter and 50 emoji', `x${'🏺'.repeat(50)}`, `/x${'🏺'.repeat(49)}…`],
  ])('shortens a long name, at a character boundary: %s', (_, name, pointer) => {
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
  [[], ''],
  [[''], '/'],
  [['a', 'b'], '/a/b'],
  [['m~n', 'a/b'], '/m~0n/a~1b'],
  [['~01'], '/~001'],
])('the JSON Pointer of %j is %j (RFC 6901)', (path, pointer) => {
  expect(pointerTo(path)).toBe(pointer)
})
