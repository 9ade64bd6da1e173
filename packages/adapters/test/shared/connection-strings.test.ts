import { describe, expect, test } from 'vitest'
import { reasonOf, secretsOf } from '../../src/shared/connection-strings.ts'

describe('the reason for a failure', () => {
  test('is the message of the driver, on one line', () => {
    expect(reasonOf(new Error('first line\n  second line'), ['secret'])).toBe('first line second line')
    expect(reasonOf('a text', [])).toBe('a text')
  })

  test('is hidden if it contains a password', () => {
    expect(reasonOf(new Error('no such user: auctions:p@ss'), secretsOf('auctions:p%40ss', ''))).toBe(
      'the reason is not shown because it contains credentials',
    )
  })

  test('is shown if it contains the name of the user, as that of a schema', () => {
    const reason = 'permission denied for schema auctions'
    for (const userinfo of ['auctions', 'auctions:', 'auctions:p%40ss'])
      expect(reasonOf(new Error(reason), secretsOf(userinfo, ''))).toBe(reason)
  })
})
