import { Agent, request } from 'node:http'
import { expect, test } from 'vitest'
import { startServer } from '../support/server.ts'
import { permissions, signedToken, tokenOf } from '../support/tokens.ts'
import { isFullSize } from './attack.ts'

const validTokens = isFullSize ? 330 : 33
// 3 at a time, each of which may wait for a second.
const timeoutMs = 60_000 + (validTokens / 3) * 1_000

const junk = () => signedToken({ sub: 'anna', permissions }, undefined, { key: crypto.randomUUID() })

test.each([
  // With those of the callers, nearly all connections that an address has.
  { from: 'their address', connections: 240, environment: {} },
  {
    from: 'their address behind a proxy',
    connections: isFullSize ? 450 : 300,
    environment: { TRUST_PROXY: '127.0.0.1' },
  },
])(
  'at least half of new valid tokens get through a flood of junk tokens from $from',
  { timeout: timeoutMs },
  async (flood) => {
    const { url } = await startServer({ environment: { RATE_LIMIT_ANONYMOUS_MAX: '1', ...flood.environment } })
    const forwarded = 'TRUST_PROXY' in flood.environment && { 'x-forwarded-for': '192.0.2.1' }
    const statusOf = (token: string, agent: Agent | false) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { authorization: `Bearer ${token}`, ...forwarded }
        const sent = request(`${url}/api/Auctions`, { agent, headers }, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode))
        })
        sent.on('error', reject).end()
      })

    let isOver = false
    let refused = 0
    const reached = Promise.withResolvers<void>()
    const sendJunk = async () => {
      const connection = new Agent({ keepAlive: true, maxSockets: 1 })
      while (!isOver) {
        expect([401, 429]).toContain(await statusOf(junk(), connection))
        refused += 1
        if (refused === flood.connections) reached.resolve()
      }
      connection.destroy()
    }
    const flooding = Promise.all(Array.from({ length: flood.connections }, sendJunk))
    const statuses: unknown[] = []
    const call = async () => {
      while (statuses.length < validTokens) statuses.push(await statusOf(tokenOf(crypto.randomUUID()), false))
    }
    // A flood that fails ends the test.
    await Promise.race([reached.promise, flooding])
    // Three at a time, as callers come.
    await Promise.race([Promise.all([call(), call(), call()]), flooding])
    isOver = true
    await flooding
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(validTokens / 2)
  },
)
