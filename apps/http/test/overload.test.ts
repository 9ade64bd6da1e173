import { describe, expect, test } from 'vitest'
import { stopTime } from '../../../tools/vitest/time.ts'
import { anonymousOf, clientOf, problem } from './support/client.ts'
import { rawConnection, requestBytes, statusesIn } from './support/raw-connection.ts'
import { startServer } from './support/server.ts'
import { jsonHeaders } from './support/tokens.ts'

/**
 * A server that accepts two concurrent requests, sixteen in a burst, and has received sixteen. Its store delays them. Where the machine is
 * busy, they arrive too slowly for a burst, and the server has refused some.
 */
async function serverThatHolds() {
  const held = Promise.withResolvers<void>()
  const all = Promise.withResolvers<void>()
  const holding = new Set<number>()
  let refused = 0
  const noteArrivals = () => {
    if (holding.size + refused === 16) all.resolve()
  }
  const server = await startServer({
    // The store holds them for longer than it may take by default, where the machine is busy.
    environment: { MAX_REQUESTS_AT_ONCE: '2', REQUEST_DEADLINE_SECONDS: '60' },
    replaceInStore: ({ insertAuction }) => ({
      async insertAuction(auction) {
        holding.add(auction.id)
        noteArrivals()
        await held.promise
        return insertAuction(auction)
      },
    }),
  })
  const creating = Array.from({ length: 16 }, async () => {
    const response = await clientOf(server).createAuction()
    if (response.status === 503) refused += 1
    noteArrivals()
    return response
  })
  await all.promise
  return { server, creating, accepted: holding.size, release: () => held.resolve() }
}

describe('a server with more requests than it can serve', () => {
  test('refuses the excess before it parses it, and serves the others', async () => {
    const { server, creating, accepted, release } = await serverThatHolds()
    expect(accepted).toBeGreaterThan(2)
    const headers = { 'x-request-id': 'mine' }
    const refusals = [
      await clientOf(server).placeBid({}, headers),
      await clientOf(server, 'garbage').post('/api/Bids', '{', headers),
      await anonymousOf(server).send('GET', '/nowhere', { headers }),
    ]
    for (const refused of refusals) {
      expect(refused).toMatchObject(problem(503, 'overloaded'))
      expect(refused.headers.get('retry-after')).toBe('1')
      expect(refused.headers.get('x-request-id')).toBe('mine')
      expect(refused.headers.get('cache-control')).toBe('no-store')
      expect(refused.headers.get('content-type')).toBe('application/problem+json')
    }
    release()
    const statuses = (await Promise.all(creating)).map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(accepted).fill(201), ...Array(16 - accepted).fill(503)])
    expect((await clientOf(server).placeBid()).status).toBe(201)
    const lines = server.log.map((line) => JSON.parse(line))
    expect(lines.filter(({ level }) => level === 40)).toMatchObject([
      { msg: expect.stringContaining('MAX_REQUESTS_AT_ONCE') },
    ])
  })

  test('responds to probes', async () => {
    const { server, release } = await serverThatHolds()
    for (const path of ['/livez', '/readyz', '/readyz?verbose']) {
      expect((await anonymousOf(server).get(path)).status).toBe(200)
    }
    release()
  })

  test.each([
    ['without a body', requestBytes('GET', '/api/Auctions', {})],
    ['with one', requestBytes('POST', '/api/Bids', { 'content-type': 'application/json' }, '{}')],
  ])('stops reading for a moment after it refuses a request %s', async (_what, bytes) => {
    const { server, release } = await serverThatHolds()
    const time = stopTime()
    const refused = await rawConnection(server.port)
    refused.write(bytes)
    await refused.until(/"code":"overloaded"/)
    refused.write(bytes)
    // Other connections are read, several times.
    for (let times = 0; times < 5; times++) expect((await anonymousOf(server).get('/livez')).status).toBe(200)
    expect(statusesIn(await refused.until(/overloaded/))).toEqual([503])
    time.pass(0.25)
    expect(statusesIn(await refused.until(/HTTP.*HTTP.*\}$/s))).toEqual([503, 503])
    release()
  })

  test('keeps the connection of a refused request, with or without a body', async () => {
    const { server, release } = await serverThatHolds()
    const connection = await rawConnection(server.port)
    const json = { 'content-type': 'application/json' }
    connection.write(requestBytes('POST', '/api/Bids', json, JSON.stringify({ amount: 'x'.repeat(50_000) })))
    await connection.until(/"code":"overloaded".*\}$/s)
    connection.write(requestBytes('HEAD', '/api/Auctions', {}))
    await connection.until(/\}HTTP.*\r\n\r\n$/s)
    connection.write(requestBytes('GET', '/livez', { connection: 'close' }))
    expect(statusesIn(await connection.ended())).toEqual([503, 503, 200])
    release()
  })

  test('does not count requests that are not complete', async () => {
    const server = await startServer({ environment: { MAX_REQUESTS_AT_ONCE: '2' } })
    const slow = await Promise.all(Array.from({ length: 40 }, () => rawConnection(server.port)))
    const post = requestBytes('POST', '/api/Auctions', { ...jsonHeaders, expect: '100-continue' }, '{"productId":7}')
    for (const connection of slow) {
      connection.write(post.slice(0, -10))
      await connection.until(/100 Continue/)
    }
    expect((await clientOf(server).get('/api/Auctions')).status).toBe(200)
    for (const connection of slow) connection.socket.destroy()
  })
})
