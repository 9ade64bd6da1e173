import { describe, expect, test } from 'vitest'
import { isStoreUnavailable, StoreUnavailableError, withOutcome } from '../src/store-unavailable.ts'

describe('a store that can not be asked', () => {
  test('leaves the outcome unknown unless somebody knows better', () => {
    expect(new StoreUnavailableError('no answer').outcome).toBe('unknown')
    expect(new StoreUnavailableError('no answer', { outcome: 'nothing-changed' }).outcome).toBe('nothing-changed')
  })

  test('is an error with a name, a code, a message, and a cause when there is one', () => {
    const cause = new Error('socket closed')
    const error = new StoreUnavailableError('no answer', { cause })
    expect([error instanceof Error, error.name, error.code, error.message, error.cause]).toEqual([
      true,
      'StoreUnavailableError',
      'store-unavailable',
      'no answer',
      cause,
    ])
    expect('cause' in new StoreUnavailableError('no answer')).toBe(false)
  })

  test('is told by its code, whichever copy of the package made it', () => {
    const fromAnotherCopy = Object.assign(new Error('no answer'), { code: 'store-unavailable' })
    expect(isStoreUnavailable(new StoreUnavailableError('no answer'))).toBe(true)
    expect(isStoreUnavailable(fromAnotherCopy)).toBe(true)
  })

  test.each([
    new Error('store-unavailable'),
    Object.assign(new Error('no answer'), { code: 'ECONNREFUSED' }),
    { code: 'store-unavailable' },
    'store-unavailable',
    null,
    undefined,
  ])('is not told by anything else: %s', (error) => {
    expect(isStoreUnavailable(error)).toBe(false)
  })
})

describe('an error with an outcome', () => {
  test.each(['unknown', 'nothing-changed'] as const)(
    'says what the use case knows, whatever the store claims: %s',
    (outcome) => {
      for (const claimed of ['unknown', 'nothing-changed'] as const) {
        const cause = new StoreUnavailableError('no answer', { outcome: claimed })
        expect(withOutcome(cause, outcome)).toMatchObject({
          name: 'StoreUnavailableError',
          code: 'store-unavailable',
          message: 'no answer',
          outcome,
          cause,
        })
      }
    },
  )

  test('stays what it is when nobody expects it', () => {
    const bug = new TypeError('a bug')
    expect(withOutcome(bug, 'nothing-changed')).toBe(bug)
    expect(withOutcome('a text', 'unknown')).toBe('a text')
  })
})
