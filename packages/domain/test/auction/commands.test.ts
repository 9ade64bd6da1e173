import { describe, expect, test } from 'vitest'
import { parseCancellation, parseCorrection, parsePurchase } from '../../src/auction/commands.ts'
import { errorsOf, pointers } from '../support.ts'

describe('a correction', () => {
  test.each([
    { title: 'x' },
    { description: '' },
    { title: null },
    { title: '😀'.repeat(200), description: '😀'.repeat(10_000) },
    { title: null, description: null },
  ])('is parsed from %j', (input) => {
    expect(parseCorrection(input)).toStrictEqual({ ok: true, value: input })
  })

  test.each([
    { input: undefined, at: [''] },
    { input: null, at: [''] },
    { input: ['x'], at: [''] },
    { input: { title: '' }, at: ['/title'] },
    { input: { title: 'x'.repeat(201) }, at: ['/title'] },
    { input: { title: '\ud800', description: 'x'.repeat(10_001) }, at: ['/title', '/description'] },
    { input: { description: 7 }, at: ['/description'] },
    { input: { title: 'x', endTime: '2030-01-31T12:00:00Z' }, at: ['/endTime'] },
  ])('is refused for $input', ({ input, at }) => {
    expect(pointers(parseCorrection(input))).toEqual(at)
  })

  test('states what it needs if it is empty', () => {
    const message = 'must contain a title, a description or both'
    expect(errorsOf(parseCorrection({}))).toEqual([{ pointer: '', message }])
  })
})

describe('a cancellation', () => {
  test.each([
    { input: {}, value: {} },
    { input: { reason: null }, value: {} },
    { input: { reason: 'x' }, value: { reason: 'x' } },
    { input: { reason: '😀'.repeat(500) }, value: { reason: '😀'.repeat(500) } },
  ])('is parsed from $input', ({ input, value }) => {
    expect(parseCancellation(input)).toStrictEqual({ ok: true, value })
  })

  test.each([
    { input: undefined, at: [''] },
    { input: [], at: [''] },
    { input: 'lost', at: [''] },
    { input: { reason: '' }, at: ['/reason'] },
    { input: { reason: 'x'.repeat(501) }, at: ['/reason'] },
    { input: { reason: '\ud800' }, at: ['/reason'] },
    { input: { reason: 1, status: 'Cancelled' }, at: ['/reason', '/status'] },
  ])('is refused for $input', ({ input, at }) => {
    expect(pointers(parseCancellation(input))).toEqual(at)
  })
})

describe('a purchase', () => {
  test('has a buyer', () => {
    expect(parsePurchase({ buyerId: 3 })).toStrictEqual({ ok: true, value: { buyerId: 3 } })
  })

  test.each([
    { input: undefined, at: [''] },
    { input: [3], at: [''] },
    { input: {}, at: ['/buyerId'] },
    { input: { buyerId: '3' }, at: ['/buyerId'] },
    { input: { buyerId: 0 }, at: ['/buyerId'] },
    { input: { buyerId: 3, price: 500 }, at: ['/price'] },
  ])('is refused for $input', ({ input, at }) => {
    expect(pointers(parsePurchase(input))).toEqual(at)
  })
})
