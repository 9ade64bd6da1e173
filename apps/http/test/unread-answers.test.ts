import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { clientOf, problem } from './support/client.ts'
import { type RawConnection, rawConnection, requestBytes, statusesIn } from './support/raw-connection.ts'
import { startServer, type TestServer } from './support/server.ts'
import { stallReader } from './support/slow-reader.ts'
import { tokenOf } from './support/tokens.ts'

/** A server with a hundred auctions, of some 40,000 bytes together, which counts how many pages clients made it ask its store for. */
async function startFullServer(environment: Readonly<Record<string, string>>) {
  let pages = 0
  const server = await startServer({
    environment: { RATE_LIMIT_MAX: '1000000', ...environment },
    replaceInStore: ({ listAuctions }) => ({
      listAuctions: (query) => {
        // In the order of their ends, it is the server itself that looks for what is due.
        if (query.order === 'newest') pages += 1
        return listAuctions(query)
      },
    }),
  })
  const title = 'x'.repeat(200)
  for (let count = 0; count < 100; count++) await clientOf(server).createAuction({ title })
  return { ...server, pages: () => pages }
}

const page = (name: string, limit: number, headers: Readonly<Record<string, string>> = {}) =>
  requestBytes('GET', `/api/Auctions?limit=${limit}`, { authorization: `Bearer ${tokenOf(name)}`, ...headers })

/** Asks for pages on one connection, and reads none. */
async function startSlowReader(server: TestServer, name: string, limit: number) {
  const accepted = once(server.app.server, 'connection')
  const connection = await rawConnection(server.port)
  const [socket]: Socket[] = await accepted
  if (socket === undefined) throw new Error('a connection has a socket')
  const closed = once(socket, 'close')
  const requests = await stallReader(server, connection, page(name, limit))
  return { connection, requests, closed, isClosed: () => socket.destroyed }
}

/** Reads what a slow reader has asked for, and one page more. */
async function readAll({ connection }: { readonly connection: RawConnection }, server: TestServer, name: string) {
  connection.socket.resume()
  while ((await clientOf(server, tokenOf(name)).get('/api/Auctions/1')).status !== 200);
  connection.write(page(name, 1, { connection: 'close' }))
  return statusesIn(await connection.ended())
}

/** Asks for a caller until it is refused, as it is once nothing more goes out on its connection. */
async function untilRefused(server: TestServer, name: string) {
  for (;;) {
    const answer = await clientOf(server, tokenOf(name)).get('/api/Auctions/1')
    if (answer.status !== 200) return answer
  }
}

test('a client that reads nothing costs the server one answer, and is closed when its time is up', async () => {
  const server = await startFullServer({ IDLE_TIMEOUT_SECONDS: '2' })
  const { connection, closed, requests } = await startSlowReader(server, 'anna', 100)
  expect((await clientOf(server, tokenOf('bert')).get('/api/Auctions?limit=100')).status).toBe(200)
  await closed
  // Bert's is one.
  expect(server.pages()).toBe(requests + 1)
  connection.socket.destroy()
  const lines = server.log.map((line) => JSON.parse(line))
  expect(lines.filter(({ method, path }) => method === 'GET' && path === '/api/Auctions')).toHaveLength(server.pages())
})

test('a caller who leaves too much unread is refused before anything is done, until it has read', async () => {
  const server = await startFullServer({ MAX_UNREAD_BYTES_PER_CALLER: '10000' })
  const reader = await startSlowReader(server, 'anna', 100)
  const refused = await untilRefused(server, 'anna')
  expect(refused).toMatchObject(problem(503, 'overloaded'))
  expect(refused.headers.get('retry-after')).toBe('1')
  const anna = clientOf(server, tokenOf('anna'))
  const pages = server.pages()
  for (const path of ['/api/Auctions', '/api/Auctions/1', '/api/Auctions/1/Bids', '/api/Bids/1']) {
    expect(await anna.get(path)).toMatchObject(problem(503, 'overloaded'))
  }
  expect(await anna.createAuction()).toMatchObject(problem(503, 'overloaded'))
  expect(await anna.placeBid()).toMatchObject(problem(503, 'overloaded'))
  expect(server.pages()).toBe(pages)
  expect((await clientOf(server, tokenOf('bert')).get('/api/Auctions/1')).status).toBe(200)

  expect(await readAll(reader, server, 'anna')).toEqual(Array(reader.requests + 1).fill(200))
})

test('where all leave too much unread, who leaves the most is cut off, and nobody else', async () => {
  const server = await startFullServer({ MAX_UNREAD_BYTES_PER_CALLER: '1', MAX_UNREAD_BYTES: '50000' })
  const anna = await startSlowReader(server, 'anna', 100)
  await untilRefused(server, 'anna')
  const bert = await startSlowReader(server, 'bert', 50)
  await anna.closed
  await untilRefused(server, 'bert')
  expect(bert.isClosed()).toBe(false)
  expect((await clientOf(server, tokenOf('anna')).get('/api/Auctions/1')).status).toBe(200)

  expect(await readAll(bert, server, 'bert')).toEqual(Array(bert.requests + 1).fill(200))
  anna.connection.socket.destroy()
  const warnings = server.log.map((line) => JSON.parse(line)).filter(({ level }) => level === 40)
  expect(warnings).toMatchObject([{ msg: expect.stringContaining('MAX_UNREAD_BYTES') }])
})
