import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { toPositiveDecimal } from '../../src/values/amount.ts'
import { toCurrency } from '../../src/values/currency.ts'
import {
  AuctionId,
  BidId,
  EntryId,
  ProductId,
  StoredAuctionId,
  StoredBidId,
  StoredEntryId,
  StoredProductId,
  StoredUserId,
  toAuctionId,
  toBidId,
  toEntryId,
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
  toEntryId,
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
  test.each<{ readonly name: Name; readonly input: unknown; readonly value: unknown }>([
    { name: 'toAuctionId', input: 1, value: 1 },
    { name: 'toProductId', input: 7, value: 7 },
    { name: 'toUserId', input: Number.MAX_SAFE_INTEGER, value: Number.MAX_SAFE_INTEGER },
    { name: 'toCurrency', input: 'KWD', value: { code: 'KWD', exponent: 3 } },
    {
      name: 'toMoment',
      input: '2030-01-31T12:00:00.5Z',
      value: { iso: '2030-01-31T12:00:00.5Z', epochMs: 1_896_091_200_500 },
    },
    { name: 'toPositiveDecimal', input: 102.5, value: 102.5 },
    { name: 'toAmountMinor', input: 0, value: 0 },
    { name: 'toAmountMinor', input: -0, value: 0 },
    { name: 'toAmountMinor', input: 999_999_999_999_999, value: 999_999_999_999_999 },
    { name: 'exactMinorUsd', input: 102.5, value: 102_50 },
  ])('$name accepts $input', ({ name, input, value }) => {
    expect(construct(name, input)).toStrictEqual(value)
  })

  test.each<{ readonly name: Name; readonly input: unknown; readonly message: string }>([
    { name: 'toAuctionId', input: 0, message: 'an auction id must be an integer from 1 to 9007199254740991; got 0' },
    { name: 'toBidId', input: 1.5, message: 'a bid id must be an integer from 1 to 9007199254740991; got 1.5' },
    {
      name: 'toProductId',
      input: Number.NaN,
      message: 'a product id must be an integer from 1 to 9007199254740991; got NaN',
    },
    { name: 'toUserId', input: '7', message: 'a user id must be an integer from 1 to 9007199254740991; got "7"' },
    {
      name: 'toCurrency',
      input: 'usd',
      message: 'a currency must be an active ISO 4217 currency code in upper case, such as "USD"; got "usd"',
    },
    { name: 'toMoment', input: '2030-02-30T00:00:00Z', message: 'got "2030-02-30T00:00:00Z"' },
    { name: 'toMoment', input: 'x'.repeat(1_000), message: `got "${'x'.repeat(100)}…"` },
    { name: 'toPositiveDecimal', input: 0, message: 'an amount must be a JSON number above 0' },
    { name: 'toPositiveDecimal', input: 0.1 + 0.2, message: 'got 0.30000000000000004' },
    {
      name: 'toAmountMinor',
      input: 0.5,
      message: 'an amount must be a whole number of minor units, at least 0 and below 10^15; got 0.5',
    },
    { name: 'toAmountMinor', input: 1e15, message: 'got 1000000000000000' },
    { name: 'exactMinorUsd', input: 0.001, message: '0.001 is not a valid USD amount' },
  ])('$name refuses $input', ({ name, input, message }) => {
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

const offered = { AuctionId, BidId, EntryId, ProductId, UserId }
const stored = { StoredAuctionId, StoredBidId, StoredEntryId, StoredProductId, StoredUserId }

test.each(Object.entries({ ...offered, ...stored }))('%s accepts integers from 1 to 2^53 - 1', (_, schema) => {
  for (const id of [1, 2, 2 ** 32 + 1, 1e15, Number.MAX_SAFE_INTEGER]) expect(v.parse(schema, id)).toBe(id)
  const numbers = [0, -0, -1, 1.5, Number.MAX_SAFE_INTEGER + 1, Number.POSITIVE_INFINITY, Number.NaN]
  for (const input of [...numbers, '1', 1n, true, null, undefined, [1], { id: 1 }])
    expect([input, v.is(schema, input)]).toEqual([input, false])
})

test.each(Object.entries(offered))('%s has one message for every error', (_, schema) => {
  for (const input of ['1', 0, 1.5, 2 ** 53]) {
    const issues = v.safeParse(schema, input).issues ?? []
    expect(issues.map(({ message }) => message)[0]).toBe('must be an integer from 1 to 9007199254740991')
  }
})
