import { describe, expect, test } from 'vitest'
import { nothingChangedIfItFails, StoreUnavailableError } from '../src/ports/store-unavailable.ts'

describe('a store that can not be asked', () => {
  test('leaves the outcome unknown unless somebody knows better', () => {
    expect(new StoreUnavailableError('no answer').outcome).toBe('unknown')
    expect(new StoreUnavailableError('no answer', { outcome: 'nothing-changed' }).outcome).toBe('nothing-changed')
  })

  test('is an error with a name, a message, and a cause when there is one', () => {
    const cause = new Error('socket closed')
    const error = new StoreUnavailableError('no answer', { cause })
    expect([error instanceof Error, error.name, error.message, error.cause]).toEqual([
      true,
      'StoreUnavailableError',
      'no answer',
      cause,
    ])
    expect('cause' in new StoreUnavailableError('no answer')).toBe(false)
  })
})

describe('a step before the write', () => {
  test('that fails has changed nothing', async () => {
    const cause = new StoreUnavailableError('no answer')
    await expect(nothingChangedIfItFails(Promise.reject(cause))).rejects.toMatchObject({
      name: 'StoreUnavailableError',
      message: 'no answer',
      outcome: 'nothing-changed',
      cause,
    })
  })

  test('answers what it answers', async () => {
    expect(await nothingChangedIfItFails(Promise.resolve(7))).toBe(7)
  })

  test('lets an error that is no store’s through as it is', async () => {
    const bug = new TypeError('a bug')
    await expect(nothingChangedIfItFails(Promise.reject(bug))).rejects.toBe(bug)
  })
})
