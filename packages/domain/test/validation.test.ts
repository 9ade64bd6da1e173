import { describe, expect, test } from 'vitest'
import { parseNewBid } from '../src/bid.ts'
import { faultsOf, pointerTo } from '../src/validation.ts'
import { newBidJson, pointers } from './support.ts'

describe('a new bid', () => {
  test('is parsed', () => {
    expect(parseNewBid(newBidJson({ amount: 100.25 }))).toStrictEqual({
      ok: true,
      value: { auctionId: 1, bidderId: 2, amount: 100.25 },
    })
  })

  test('ignores what the service assigns', () => {
    expect(parseNewBid(newBidJson({ id: 'x', timestamp: 7, status: null }))).toStrictEqual(parseNewBid(newBidJson()))
  })

  test.each([
    ['auctionId', '1'],
    ['auctionId', 0],
    ['auctionId', 1.5],
    ['auctionId', null],
    ['bidderId', true],
    ['bidderId', 2 ** 53],
    ['amount', 0],
    ['amount', -1],
    ['amount', '100'],
    ['amount', 0.00001],
    ['amount', 1e15],
    ['amount', null],
    ['amount', {}],
  ])('is refused for its %s: %j', (field, value) => {
    expect(pointers(parseNewBid(newBidJson({ [field]: value })))).toEqual([`/${field}`])
  })

  test('is refused for an amount that is not a number, whatever the rest', () => {
    expect(pointers(parseNewBid({ auctionId: 1, bidderId: 2, amount: Number.NaN }))).toEqual(['/amount'])
  })

  test('tells all that is missing', () => {
    expect(faultsOf(parseNewBid({}))).toEqual(
      ['/auctionId', '/bidderId', '/amount'].map((pointer) => ({ pointer, message: 'is required' })),
    )
  })

  test.each([null, undefined, [], 'text', 7, true])('is an object, and not %j', (input) => {
    expect(faultsOf(parseNewBid(input))).toEqual([{ pointer: '', message: 'must be a JSON object' }])
  })
})

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
  ])('%j is a fault at %j', (name, pointer) => {
    const json = `{"auctionId": 1, "bidderId": 2, "amount": 100, ${JSON.stringify(name)}: {"x": 1}}`
    expect(pointers(parseNewBid(JSON.parse(json)))).toEqual([pointer])
  })

  test('say which fields there are', () => {
    const parsed = parseNewBid(newBidJson({ price: 1 }))
    expect(faultsOf(parsed)).toEqual([
      { pointer: '/price', message: 'is not a known field; the fields are auctionId, bidderId, amount' },
    ])
  })

  test('are all told, beside what else is wrong', () => {
    expect(pointers(parseNewBid({ a: 1, b: 2, auctionId: 1, bidderId: 2 }))).toEqual(['/amount', '/a', '/b'])
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
