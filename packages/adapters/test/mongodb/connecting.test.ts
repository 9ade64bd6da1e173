import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeMongo } from '../../../../tools/vitest/mongodb.ts'
import { connectMongoStore } from '../../src/mongodb/mongo-store.ts'

/** All that can be learnt from a failure to connect, with what is not enumerable. */
async function failureOf(uri: string): Promise<{ readonly message: string; readonly everything: string }> {
  const error: unknown = await connectMongoStore(uri, { timeoutMs: 1_000 }).then(
    (store) => store.close(),
    (reason: unknown) => reason,
  )
  if (!(error instanceof Error)) throw new Error(`connected to ${uri}`)
  return { message: error.message, everything: inspect(error, { depth: null, showHidden: true }) }
}

/** A server that takes connections and says nothing, or one that is gone. */
async function portOf(kind: 'silent' | 'closed'): Promise<number> {
  const sockets: Socket[] = []
  const server = createServer((socket) => sockets.push(socket.on('error', () => undefined)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // The cast: a server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  const close = () => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  }
  if (kind === 'closed') await close()
  else onTestFinished(async () => void (await close()))
  return port
}

describe('connecting fails with one line that names the hosts and the reason, and hides credentials', () => {
  test('for a server that is not there', async () => {
    const port = await portOf('closed')
    const { message, everything } = await failureOf(`mongodb://someone:p%40ssword@127.0.0.1:${port}/house`)
    expect(message).toMatch(`MongoDB at 127.0.0.1:${port} can't be used: `)
    expect(message).toMatch(/^.*ECONNREFUSED.*$/)
    expect(everything).not.toMatch(/p@ssword|p%40ssword|someone/)
  })

  test('for a server that does not answer', async () => {
    const port = await portOf('silent')
    const { message, everything } = await failureOf(`mongodb://someone:p%40ssword@127.0.0.1:${port}/house`)
    expect(message).toMatch(new RegExp(`^MongoDB at 127\\.0\\.0\\.1:${port} can't be used: .+$`))
    expect(everything).not.toMatch(/p@ssword|p%40ssword|someone/)
  })

  test.each([
    ['a name that nobody knows', 'mongodb://someone:p%40ssword@no-such-host.invalid/house', 'no-such-host.invalid'],
    ['an unknown service', 'mongodb+srv://someone:p%40ssword@no-such.cluster.invalid/', 'no-such.cluster.invalid'],
    ['an impossible port', 'mongodb://someone:p%40ssword@127.0.0.1:99999/', '127.0.0.1:99999'],
    ['an unknown option', 'mongodb://someone:p%40ssword@127.0.0.1/?noSuchOption=1', '127.0.0.1'],
    ['a faulty option', 'mongodb://someone:p%40ssword@127.0.0.1/?maxPoolSize=many', '127.0.0.1'],
    ['a colon in the password', 'mongodb://someone:p%40ss:word@127.0.0.1/', '127.0.0.1'],
    ['a faulty database name', 'mongodb://someone:p%40ssword@127.0.0.1/no.such', '127.0.0.1'],
    ['a faulty key password', 'mongodb://127.0.0.1/?noSuchOption=1&proxyPassword=p%40ssword', '127.0.0.1'],
  ])('for %s', async (_, uri, hosts) => {
    const { message, everything } = await failureOf(uri)
    expect(message).toMatch(`MongoDB at ${hosts} can't be used: `)
    expect(message).not.toMatch('\n')
    expect(everything).not.toMatch(/p@ss|p%40ss|someone/)
  })

  test('for a URI that is none', async () => {
    const { message, everything } = await failureOf('mongodb://someone:p@ss/word@127.0.0.1/')
    expect(message).toMatch(/^the MongoDB URI must have the form .+$/)
    expect(everything).not.toMatch(/p@ss|someone/)
  })
})

describeMongo('connecting', (database) => {
  test('refuses wrong credentials, and hides them', async () => {
    const uri = new URL(database())
    const hosts = uri.host
    Object.assign(uri, { username: 'someone', password: 'p@ssword' })
    const { message, everything } = await failureOf(uri.href)
    expect(message).toMatch(`MongoDB at ${hosts} can't be used: `)
    expect(message).not.toMatch('\n')
    expect(everything).not.toMatch(/p@ssword|p%40ssword|someone/)
  })

  test('describes hosts and database, and answers a ping', async () => {
    const uri = new URL(database())
    const store = await connectMongoStore(uri.href)
    expect(store.description).toBe(`MongoDB at ${uri.host}, database ${uri.pathname.slice(1)}`)
    expect(await store.ping()).toBe(undefined)
    await store.close()
  })

  test('is undone by closing, once or more', async () => {
    const store = await connectMongoStore(database())
    await Promise.all([store.close(), store.close()])
    await store.close()
    await expect(store.ping()).rejects.toMatchObject({ name: 'StoreUnavailableError' })
  })
})
