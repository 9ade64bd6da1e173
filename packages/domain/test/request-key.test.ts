import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isIdempotencyKey, requestKeyOf } from '../src/request-key.ts'

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
    ['', 'empty'],
    ['k'.repeat(256), 'too long'],
    [' ', 'a space'],
    ['a b', 'a space within'],
    ['a\t', 'a tab'],
    ['a\n', 'a line break behind'],
    ['\u0000', 'a control character'],
    ['\u007f', 'a control character'],
    ['é', 'not ASCII'],
    ['🏺', 'not ASCII'],
  ])('may not be %j: %s', (text) => {
    expect(isIdempotencyKey(text)).toBe(false)
  })
})

describe('what is stored of a key', () => {
  const operations = ['create-auction', 'place-bid'] as const

  test('is the same for the same operation, caller and key', () => {
    expect(requestKeyOf('place-bid', { caller: 'a', key: 'k' })).toBe(
      requestKeyOf('place-bid', { caller: 'a', key: 'k' }),
    )
  })

  test('is another one for another operation, caller or key', () => {
    const visible = fc.stringMatching(/^[\x21-\x7e]{1,5}$/)
    const caller = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 5 }), fc.stringMatching(/^[a b]{0,4}$/))
    const parts = fc.tuple(fc.constantFrom(...operations), caller, visible)
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        const stored = ([operation, caller, key]: typeof one) => requestKeyOf(operation, { caller, key })
        expect(stored(one) === stored(other)).toBe(one.every((part, index) => part === other[index]))
      }),
    )
  })

  test('is another one where the parts only join to the same text', () => {
    const keys = [
      requestKeyOf('place-bid', { caller: 'a', key: 'b' }),
      requestKeyOf('place-bid', { caller: 'a b', key: 'b' }),
      requestKeyOf('place-bid', { caller: '', key: 'a' }),
      requestKeyOf('place-bid', { caller: ' ', key: 'a' }),
      requestKeyOf('create-auction', { caller: 'a', key: 'b' }),
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })
})
