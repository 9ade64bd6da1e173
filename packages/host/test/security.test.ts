import { describe, expect, test } from 'vitest'
import { createCallerIdentification } from '../src/security/callers.ts'
import { createPeerAddress } from '../src/server/requests.ts'

// The user is what the API of this repository adds to claims, in the type check of all tests.
const readClaims = () => ({ permissions: new Set<string>(), userId: undefined })
const verified = () => ({ claims: { sub: 'anna' }, untilMs: Date.now() + 60_000, expiresAtMs: Infinity })

test('a caller whose token was verified is found without verification', async () => {
  const verify = async () => verified()
  const callers = createCallerIdentification(verify, readClaims)
  expect(callers.find('a.b.c')).toBeUndefined()
  const caller = await callers.verify('a.b.c')
  expect(callers.find('a.b.c')).toBe(caller)
})

test('the cache of callers is bounded by the length of tokens', async () => {
  const callers = createCallerIdentification(verified, readClaims)
  const tokens = Array.from({ length: 5_000 }, (_, index) => `${index}.${'b'.repeat(15_000)}.c`)
  for (const token of tokens) await callers.verify(token)
  const known = tokens.filter((token) => callers.find(token) !== undefined)
  expect(known.length * 15_000).toBeLessThan(32 * 2 ** 20)
  expect(known.at(-1)).toBe(tokens.at(-1))
})

describe('the address that a connection counts for', () => {
  const unknown = createPeerAddress(undefined)
  const ranges = createPeerAddress(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32', '::1'])
  const hops = createPeerAddress(1)

  test.each([
    ['192.0.2.7', '192.0.2.7', '192.0.2.7', undefined],
    ['::ffff:192.0.2.7', '192.0.2.7', '192.0.2.7', undefined],
    ['2001:db9:1:2:3:4:5:6', '2001:db9:1:2::/64', '2001:db9:1:2::/64', undefined],
    ['10.1.2.3', '10.1.2.3', undefined, undefined],
    ['::ffff:10.1.2.3', '10.1.2.3', undefined, undefined],
    ['192.0.2.1', '192.0.2.1', undefined, undefined],
    ['2001:db8::1', '2001:db8::/64', undefined, undefined],
    ['::1', '::/64', undefined, undefined],
    [undefined, undefined, undefined, undefined],
  ])('%s: %s; behind proxies by range %s, by hops %s', (remoteAddress, ...expected) => {
    expect([unknown, ranges, hops].map((addressOf) => addressOf({ remoteAddress }))).toEqual(expected)
  })
})
