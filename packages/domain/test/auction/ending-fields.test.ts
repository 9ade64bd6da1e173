import { describe, expect, test } from 'vitest'
import { parseCancellation, parsePurchase } from '../../src/auction/commands.ts'

const failedAt = (...pointers: readonly string[]) => ({
  ok: false,
  refusal: { code: 'validation-failed', errors: pointers.map((pointer) => ({ pointer })), moreErrors: 0 },
})

describe('a cancellation', () => {
  test.each([
    [{}, {}],
    [{ reason: null }, {}],
    [{ reason: 'x' }, { reason: 'x' }],
    [{ reason: '😀'.repeat(500) }, { reason: '😀'.repeat(500) }],
  ])('is parsed from %j', (input, value) => {
    expect(parseCancellation(input)).toStrictEqual({ ok: true, value })
  })

  test.each([
    [undefined, ['']],
    [null, ['']],
    [[], ['']],
    ['lost', ['']],
    [{ reason: '' }, ['/reason']],
    [{ reason: 'x'.repeat(501) }, ['/reason']],
    [{ reason: '\ud800' }, ['/reason']],
    [{ reason: 1, status: 'Cancelled' }, ['/reason', '/status']],
  ])('is refused for %j', (input, pointers) => {
    expect(parseCancellation(input)).toMatchObject(failedAt(...pointers))
  })
})

describe('a purchase', () => {
  test('has a buyer', () => {
    expect(parsePurchase({ buyerId: 3 })).toStrictEqual({ ok: true, value: { buyerId: 3 } })
  })

  test.each([
    [undefined, ['']],
    [[3], ['']],
    [{}, ['/buyerId']],
    [{ buyerId: null }, ['/buyerId']],
    [{ buyerId: '3' }, ['/buyerId']],
    [{ buyerId: 0 }, ['/buyerId']],
    [{ buyerId: 2 ** 53 }, ['/buyerId']],
    [{ buyerId: 3, price: 500 }, ['/price']],
  ])('is refused for %j', (input, pointers) => {
    expect(parsePurchase(input)).toMatchObject(failedAt(...pointers))
  })
})
