import { once } from 'node:events'
import type { Socket } from 'node:net'
import { StoreUnavailableError } from '@auction/domain/errors'
import type { CallSignal, Store } from '@auction/domain/store'
import { expect, test } from 'vitest'
import { longTest } from '../../../tools/vitest/long-test.ts'
import { clientOf } from './support/client.ts'
import { rawConnection, requestBytes, stallReader } from './support/raw-connection.ts'
import { startServer } from './support/server.ts'
import { tokenOf } from './support/tokens.ts'

const headers = { authorization: `Bearer ${tokenOf('anna')}` }

/** A store whose lists wait for `release`, and then fail if the signal is aborted. */
function storeWithHeldLists() {
  const signals: (CallSignal | undefined)[] = []
  const held = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  async function hold<Value>(signal: CallSignal | undefined, read: () => Promise<Value>): Promise<Value> {
    signals.push(signal)
    asked.resolve()
    await held.promise
    if (signal?.aborted) throw new StoreUnavailableError('its caller no longer waits')
    return read()
  }
  const replaceInStore = (store: Store): Partial<Store> => ({
    listAuctions: (query) =>
      query.order === 'agenda' ? store.listAuctions(query) : hold(query.signal, () => store.listAuctions(query)),
    listEntries: (id, query) => hold(query.signal, () => store.listEntries(id, query)),
  })
  return { replaceInStore, signals, asked: asked.promise, release: held.resolve }
}

test.each([
  ['a list of auctions', 'resets its connection', '/api/Auctions?status=Cancelled&limit=1'],
  ['a list of auctions', 'ends its connection', '/api/Auctions?status=Cancelled&limit=1'],
  ['a list of bids', 'resets its connection', '/api/Auctions/1/Bids'],
])('the store does not read %s for a client that %s, and no error is logged', async (_, how, path) => {
  const { replaceInStore, signals, asked, release } = storeWithHeldLists()
  const server = await startServer({ replaceInStore })
  await clientOf(server).createAuction()
  const connection = await rawConnection(server.port)
  connection.write(requestBytes('GET', path, headers))
  await asked
  expect(signals.map((signal) => signal?.aborted)).toEqual([false])
  if (how === 'resets its connection') connection.socket.resetAndDestroy()
  else connection.socket.end()
  await server.logged(/"url":|"path":/, 2)
  expect(signals[0]?.aborted).toBe(true)
  release()
  await clientOf(server).get('/api/Auctions/1')
  expect(signals.length).toBe(1)
  expect(server.log.filter((line) => line.includes('"level":50') || line.includes('store-unavailable'))).toEqual([])
})

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

longTest(
  'a client that does not read costs the server one response, and its connection closes after IDLE_TIMEOUT_SECONDS',
  async () => {
    const server = await startFullServer({ IDLE_TIMEOUT_SECONDS: '2' })
    const page = requestBytes('GET', '/api/Auctions?limit=100', { authorization: `Bearer ${tokenOf('anna')}` })
    const accepted = once(server.app.server, 'connection')
    const connection = await rawConnection(server.port)
    const [socket]: Socket[] = await accepted
    if (socket === undefined) throw new Error('a connection has a socket')
    const closed = once(socket, 'close')
    const requests = await stallReader(server, connection, page)
    // The server does not carry this request out while the previous response is unread.
    connection.write(page)
    expect((await clientOf(server, tokenOf('bert')).get('/api/Auctions?limit=100')).status).toBe(200)
    await closed
    // One of them is Bert’s.
    expect(server.pages()).toBe(requests + 1)
    connection.socket.destroy()
    const lines = server.log.map((line) => JSON.parse(line))
    expect(lines.filter(({ method, path }) => method === 'GET' && path === '/api/Auctions')).toHaveLength(
      server.pages(),
    )
  },
)
