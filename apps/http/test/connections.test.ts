import { once } from 'node:events'
import type { Socket } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { creation, exchange, rawConnection, requestBytes, statusesIn } from './support/raw-connection.ts'
import { startHeldServer, startServer, type TestServer } from './support/server.ts'
import { jsonHeaders } from './support/tokens.ts'

const read = requestBytes('GET', '/api/Auctions', jsonHeaders)

/** A connection with its socket at the server. */
async function bothEnds(server: TestServer) {
  const accepted = once(server.app.server, 'connection')
  const connection = await rawConnection(server.port)
  const [socket]: Socket[] = await accepted
  if (socket === undefined) throw new Error('a connection has a socket')
  return { connection, socket, closed: once(socket, 'close') }
}

test('a request that is not complete after REQUEST_TIMEOUT_SECONDS is ended', async () => {
  const server = await startServer({ environment: { REQUEST_TIMEOUT_SECONDS: '1' } })
  const half = creation.slice(0, -20)
  const requests: readonly (readonly [what: string, bytes: string, statuses: readonly number[]])[] = [
    ['nothing of it', '', [408]],
    ['half of its first line', 'GET /api/Auc', [408]],
    ['half of its headers', creation.slice(0, 100), [408]],
    ['half of its body', half, [408]],
    ['half of its body, on a path that refuses it', half.replace('/api/Auctions', '/nowhere'), [404]],
    ['half of its headers after another', requestBytes('GET', '/nowhere', {}) + creation.slice(0, 100), [404, 408]],
  ]
  const opened: Awaited<ReturnType<typeof bothEnds>>[] = []
  for (const [, bytes] of requests) {
    const ends = await bothEnds(server)
    ends.connection.write(bytes)
    opened.push(ends)
  }
  const slow = await bothEnds(server)
  const bytes = [...half]
  const dripping = setInterval(() => slow.connection.write(bytes.shift() ?? ''), 20)
  await Promise.all([...opened, slow].map(({ closed }) => closed))
  clearInterval(dripping)
  expect(statusesIn(await slow.connection.ended()), 'bytes that arrive one by one').toEqual([408])
  for (const [index, [what, , statuses]] of requests.entries()) {
    expect(statusesIn((await opened[index]?.connection.ended()) ?? ''), what).toEqual(statuses)
  }
  expect((await server.store.listAuctions({ limit: 1, order: 'newest' })).items).toEqual([])
})

describe('a request whose end is unknown gets one response, after which its connection closes', () => {
  const chunked = { ...jsonHeaders, 'transfer-encoding': 'chunked', authorization: 'Bearer x' }

  test('with a coding that the server does not decode', async () => {
    const { port } = await startServer()
    const received = await exchange(port, requestBytes('GET', '/livez', { 'transfer-encoding': 'gzip' }))
    expect(statusesIn(received)).toEqual([400])
    expect(received).toContain('\r\nconnection: close\r\n')
  })

  test.each([
    ['401', '/api/Auctions'],
    ['404', '/nowhere'],
  ])('with a malformed rest of its body after a %s', async (status, path) => {
    const { port } = await startServer()
    const connection = await rawConnection(port)
    connection.write(requestBytes('POST', path, chunked))
    await connection.until(/\r\n\r\n\{.*\}$/)
    connection.write('nonsense\r\n')
    expect(statusesIn(await connection.ended())).toEqual([Number(status)])
  })
})

const connectionsOf = ({ app }: TestServer) => promisify(app.server.getConnections.bind(app.server))()

describe('a connection of an address with', () => {
  const refused = requestBytes('GET', '/nowhere', {})
  const admitted = requestBytes('GET', '/api/Auctions', jsonHeaders)
  const probe = requestBytes('GET', '/livez', {})
  const aboveShare = { MAX_CONNECTIONS_PER_ADDRESS: '8' }
  type Case = {
    readonly what: string
    readonly request: string
    readonly connections: number
    readonly environment?: Readonly<Record<string, string>>
    readonly statuses: readonly number[]
  }

  test.each<Case>([
    { what: 'many others, after a refusal without a token', request: refused, connections: 9, statuses: [404, 404] },
    {
      what: 'many others, after a 429',
      ...{ request: admitted, connections: 9, environment: { RATE_LIMIT_MAX: '1' }, statuses: [200, 429, 429] },
    },
    {
      what: 'more than its share, after a health check',
      ...{ request: probe, connections: 9, environment: aboveShare, statuses: [200, 200] },
    },
  ])('$what is not read for a while', async (given) => {
    expect(await sendThrough(given)).toEqual({ pauses: 2, received: given.statuses })
  })

  test.each<Case>([
    { what: 'few others, after a refusal', request: refused, connections: 8, statuses: [404, 404] },
    { what: 'many others, after a health check', request: probe, connections: 9, statuses: [200, 200] },
    {
      what: 'more than its share, after a success',
      ...{ request: admitted, connections: 9, environment: aboveShare, statuses: [200, 200] },
    },
    {
      what: 'many others, which is a trusted proxy',
      ...{ request: refused, connections: 9, environment: { TRUST_PROXY: '127.0.0.1' }, statuses: [404, 404] },
    },
  ])('$what is read at once', async (given) => {
    expect(await sendThrough(given)).toEqual({ pauses: 0, received: given.statuses })
  })

  /** Sends one request after the other on one of several connections. */
  async function sendThrough({ connections, request, environment = {}, statuses }: Case) {
    const server = await startServer({ environment })
    const { connection, socket } = await bothEnds(server)
    await Promise.all(Array.from({ length: connections - 1 }, () => rawConnection(server.port)))
    await expect.poll(() => connectionsOf(server)).toBe(connections)
    const pause = vi.spyOn(socket, 'pause')
    for (const [index] of statuses.entries()) {
      connection.write(request)
      await connection.until(new RegExp(`(HTTP[^]*){${index + 1}}\\}$`))
    }
    await expect.poll(() => socket.isPaused()).toBe(false)
    return { pauses: pause.mock.calls.length, received: statusesIn(await connection.until(/\}$/)) }
  }
})

test('an idle connection closes after IDLE_TIMEOUT_SECONDS, and one with a request in progress stays', async () => {
  const server = await startHeldServer({ IDLE_TIMEOUT_SECONDS: '2' })
  const [idle, working] = [await bothEnds(server), await bothEnds(server)]
  idle.connection.write(read)
  working.connection.write(creation)
  await Promise.all([idle.closed, once(working.socket, 'timeout')])
  expect(statusesIn(await idle.connection.ended())).toEqual([200])
  server.release()
  expect(statusesIn(await working.connection.until(/\}$/))).toEqual([201])
  working.connection.socket.destroy()
})

const warningsOf = ({ log }: TestServer) => log.map((line) => JSON.parse(line)).filter(({ level }) => level === 40)

describe.each([
  ['MAX_CONNECTIONS', { MAX_CONNECTIONS: '2', MAX_CONNECTIONS_PER_ADDRESS: '9' }, { maxConnections: 2 }],
  [
    'MAX_CONNECTIONS_PER_ADDRESS',
    { MAX_CONNECTIONS: '5', MAX_CONNECTIONS_PER_ADDRESS: '2' },
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
    ['a part of a body', creation.slice(0, -20), /^$/],
    ['bytes that are not HTTP', 'garbage\r\n\r\n', /"code":"bad-request".*\}$/s],
    ['CONNECT', requestBytes('CONNECT', 'localhost:80', {}), /"code":"bad-request".*\}$/s],
  ])('%s makes no connection busy', async (_what, bytes, response) => {
    const server = await startServer({ environment })
    const sending = [await bothEnds(server), await bothEnds(server)]
    for (const { connection } of sending) {
      connection.write(bytes)
      await connection.until(response)
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
      connection.write(creation)
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
