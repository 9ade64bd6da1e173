import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { clientOf } from './support/client.ts'
import { rawConnection, requestBytes } from './support/raw-connection.ts'
import { startServer } from './support/server.ts'
import { stallReader } from './support/slow-reader.ts'
import { tokenOf } from './support/tokens.ts'

/** A server with a hundred auctions of about 40,000 bytes in total, which counts the pages that clients request from its store. */
async function startFullServer(environment: Readonly<Record<string, string>>) {
  let pages = 0
  const server = await startServer({
    environment: { RATE_LIMIT_MAX: '1000000', ...environment },
    replaceInStore: ({ listAuctions }) => ({
      listAuctions: (query) => {
        // Lists by end are also read by the server, to find due auctions.
        if (query.order === 'newest') pages += 1
        return listAuctions(query)
      },
    }),
  })
  const title = 'x'.repeat(200)
  for (let count = 0; count < 100; count++) await clientOf(server).createAuction({ title })
  return { ...server, pages: () => pages }
}

test('a client that does not read costs the server one response, and its connection closes after IDLE_TIMEOUT_SECONDS', async () => {
  const server = await startFullServer({ IDLE_TIMEOUT_SECONDS: '2' })
  const page = requestBytes('GET', '/api/Auctions?limit=100', { authorization: `Bearer ${tokenOf('anna')}` })
  const accepted = once(server.app.server, 'connection')
  const connection = await rawConnection(server.port)
  const [socket]: Socket[] = await accepted
  if (socket === undefined) throw new Error('a connection has a socket')
  const closed = once(socket, 'close')
  const requests = await stallReader(server, connection, page)
  // Not carried out while the previous response is unread.
  connection.write(page)
  expect((await clientOf(server, tokenOf('bert')).get('/api/Auctions?limit=100')).status).toBe(200)
  await closed
  // One of them is Bert’s.
  expect(server.pages()).toBe(requests + 1)
  connection.socket.destroy()
  const lines = server.log.map((line) => JSON.parse(line))
  expect(lines.filter(({ method, path }) => method === 'GET' && path === '/api/Auctions')).toHaveLength(server.pages())
})
