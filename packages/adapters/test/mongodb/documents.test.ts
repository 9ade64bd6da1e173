import { Long } from 'mongodb'
import { expect, test } from 'vitest'
import { fromStored, int64, toStored } from '../../src/mongodb/documents.ts'

test('stored documents have 64-bit integers at every level, and no undefined field', () => {
  const value = { a: 1, b: { c: [2 ** 40, 'x', { d: 0 }], e: null, f: undefined }, g: 'text', h: true }
  expect(toStored(value)).toStrictEqual({
    a: Long.fromNumber(1),
    b: { c: [Long.fromNumber(2 ** 40), 'x', { d: Long.ZERO }], e: null },
    g: 'text',
    h: true,
  })
})

test.each([0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY])('%d is refused as a stored number', (number) => {
  expect(() => int64(number)).toThrow(RangeError)
  expect(() => toStored({ deep: [{ number }] })).toThrow('a number is not an exact integer')
})

test('a read document has its id in the field of the domain', () => {
  expect(fromStored({ _id: 7, a: 1 })).toStrictEqual({ id: 7, a: 1 })
})
