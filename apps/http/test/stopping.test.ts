import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../../tools/vitest/listen.ts'
import { longTest } from '../../../tools/vitest/long-test.ts'
import { isLong, sampleOf } from '../../../tools/vitest/size.ts'
import { anonymousOf, clientOf, newAuction, newBid, problem } from './support/client.ts'
import { type RawConnection, rawConnection, requestBytes, statusesIn } from './support/raw-connection.ts'
import { logLines, startProcess, startServerProcess, temporaryFolder } from './support/server-process.ts'
import { jsonHeaders, secret } from './support/tokens.ts'

const closing = /"msg":"closing"/

const post = (headers: Readonly<Record<string, string>>) =>
  requestBytes('POST', '/api/Auctions', { ...jsonHeaders, ...headers }, JSON.stringify(newAuction))

/** Sends a request whose body stops halfway, once the server waits for it. */
async function halfSent(connection: RawConnection): Promise<void> {
  connection.write(post({ expect: '100-continue' }).slice(0, -20))
  await connection.until(/100 Continue/)
}

test('with probes, the server is first not ready, and serves until the probes have had time to read that', async () => {
  const server = await startServerProcess({ JWT_SECRET: secret, SHUTDOWN_SECONDS: '4' })
  const idle = await rawConnection(server.port)
  idle.write(requestBytes('GET', '/livez', {}))
  await idle.until(/\}$/)
  expect((await anonymousOf(server).get('/readyz')).status).toBe(200)
  server.child.kill('SIGTERM')
  await server.until(closing)
  expect(await anonymousOf(server).get('/readyz')).toMatchObject(problem(503, 'overloaded'))
  const created = await clientOf(server).createAuction()
  expect([created.status, created.headers.get('connection')]).toEqual([201, 'close'])
  // An idle connection stays open until its next response.
  idle.write(requestBytes('GET', '/livez', {}))
  expect(await idle.ended()).toMatch(/connection: close/)
  expect(await server.exited()).toBe(0)
  expect(logLines(server.stdout()).at(-1)).toMatchObject({ msg: 'closed', ms: expect.any(Number) })
})

longTest('without probes, the server does not wait for them', async () => {
  const server = await startServerProcess({ JWT_SECRET: secret, SHUTDOWN_SECONDS: '600' })
  const idle = await rawConnection(server.port)
  idle.write(requestBytes('GET', '/livez', {}))
  await idle.until(/\}$/)
  server.child.kill('SIGTERM')
  await idle.ended()
  expect(await server.exited()).toBe(0)
})

test.each(isLong ? ['0', '1'] : [])(
  'half of a body is 503 within SHUTDOWN_SECONDS=%s, and the process exits with 0',
  async (SHUTDOWN_SECONDS) => {
    const server = await startServerProcess({ JWT_SECRET: secret, SHUTDOWN_SECONDS })
    const connection = await rawConnection(server.port)
    await halfSent(connection)
    server.child.kill('SIGTERM')
    const received = await connection.ended()
    expect(statusesIn(received)).toEqual([100, 503])
    expect(received).toMatch(/connection: close/)
    expect(await server.exited()).toBe(0)
    expect(logLines(server.stdout()).slice(1)).toMatchObject([
      { msg: 'closing' },
      { method: 'POST', status: 503, code: 'overloaded' },
      { msg: 'closed' },
    ])
  },
)

test('requests that are not complete delay the end for one second, with any SHUTDOWN_SECONDS', async () => {
  const server = await startServerProcess({ JWT_SECRET: secret, SHUTDOWN_SECONDS: '600' })
  const chunked = requestBytes('POST', '/api/Auctions', { ...jsonHeaders, 'transfer-encoding': 'chunked' })
  const withoutBody = post({ expect: '100-continue' }).replace(/\{.*/s, '')
  const connections = await Promise.all(
    [post({}).slice(0, -20), `${chunked}ff\r\n{"`, withoutBody].map(async (bytes) => {
      const connection = await rawConnection(server.port)
      connection.write(bytes)
      return connection
    }),
  )
  // The server has read them before it responds.
  expect((await anonymousOf(server).get('/livez')).status).toBe(200)
  server.child.kill('SIGTERM')
  for (const connection of connections) {
    const received = await connection.ended()
    expect(statusesIn(received).at(-1)).toBe(503)
    expect(received).toMatch(/"message":"The server is shutting down; nothing was changed/)
  }
  expect(await server.exited()).toBe(0)
})

longTest('idle connections and half of a head do not delay the end', async () => {
  const server = await startServerProcess({ JWT_SECRET: secret, SHUTDOWN_SECONDS: '600' })
  const silent = await rawConnection(server.port)
  const half = await rawConnection(server.port)
  half.write('GET /api/Auctions HTTP/1.1\r\nhost: ')
  expect((await anonymousOf(server).get('/livez')).status).toBe(200)
  server.child.kill('SIGTERM')
  await Promise.all([silent.ended(), half.ended()])
  expect(await server.exited()).toBe(0)
})

test('a bid without a response from the store has an unknown outcome, and the process exits with 0', async () => {
  const folder = temporaryFolder()
  const server = await startServerProcess({ JWT_SECRET: secret, SHUTDOWN_SECONDS: '1', LOG_LEVEL: 'info' }, { folder })
  const auctionId = (await clientOf(server).createAuction({ startTime: '2020-01-01T00:00:00Z' })).body.data.id
  const placed = await clientOf(server).placeBid({ auctionId })
  expect(placed.status).toBe(201)
  // The lock keeps the server from writing to the file.
  const database = new DatabaseSync(join(folder, 'data', 'auctions.sqlite'), { timeout: 10_000 })
  onTestFinished(() => database.close())
  database.exec('BEGIN IMMEDIATE')
  const connection = await rawConnection(server.port)
  const bid = JSON.stringify({ ...newBid, auctionId, amount: 200 })
  connection.write(requestBytes('POST', '/api/Bids', { ...jsonHeaders, expect: '100-continue' }, bid))
  await connection.until(/100 Continue/)
  server.child.kill('SIGTERM')
  const received = await connection.ended()
  expect(statusesIn(received)).toEqual([100, 503])
  expect(received).toContain('"code":"store-unavailable"')
  expect(received).toMatch(/shutting down and the store has not responded; the outcome of the request is unknown/)
  expect(await server.exited()).toBe(0)
})

test.each(sampleOf(['SIGTERM', 'SIGINT'] as const))(
  '%s during the start ends the process with code 0',
  async (signal) => {
    // A database that accepts connections and does not respond.
    const database = createServer((socket) => socket.on('error', () => undefined))
    const port = await listen(database)
    const connected = once(database, 'connection')
    const server = startProcess({ MONGODB_URI: `mongodb://127.0.0.1:${port}/auctions`, JWT_SECRET: secret })
    await connected
    server.child.kill(signal)
    expect(await server.exited()).toBe(0)
    expect(server.stdout() + server.stderr()).toBe('')
  },
)

longTest('a signal just before the server listens ends the process', async () => {
  const before = `
    import { Server } from 'node:net'
    const { listen } = Server.prototype
    Server.prototype.listen = function (...args) {
      process.kill(process.pid, 'SIGTERM')
      return listen.apply(this, args)
    }`
  const server = startProcess({ JWT_SECRET: secret, STORE: 'memory' }, { before })
  expect(await server.exited()).toBe(0)
})
