import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { clientOf, newAuction } from './support/client.ts'
import { rawConnection, requestBytes, statusesIn } from './support/raw-connection.ts'
import { startServer, type TestServer } from './support/server.ts'
import { tokenOf } from './support/tokens.ts'

const json = { authorization: `Bearer ${tokenOf('anna')}`, 'content-type': 'application/json' }

/** A connection, and the server's end of it. */
async function bothEnds(server: TestServer) {
  const accepted = once(server.app.server, 'connection')
  const connection = await rawConnection(server.port)
  const [socket]: Socket[] = await accepted
  if (socket === undefined) throw new Error('a connection has a socket')
  return { connection, closed: once(socket, 'close') }
}

describe('a request that does not arrive whole in REQUEST_TIMEOUT_SECONDS', () => {
  const post = requestBytes('POST', '/api/Auctions', json, JSON.stringify(newAuction))
  test.each([
    ['nothing of it', '', [408]],
    ['half of its first line', 'GET /api/Auc', [408]],
    ['half of its headers', post.slice(0, 100), [408]],
    ['half of its body', post.slice(0, -20), [408]],
    [
      'half of its body, on a path that refuses it',
      post.slice(0, -20).replace('/api/Auctions', '/nowhere'),
      [404, 408],
    ],
    ['half of it behind another', requestBytes('GET', '/nowhere', {}) + post.slice(0, -20), [404, 408]],
  ])('is ended: %s', async (_what, bytes, statuses) => {
    const server = await startServer({ environment: { REQUEST_TIMEOUT_SECONDS: '1' } })
    const { connection, closed } = await bothEnds(server)
    connection.write(bytes)
    await closed
    expect(statusesIn(await connection.ended())).toEqual(statuses)
    expect((await server.store.listAuctions({ limit: 1, order: 'newest' })).auctions).toEqual([])
  })

  test('is ended by itself, not by anything else that is on its way', async () => {
    const server = await startServer({ environment: { REQUEST_TIMEOUT_SECONDS: '1' } })
    const { connection, closed } = await bothEnds(server)
    const bytes = [...post.slice(0, -20)]
    const dripping = setInterval(() => connection.write(bytes.shift() ?? ''), 20)
    await closed
    clearInterval(dripping)
    expect(statusesIn(await connection.ended())).toEqual([408])
  })
})

test('a connection on which nothing moves is closed', async () => {
  const server = await startServer({ environment: { IDLE_TIMEOUT_SECONDS: '2' } })
  const { connection, closed } = await bothEnds(server)
  connection.write(requestBytes('GET', '/api/Auctions', json))
  await closed
  expect(statusesIn(await connection.ended())).toEqual([200])
})

test('connections beyond MAX_CONNECTIONS are closed at once, which the log tells once', async () => {
  const server = await startServer({ environment: { MAX_CONNECTIONS: '2' } })
  const served = [await bothEnds(server), await bothEnds(server)]
  for (let count = 0; count < 5; count++) {
    const refused = await rawConnection(server.port)
    refused.write(requestBytes('GET', '/api/Auctions', json))
    expect(await refused.ended()).toBe('')
  }
  for (const { connection } of served) {
    connection.write(requestBytes('GET', '/api/Auctions', { ...json, connection: 'close' }))
    expect(statusesIn(await connection.ended())).toEqual([200])
  }
  await Promise.all(served.map(({ closed }) => closed))
  expect((await clientOf(server).get('/api/Auctions')).status).toBe(200)
  const warnings = server.log.map((line) => JSON.parse(line)).filter(({ level }) => level === 40)
  expect(warnings).toMatchObject([{ maxConnections: 2 }])
})
