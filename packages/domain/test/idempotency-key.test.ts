import { expect, test } from 'vitest'
import { isIdempotencyKey, keyLifetimeMs } from '../src/idempotency.ts'

test.each([
  ['a'],
  ['0b7c5a4e-4c5f-4a4e-9d35-6f1f0a0c8a11'],
  ['"8e03978e-40d5-43dd-bc93-6894a57f9324"'],
  ['!~'],
  ['__proto__'],
  ['k'.repeat(255)],
  [Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index)).join('')],
])('%j is a key', (text) => {
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
])('%j is no key: %s', (text) => {
  expect(isIdempotencyKey(text)).toBe(false)
})

test('a key lives for 24 hours', () => {
  expect(keyLifetimeMs).toBe(86_400_000)
})
