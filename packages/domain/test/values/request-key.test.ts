import { samplePurchase } from '@auction/testing/samples'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isIdempotencyKey, type RetryKey, requestKeyOf } from '../../src/values/request-key.ts'
import { unwrap } from '../../src/values/result.ts'
import { ledgerOf, newAuction, newBid, serveAuction } from '../support/service.ts'

describe('an idempotency key', () => {
  test.each([
    ['a'],
    ['0b7c5a4e-4c5f-4a4e-9d35-6f1f0a0c8a11'],
    ['"8e03978e-40d5-43dd-bc93-6894a57f9324"'],
    ['!~'],
    ['__proto__'],
    ['k'.repeat(255)],
    [Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index)).join('')],
  ])('may be %j', (text) => {
    expect(isIdempotencyKey(text)).toBe(true)
  })

  test.each([
    { text: '', reason: 'empty' },
    { text: 'k'.repeat(256), reason: 'too long' },
    { text: ' ', reason: 'a space' },
    { text: 'a\n', reason: 'a line break behind' },
    { text: '\u007f', reason: 'a control character' },
    { text: 'é', reason: 'not ASCII' },
  ])('must not be $text: $reason', ({ text }) => {
    expect(isIdempotencyKey(text)).toBe(false)
  })
})

describe('the stored form of a key', () => {
  const operations = ['create-auction', 'place-bid'] as const

  test('differs for another operation, caller or key', () => {
    const confusable = fc.stringMatching(/^[ab %2025]{1,5}$/)
    const caller = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }), confusable)
    const key = fc.oneof(fc.stringMatching(/^[\x20-\x7e]{1,5}$/), confusable)
    const parts = fc.tuple(fc.constantFrom(...operations), caller, key)
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        const stored = ([operation, caller, key]: typeof one) => requestKeyOf(operation, { caller, key })
        expect(stored(one) === stored(other)).toBe(one.every((part, index) => part === other[index]))
      }),
    )
  })

  test('differs even if the joined texts are the same', () => {
    const keys = [
      requestKeyOf('place-bid', { caller: 'a', key: 'b' }),
      requestKeyOf('place-bid', { caller: 'a b', key: 'b' }),
      requestKeyOf('place-bid', { caller: 'a', key: 'b b' }),
      requestKeyOf('place-bid', { caller: 'a%20b', key: 'b' }),
      requestKeyOf('place-bid', { caller: ' ', key: 'a' }),
      requestKeyOf('create-auction', { caller: 'a', key: 'b' }),
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })
})

describe('an invalid request key', () => {
  // Programs in JavaScript can pass these.
  const others: readonly (readonly [what: string, retry: unknown, named: string])[] = [
    ['a bare text', 'k', '{ caller, key }'],
    ['null', null, '{ caller, key }'],
    ['a key without a caller', { key: 'k' }, 'caller'],
    ['a caller without a key', { caller: 'ann' }, 'key'],
    ['an empty caller', { caller: '', key: 'k' }, 'caller'],
    ['an empty key', { caller: 'ann', key: '' }, 'key'],
    ['a number as caller', { caller: 7, key: 'k' }, 'caller'],
    ['a key of 256 characters', { caller: 'ann', key: 'k'.repeat(256) }, 'key'],
    ['a caller of 101 characters', { caller: 'a'.repeat(101), key: 'k' }, 'caller'],
    ['a caller that is not well-formed', { caller: '\ud800', key: 'k' }, 'caller'],
    ['a key that is not ASCII', { caller: 'ann', key: 'é' }, 'key'],
    ['a key with a control character', { caller: 'ann', key: 'a\x7fb' }, 'key'],
  ]

  test.each(others)('is refused by every operation that accepts one: %s', async (_, retry, named) => {
    const { service, auction } = await serveAuction({ buyNowPrice: 200 })
    const key = retry as RetryKey // The cast: the operations must refuse it at runtime.
    const calls = {
      create: () => service.createAuction(newAuction(), key),
      bid: () => service.placeBid(newBid(auction, 2, 100), key),
      buy: () => service.buyNow({ auctionId: auction.id, purchase: samplePurchase() }, key),
      cancel: () => service.cancelAuction({ auctionId: auction.id }, key),
    }
    for (const call of Object.values(calls)) {
      const error = await call().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(TypeError)
      expect(String(error)).toContain(named)
    }
    expect(await ledgerOf(service.store, auction)).toEqual([])
    expect(unwrap(await service.listAuctions({ order: 'newest', limit: 10 })).items).toHaveLength(1)
  })
})
