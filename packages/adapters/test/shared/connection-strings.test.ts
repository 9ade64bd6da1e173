import { describe, expect, test } from 'vitest'
import { reasonOf } from '../../src/shared/connection-strings.ts'

describe('the reason for a failure', () => {
  test('is the message of the driver, on one line', () => {
    expect(reasonOf(new Error('first line\n  second line'), ['secret'])).toBe('first line second line')
    expect(reasonOf('a text', [])).toBe('a text')
  })

  test('is hidden if it contains a secret', () => {
    expect(reasonOf(new Error('no such user: user:p@ss'), ['p%40ss', 'p@ss'])).toBe(
      'the reason is not shown because it contains credentials',
    )
  })
})
