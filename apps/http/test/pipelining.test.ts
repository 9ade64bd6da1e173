import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { clientOf, newAuction } from './support/client.ts'
import { rawConnection, requestBytes, statusesIn } from './support/raw-connection.ts'
import { startServer } from './support/server.ts'
import { startServerProcess } from './support/server-process.ts'
import { stored } from './support/stored.ts'
import { secret, tokenOf } from './support/tokens.ts'

const json = { authorization: `Bearer ${tokenOf('anna')}`, 'content-type': 'application/json' }
const post = requestBytes('POST', '/api/Auctions', json, JSON.stringify(newAuction))
const environment = { RATE_LIMIT_MAX: '1000000' }

/** A server on which the creation of auctions waits for the test, and which counts how many have begun. */
async function startHeldServer() {
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  let started = 0
  const server = await startServer({
    environment,
    replaceInStore: ({ insertAuction }) => ({
      insertAuction: async (auction) => {
        started += 1
        begun.resolve()
        await held.promise
        return insertAuction(auction)
      },
    }),
  })
  // A test that fails before has a server that ends all the same.
  onTestFinished(() => held.resolve())
  return { ...server, begun: begun.promise, release: () => held.resolve(), started: () => started }
}

test('requests that are sent at once on one connection are answered one after the other', async () => {
  const server = await startServer({ environment })
  const connection = await rawConnection(server.port)
  connection.write(post.repeat(300) + requestBytes('GET', '/api/Auctions', { ...json, connection: 'close' }))
  const statuses = statusesIn(await connection.ended())
  expect(statuses).toEqual([...Array.from({ length: 300 }, () => 201), 200])
})

test('a body that arrives in pieces behind other requests is read whole', async () => {
  const server = await startServer({ environment })
  const connection = await rawConnection(server.port)
  connection.write(post.repeat(3) + post.slice(0, -30))
  await connection.until(/"id":3,/)
  connection.write(post.slice(-30) + requestBytes('GET', '/api/Auctions', { ...json, connection: 'close' }))
  expect(statusesIn(await connection.ended())).toEqual([201, 201, 201, 201, 200])
})

describe('200 POSTs that a reset cuts off', () => {
  test('are carried out as far as they were started, each with its log line', async () => {
    const server = await startHeldServer()
    const connection = await rawConnection(server.port)
    connection.write(post.repeat(200))
    await server.begun
    connection.socket.resetAndDestroy()
    await once(connection.socket, 'close')
    server.release()
    // It waits for all that is under way.
    await server.app.close()
    const { auctions } = await stored(server)
    expect(auctions).toBe(server.started())
    expect(auctions).toBeLessThan(3)
    const posts = server.log.map((line) => JSON.parse(line)).filter(({ method }) => method === 'POST')
    expect(posts.length).toBe(auctions)
  })

  test('are all in the log of the process, which ends with 0', async () => {
    const server = await startServerProcess({ JWT_SECRET: secret, ...environment })
    const port = Number(new URL(server.url).port)
    for (let count = 0; count < 10; count++) {
      const connection = await rawConnection(port)
      connection.write(post.repeat(200))
      await connection.until(/ 201 /)
      connection.socket.resetAndDestroy()
      await once(connection.socket, 'close')
    }
    const { items } = (await clientOf(server).get('/api/Auctions?limit=1')).body.data
    server.child.kill('SIGTERM')
    expect(await server.exited()).toBe(0)
    const lines = server
      .stdout()
      .split('\n')
      .filter((line) => line.includes('"method":"POST"'))
    expect(lines.length).toBe(items[0].id)
  })
})

test('a connection on which requests wait is not read any further', async () => {
  const server = await startHeldServer()
  const accepted = once(server.app.server, 'connection')
  const connection = await rawConnection(server.port)
  const [socket]: Socket[] = await accepted
  const long = requestBytes('GET', '/nowhere', { filler: 'x'.repeat(15_000) })
  connection.write(post + long.repeat(2_000) + requestBytes('GET', '/nowhere', { connection: 'close' }))
  await server.begun
  // Turns of the event loop, in each of which Node would read 64 KiB.
  for (let count = 0; count < 50; count++) await clientOf(server).get('/nowhere')
  expect(socket?.bytesRead).toBeLessThan(3 * 65_536)
  server.release()
  expect(statusesIn(await connection.ended())).toHaveLength(2_002)
})

test('garbage behind requests that wait takes no place of theirs', async () => {
  const server = await startServer({ environment })
  const connection = await rawConnection(server.port)
  connection.write(`${post.repeat(3)}garbage\r\n\r\n`)
  expect(statusesIn(await connection.ended())).toEqual([201, 201, 201, 400])
})

test('more and more garbage behind a request is answered once', async () => {
  const warnings: Error[] = []
  const onWarning = (warning: Error) => warnings.push(warning)
  process.on('warning', onWarning)
  onTestFinished(() => {
    process.off('warning', onWarning)
  })
  const server = await startHeldServer()
  const connection = await rawConnection(server.port)
  connection.write(post)
  for (let count = 0; count < 20; count++) {
    connection.write('garbage\r\n\r\n')
    await clientOf(server).get('/nowhere')
  }
  server.release()
  expect(statusesIn(await connection.ended())).toEqual([201, 400])
  expect(warnings).toEqual([])
})

test('a request with a broken body that waits is answered in its turn, and not carried out', async () => {
  const server = await startServer({ environment })
  const connection = await rawConnection(server.port)
  const chunked = requestBytes('POST', '/api/Auctions', { ...json, 'transfer-encoding': 'chunked' })
  connection.write(`${post.repeat(2)}${chunked}zz\r\n{}\r\n0\r\n\r\n`)
  expect(statusesIn(await connection.ended())).toEqual([201, 201, 400])
  expect(await stored(server)).toMatchObject({ auctions: 2 })
})

test('a connection on which more than a thousand requests wait is closed, and the log tells once', async () => {
  const server = await startHeldServer()
  const tiny = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
  for (let count = 0; count < 2; count++) {
    const connection = await rawConnection(server.port)
    connection.write(post + tiny.repeat(1_500))
    await connection.ended()
  }
  server.release()
  expect((await clientOf(server).get('/api/Auctions')).status).toBe(200)
  const warnings = server.log.map((line) => JSON.parse(line)).filter(({ level }) => level === 40)
  expect(warnings).toHaveLength(1)
})

test('where more than ten thousand requests wait on all connections, who has the most waiting is cut off, and nobody else', async () => {
  const server = await startHeldServer()
  const tiny = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
  const greedy = await Promise.all(Array.from({ length: 11 }, () => rawConnection(server.port)))
  for (const [index, { write }] of greedy.entries()) write(post + tiny.repeat(index < 10 ? 950 : 500))
  while (server.started() < greedy.length) await clientOf(server).get('/nowhere')
  const modest = await rawConnection(server.port)
  const last = requestBytes('GET', '/nowhere', { connection: 'close' })
  modest.write(requestBytes('GET', '/api/Auctions', json) + post + last)
  const ends = [...greedy, modest].map((connection, index) => connection.ended().then(() => index))
  expect(await Promise.race(ends)).toBeLessThan(10)
  server.release()
  expect(statusesIn(await modest.ended())).toEqual([200, 201, 404])
  for (const { socket } of greedy) socket.destroy()
})
