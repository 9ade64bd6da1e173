import { expect, test } from 'vitest'
import { createCallerIdentification } from '../src/security/callers.ts'

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
