import { describe, expect, test } from 'vitest'
import { isStoreUnavailable, StoreUnavailableError, withOutcome } from '../../src/store/errors.ts'

describe('an unavailable store', () => {
  test('is an error with a name, a code, a message, and an optional cause', () => {
    const cause = new Error('socket closed')
    const error = new StoreUnavailableError('no response', { cause })
    expect([error instanceof Error, error.name, error.code, error.message, error.cause]).toEqual([
      true,
      'StoreUnavailableError',
      'store-unavailable',
      'no response',
      cause,
    ])
    expect('cause' in new StoreUnavailableError('no response')).toBe(false)
    expect(error.outcome).toBe('unknown')
  })

  test('is identified by its code, whichever copy of the package created it', () => {
    const fromAnotherCopy = Object.assign(new Error('no response'), { code: 'store-unavailable' })
    expect(isStoreUnavailable(new StoreUnavailableError('no response'))).toBe(true)
    expect(isStoreUnavailable(fromAnotherCopy)).toBe(true)
  })

  test.each([
    new Error('store-unavailable'),
    Object.assign(new Error('no response'), { code: 'ECONNREFUSED' }),
    { code: 'store-unavailable' },
    'store-unavailable',
    null,
    undefined,
  ])('is not any other value: %s', (error) => {
    expect(isStoreUnavailable(error)).toBe(false)
  })
})

describe('an error with an outcome', () => {
  test.each(['unknown', 'nothing-changed'] as const)(
    'has the outcome that the use case determines, whatever the store reports: %s',
    (outcome) => {
      for (const claimed of ['unknown', 'nothing-changed'] as const) {
        const cause = new StoreUnavailableError('no response', { outcome: claimed })
        expect(withOutcome(cause, outcome)).toMatchObject({
          name: 'StoreUnavailableError',
          code: 'store-unavailable',
          message: 'no response',
          outcome,
          cause,
        })
      }
    },
  )

  test('is returned unchanged if it is unexpected', () => {
    const bug = new TypeError('a bug')
    expect(withOutcome(bug, 'nothing-changed')).toBe(bug)
    expect(withOutcome('a text', 'unknown')).toBe('a text')
  })
})
