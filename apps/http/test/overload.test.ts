import { setImmediate as nextTurn } from 'node:timers/promises'
import { createOverloadGate } from '@auction/host/server'
import { describe, expect, test } from 'vitest'
import { stopTime } from '../../../tools/vitest/time.ts'
import { anonymousOf, clientOf, problem } from './support/client.ts'
import { rawConnection, requestBytes, statusesIn } from './support/raw-connection.ts'
import { startServer } from './support/server.ts'
import { tokenOf } from './support/tokens.ts'

const maxAtOnce = 512
const authorized = { authorization: `Bearer ${tokenOf('anna')}`, 'content-type': 'application/json' }

/** A gate with a clock and a number of requests that wait for the store, which tests set. */
function gateUnderTest() {
  const now = { ms: 1_000, inWork: 0 }
  const admits = createOverloadGate(
    maxAtOnce,
    () => now.inWork,
    () => now.ms,
  )
  return {
    now,
    /**
     * One turn of the event loop, in which `requests` arrive, after those of addresses above their share. Returns how many of `requests`
     * are admitted.
     */
    async turn(requests: number, ms = 10, aboveShare = 0): Promise<number> {
      let admitted = 0
      for (let count = 0; count < aboveShare; count++) admits(true)
      for (let count = 0; count < requests; count++) if (admits()) admitted += 1
      now.ms += ms
      await nextTurn()
      return admitted
    },
  }
}

describe('the gate against overload', () => {
  test('never refuses clients that wait for their responses, up to its limit', async () => {
    const { turn } = gateUnderTest()
    // As slow as possible.
    for (let turns = 0; turns < 200; turns++) expect(await turn(maxAtOnce, 1_000)).toBe(maxAtOnce)
  })

  test('accepts a burst of any size, and another one after the same time', async () => {
    const { turn, now } = gateUnderTest()
    for (let bursts = 0; bursts < 20; bursts++) {
      expect(await turn(4_000, 400)).toBe(4_000)
      now.ms += 400
    }
    expect(await turn(10_000)).toBe(8 * maxAtOnce)
  })

  test('limits each turn while a queue lasts, and for some time after it', async () => {
    const { turn } = gateUnderTest()
    const admitted: number[] = []
    for (let turns = 0; turns < 20; turns++) admitted.push(await turn(1_000))
    // Ten turns of 10 ms.
    expect(admitted).toEqual([...Array(10).fill(1_000), ...Array(10).fill(maxAtOnce)])
    for (let turns = 0; turns < 11; turns++) expect(await turn(100)).toBe(100)
    expect(await turn(1_000)).toBe(1_000)
  })

  test('admits others while addresses above their share cause a queue', async () => {
    const { turn } = gateUnderTest()
    for (let turns = 0; turns < 200; turns++) expect(await turn(maxAtOnce / 2, 10, 2 * maxAtOnce)).toBe(maxAtOnce / 2)
  })

  test('counts bursts with short pauses as one queue', async () => {
    const { turn, now } = gateUnderTest()
    expect(await turn(1_500, 150)).toBe(1_500)
    for (let bursts = 0; bursts < 20; bursts++) {
      now.ms += 30
      expect(await turn(1_500, 150)).toBe(maxAtOnce)
    }
  })

  test('forgets a queue after some time without requests', async () => {
    const { turn, now } = gateUnderTest()
    for (let turns = 0; turns < 1_000; turns++) await turn(1_000)
    now.ms += 1_000
    expect(await turn(1_000)).toBe(1_000)
  })

  test('counts requests that wait for the store, with few new ones', async () => {
    const { turn, now } = gateUnderTest()
    now.inWork = maxAtOnce
    now.ms += 5_000
    expect(await turn(10)).toBe(10)
    now.inWork = maxAtOnce + 1
    now.ms += 5_000
    expect(await turn(10)).toBe(0)
    now.inWork = maxAtOnce - 4
    expect(await turn(10)).toBe(4)
  })
})

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
    const answer = await clientOf(server).createAuction()
    if (answer.status === 503) refused += 1
    noteArrivals()
    return answer
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

  test('answers probes', async () => {
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
    const post = requestBytes('POST', '/api/Auctions', { ...authorized, expect: '100-continue' }, '{"productId":7}')
    for (const connection of slow) {
      connection.write(post.slice(0, -10))
      await connection.until(/100 Continue/)
    }
    expect((await clientOf(server).get('/api/Auctions')).status).toBe(200)
    for (const connection of slow) connection.socket.destroy()
  })
})
