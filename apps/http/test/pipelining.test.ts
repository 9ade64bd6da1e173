import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { clientOf } from './support/client.ts'
import {
  creation,
  exchange,
  type RawConnection,
  rawConnection,
  requestBytes,
  statusesIn,
} from './support/raw-connection.ts'
import { startHeldServer, startServer } from './support/server.ts'
import { stored } from './support/stored.ts'

const read = requestBytes('GET', '/nowhere', {})
const environment = { RATE_LIMIT_MAX: '1000000' }

test.each([
  ['in one write', (connection: RawConnection) => connection.write(creation + creation + read)],
  [
    'in two',
    (connection: RawConnection, begun: Promise<void>) => {
      connection.write(creation)
      begun.then(() => connection.write(creation + read))
    },
  ],
])('a connection closes after the response if the next request came before it: %s', async (_how, send) => {
  const server = await startHeldServer(environment)
  const connection = await rawConnection(server.port)
  send(connection, server.begun)
  await server.begun
  // The server reads the other connection before it responds to this.
  await clientOf(server).get('/api/Auctions')
  server.release()
  const received = await connection.ended()
  expect(statusesIn(received)).toEqual([201])
  expect(received).toMatch(/^connection: close\r$/im)
  expect(await stored(server)).toMatchObject({ auctions: 1 })
})

test('a connection closes after an early request, even if the response is already sent', async () => {
  const server = await startServer({ environment })
  expect(statusesIn(await exchange(server.port, requestBytes('GET', '/nowhere', {}) + creation))).toEqual([404])
  expect(await stored(server)).toMatchObject({ auctions: 0 })
})

test('a request whose head starts before the previous response is complete is carried out', async () => {
  const server = await startServer({ environment })
  const connection = await rawConnection(server.port)
  connection.write(requestBytes('GET', '/nowhere', {}) + creation.slice(0, 40))
  await connection.until(/ 404 /)
  connection.write(creation.slice(40))
  await connection.until(/ 201 /)
  connection.socket.destroy()
})

test('bytes after an early request are not parsed, and the log reports that once', async () => {
  const server = await startHeldServer(environment)
  for (let count = 0; count < 2; count++) {
    const connection = await rawConnection(server.port)
    connection.write(`${creation}${read.repeat(1_500)}garbage\r\n\r\n`)
    await server.begun
    await clientOf(server).get('/api/Auctions')
    server.release()
    expect(statusesIn(await connection.ended())).toEqual([201])
  }
  const lines = server.log.map((line) => JSON.parse(line))
  expect(lines.filter(({ path }) => path === '/nowhere')).toEqual([])
  expect(lines.filter(({ level }) => level === 40)).toHaveLength(1)
})

test('a POST that a reset interrupts is carried out, with its log line', async () => {
  const server = await startHeldServer(environment)
  const connection = await rawConnection(server.port)
  connection.write(creation.repeat(200))
  await server.begun
  connection.socket.resetAndDestroy()
  await once(connection.socket, 'close')
  server.release()
  // It waits for all requests in flight.
  await server.app.close()
  expect((await stored(server)).auctions).toBe(1)
  const posts = server.log.map((line) => JSON.parse(line)).filter(({ method }) => method === 'POST')
  expect(posts.length).toBe(1)
})

test('garbage after a request closes the connection after the response', async () => {
  const server = await startServer({ environment })
  const received = await exchange(server.port, `${creation}garbage\r\n\r\n`)
  expect(statusesIn(received)).toEqual([201])
  expect(received).toMatch(/^connection: close\r$/im)
})

test('repeated garbage after a request closes the connection once', async () => {
  const warnings: Error[] = []
  const onWarning = (warning: Error) => warnings.push(warning)
  process.on('warning', onWarning)
  onTestFinished(() => {
    process.off('warning', onWarning)
  })
  const server = await startHeldServer(environment)
  const connection = await rawConnection(server.port)
  connection.write(creation)
  for (let count = 0; count < 20; count++) {
    connection.write('garbage\r\n\r\n')
    await clientOf(server).get('/nowhere')
  }
  server.release()
  expect(statusesIn(await connection.ended())).toEqual([201])
  expect(warnings).toEqual([])
})
