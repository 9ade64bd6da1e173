import { expect, test } from 'vitest'
import { startServer } from '../support/server.ts'
import { permissions, signedToken, tokenOf } from '../support/tokens.ts'

const isFull = process.env['ATTACK_SIZE'] === 'full'
const { connections, validTokens } = isFull
  ? { connections: 450, validTokens: 330 }
  : { connections: 300, validTokens: 33 }

const junk = () => signedToken({ sub: 'anna', permissions }, undefined, { key: crypto.randomUUID() })

test('at least half of new valid tokens get through a flood of junk tokens from their address', async () => {
  const { url } = await startServer({ environment: { RATE_LIMIT_ANONYMOUS_MAX: '1' } })
  const statusOf = async (token: string) => {
    const response = await fetch(`${url}/api/Auctions`, { headers: { authorization: `Bearer ${token}` } })
    await response.arrayBuffer()
    return response.status
  }

  let isOver = false
  let refused = 0
  const reached = Promise.withResolvers<void>()
  const flood = Array.from({ length: connections }, async () => {
    while (!isOver) {
      expect([401, 429]).toContain(await statusOf(junk()))
      refused += 1
      if (refused === connections) reached.resolve()
    }
  })
  await reached.promise
  const statuses: number[] = []
  // Three at a time, as callers come.
  const callers = Array.from({ length: 3 }, async () => {
    while (statuses.length < validTokens) statuses.push(await statusOf(tokenOf(crypto.randomUUID())))
  })
  await Promise.all(callers)
  isOver = true
  await Promise.all(flood)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(validTokens / 2)
})
