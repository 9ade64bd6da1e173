import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { toPositiveDecimal } from '../../src/values/amount.ts'
import { toCurrency } from '../../src/values/currency.ts'
import {
  AuctionId,
  BidId,
  ProductId,
  StoredAuctionId,
  StoredBidId,
  StoredProductId,
  StoredUserId,
  toAuctionId,
  toBidId,
  toProductId,
  toUserId,
  UserId,
} from '../../src/values/ids.ts'
import { toMoment } from '../../src/values/moment.ts'
import { exactMinor, toAmountMinor } from '../../src/values/money.ts'
import { InvalidValueError, isInvalidValue } from '../../src/values/validation.ts'

const constructors = {
  toAuctionId,
  toBidId,
  toProductId,
  toUserId,
  toCurrency,
  toMoment,
  toPositiveDecimal,
  toAmountMinor,
  exactMinorUsd: (decimal: number) => exactMinor(decimal, toCurrency('USD')),
}
type Name = keyof typeof constructors

/** Calls a constructor as a program without type checks does. */
const construct = (name: Name, input: unknown): unknown => (constructors[name] as (input: unknown) => unknown)(input)

describe('the constructors', () => {
  test.each<[Name, unknown, unknown]>([
    ['toAuctionId', 1, 1],
    ['toBidId', 2 ** 32, 2 ** 32],
    ['toProductId', 7, 7],
    ['toUserId', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ['toCurrency', 'KWD', { code: 'KWD', exponent: 3 }],
    ['toMoment', '2030-01-31T12:00:00.5Z', { iso: '2030-01-31T12:00:00.5Z', epochMs: 1_896_091_200_500 }],
    ['toPositiveDecimal', 102.5, 102.5],
    ['toAmountMinor', 0, 0],
    ['toAmountMinor', -0, 0],
    ['toAmountMinor', 999_999_999_999_999, 999_999_999_999_999],
    ['exactMinorUsd', 102.5, 102_50],
    ['exactMinorUsd', 0, 0],
  ])('%s accepts %j', (name, input, value) => {
    expect(construct(name, input)).toStrictEqual(value)
  })

  test.each<[Name, unknown, string]>([
    ['toAuctionId', 0, 'an auction id must be an integer from 1 to 9007199254740991; got 0'],
    ['toBidId', 1.5, 'a bid id must be an integer from 1 to 9007199254740991; got 1.5'],
    ['toProductId', Number.NaN, 'a product id must be an integer from 1 to 9007199254740991; got NaN'],
    ['toUserId', '7', 'a user id must be an integer from 1 to 9007199254740991; got "7"'],
    ['toUserId', null, 'a user id must be an integer from 1 to 9007199254740991; got null'],
    [
      'toCurrency',
      'usd',
      'a currency must be an active ISO 4217 currency code in upper case, such as "USD"; got "usd"',
    ],
    ['toMoment', '2030-02-30T00:00:00Z', 'got "2030-02-30T00:00:00Z"'],
    ['toMoment', 'x'.repeat(1_000), `got "${'x'.repeat(100)}…"`],
    ['toPositiveDecimal', 0, 'an amount must be a JSON number above 0'],
    ['toPositiveDecimal', 0.1 + 0.2, 'got 0.30000000000000004'],
    ['toAmountMinor', 0.5, 'an amount must be a whole number of minor units, at least 0 and below 10^15; got 0.5'],
    ['toAmountMinor', -1, 'got -1'],
    ['toAmountMinor', 1e15, 'got 1000000000000000'],
    ['toAmountMinor', '1', 'got 1'],
    ['exactMinorUsd', 0.001, '0.001 is not a valid USD amount'],
  ])('%s refuses %j', (name, input, message) => {
    expect(() => construct(name, input)).toThrow(InvalidValueError)
    expect(() => construct(name, input)).toThrow(message)
  })
})

describe('an invalid value', () => {
  test('is identified by its code, from any copy of the package', () => {
    const fromAnotherCopy = Object.assign(new Error('a user id must …'), { code: 'invalid-value' })
    expect(isInvalidValue(fromAnotherCopy)).toBe(true)
    expect(isInvalidValue(new InvalidValueError('a user id must …'))).toBe(true)
  })

  test.each([new RangeError('other'), Object.assign(new Error('other'), { code: 'other' }), 'invalid-value', null])(
    'is not %s',
    (error) => {
      expect(isInvalidValue(error)).toBe(false)
    },
  )
})

const offered = { AuctionId, BidId, ProductId, UserId }
const stored = { StoredAuctionId, StoredBidId, StoredProductId, StoredUserId }

describe.each(Object.entries({ ...offered, ...stored }))('%s', (_, schema) => {
  test.each([1, 2, 2 ** 31, 2 ** 32 + 1, 1e15, Number.MAX_SAFE_INTEGER])('accepts %d', (id) => {
    expect(v.parse(schema, id)).toBe(id)
  })

  test.each([
    0,
    -0,
    -1,
    0.5,
    1.5,
    Number.MAX_SAFE_INTEGER + 1,
    Number.MAX_VALUE,
    Number.POSITIVE_INFINITY,
    Number.NaN,
    '1',
    1n,
    true,
    null,
    undefined,
    [1],
    { id: 1 },
  ])('refuses %s', (input) => {
    expect(v.is(schema, input)).toBe(false)
  })
})

test.each(Object.entries(offered))('%s has one message for every error', (_, schema) => {
  for (const input of ['1', 0, 1.5, 2 ** 53]) {
    const issues = v.safeParse(schema, input).issues ?? []
    expect(issues.map(({ message }) => message)[0]).toBe('must be an integer from 1 to 9007199254740991')
  }
})
