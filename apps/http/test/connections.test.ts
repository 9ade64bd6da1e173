import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createPeerAddress } from '../src/host/security/rate-limit/client-address.ts'
import { newAuction } from './support/client.ts'
import { startHeldServer } from './support/held-server.ts'
import { rawConnection, requestBytes, statusesIn } from './support/raw-connection.ts'
import { startServer, type TestServer } from './support/server.ts'
import { tokenOf } from './support/tokens.ts'

const json = { authorization: `Bearer ${tokenOf('anna')}`, 'content-type': 'application/json' }

const read = requestBytes('GET', '/api/Auctions', json)
const post = requestBytes('POST', '/api/Auctions', json, JSON.stringify(newAuction))

/** A connection with its socket at the server. */
async function bothEnds(server: TestServer) {
  const accepted = once(server.app.server, 'connection')
  const connection = await rawConnection(server.port)
  const [socket]: Socket[] = await accepted
  if (socket === undefined) throw new Error('a connection has a socket')
  return { connection, closed: once(socket, 'close') }
}

describe('a request that is not complete after REQUEST_TIMEOUT_SECONDS', () => {
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
    ['half of its headers after another request', requestBytes('GET', '/nowhere', {}) + post.slice(0, 100), [404, 408]],
  ])('is ended: %s', async (_what, bytes, statuses) => {
    const server = await startServer({ environment: { REQUEST_TIMEOUT_SECONDS: '1' } })
    const { connection, closed } = await bothEnds(server)
    connection.write(bytes)
    await closed
    expect(statusesIn(await connection.ended())).toEqual(statuses)
    expect((await server.store.listAuctions({ limit: 1, order: 'newest' })).items).toEqual([])
  })

  test('ends even if its bytes arrive one by one', async () => {
    const server = await startServer({ environment: { REQUEST_TIMEOUT_SECONDS: '1' } })
    const { connection, closed } = await bothEnds(server)
    const bytes = [...post.slice(0, -20)]
    const dripping = setInterval(() => connection.write(bytes.shift() ?? ''), 20)
    await closed
    clearInterval(dripping)
    expect(statusesIn(await connection.ended())).toEqual([408])
  })
})

test('an idle connection closes', async () => {
  const server = await startServer({ environment: { IDLE_TIMEOUT_SECONDS: '2' } })
  const { connection, closed } = await bothEnds(server)
  connection.write(read)
  await closed
  expect(statusesIn(await connection.ended())).toEqual([200])
})

test('IDLE_TIMEOUT_SECONDS does not end a request in progress', async () => {
  const server = await startHeldServer({ IDLE_TIMEOUT_SECONDS: '2' })
  const accepted = once(server.app.server, 'connection')
  const connection = await rawConnection(server.port)
  const [socket]: Socket[] = await accepted
  if (socket === undefined) throw new Error('a connection has a socket')
  connection.write(post)
  await once(socket, 'timeout')
  server.release()
  expect(statusesIn(await connection.until(/\}$/))).toEqual([201])
  connection.socket.destroy()
})

const warningsOf = ({ log }: TestServer) => log.map((line) => JSON.parse(line)).filter(({ level }) => level === 40)

describe.each([
  ['MAX_CONNECTIONS', { MAX_CONNECTIONS: '2', MAX_CONNECTIONS_PER_ADDRESS: '9' }, { maxConnections: 2 }],
  [
    'MAX_CONNECTIONS_PER_ADDRESS',
    { MAX_CONNECTIONS: '9', MAX_CONNECTIONS_PER_ADDRESS: '2' },
    { maxConnectionsPerAddress: 2, address: '127.0.0.1' },
  ],
])('at %s', (_limit, environment, warning) => {
  test('the connection that is idle for longest is closed for a new one, and the log reports that once', async () => {
    const server = await startServer({ environment })
    const first = await bothEnds(server)
    let second = await bothEnds(server)
    for (let count = 0; count < 3; count++) {
      first.connection.write(read)
      await first.connection.until(/"nextCursor":null\},"now":"[^"]+"\}$/)
      const third = await bothEnds(server)
      await second.closed
      expect(await second.connection.ended()).toBe('')
      second = third
    }
    second.connection.write(requestBytes('GET', '/livez', { connection: 'close' }))
    expect(statusesIn(await second.connection.ended())).toEqual([200])
    first.connection.socket.destroy()
    expect(warningsOf(server)).toMatchObject([warning])
  })

  test.each([
    ['half of a head', 'GET / HTTP/1.1\r\nhost:', /^$/],
    ['a part of a body', post.slice(0, -20), /^$/],
    ['bytes that are not HTTP', 'garbage\r\n\r\n', /"code":"bad-request".*\}$/s],
    ['CONNECT', requestBytes('CONNECT', 'localhost:80', {}), /"code":"bad-request".*\}$/s],
  ])('%s makes no connection busy', async (_what, bytes, answer) => {
    const server = await startServer({ environment })
    const sending = [await bothEnds(server), await bothEnds(server)]
    for (const { connection } of sending) {
      connection.write(bytes)
      await connection.until(answer)
    }
    for (const { closed } of sending) {
      const probe = await bothEnds(server)
      probe.connection.write(requestBytes('GET', '/livez', {}))
      await probe.connection.until(/\}$/)
      await closed
    }
  })

  test('a connection with a request in progress stays, and a new one is closed if all have one', async () => {
    const server = await startHeldServer(environment)
    const working = [await bothEnds(server), await bothEnds(server)]
    for (const { connection } of working) {
      const begun = once(server.app.server, 'request')
      connection.write(post)
      await begun
    }
    const refused = await rawConnection(server.port)
    expect(await refused.ended()).toBe('')
    server.release()
    for (const { connection } of working) expect(statusesIn(await connection.until(/\}$/))).toEqual([201])
    const next = await bothEnds(server)
    next.connection.write(requestBytes('GET', '/livez', { connection: 'close' }))
    expect(statusesIn(await next.connection.ended())).toEqual([200])
    for (const { connection } of working) connection.socket.destroy()
  })
})

test('a proxy in TRUST_PROXY has no limit', async () => {
  const server = await startServer({ environment: { TRUST_PROXY: '127.0.0.0/8', MAX_CONNECTIONS_PER_ADDRESS: '1' } })
  const connections = [await bothEnds(server), await bothEnds(server), await bothEnds(server)]
  for (const { connection } of connections) {
    connection.write(requestBytes('GET', '/livez', { connection: 'close' }))
    expect(statusesIn(await connection.ended())).toEqual([200])
  }
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
