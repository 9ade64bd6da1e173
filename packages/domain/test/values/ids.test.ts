import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  AuctionId,
  BidId,
  ProductId,
  StoredAuctionId,
  StoredBidId,
  StoredProductId,
  StoredUserId,
  UserId,
} from '../../src/values/ids.ts'

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
