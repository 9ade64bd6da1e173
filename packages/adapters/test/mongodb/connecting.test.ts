import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { isStoreUnavailable } from '@auction/domain/errors'
import type { Document } from 'mongodb'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeMongo } from '../../../../tools/vitest/mongodb.ts'
import { connectMongoStore } from '../../src/mongodb/mongo-store.ts'
import { type FakeAnswer, startFakeServer } from './fake-server.ts'
import { nothingFound } from './fake-store.ts'

/** All information in a connection failure, including properties that are not enumerable. */
async function failureOf(uri: string) {
  const error: unknown = await connectMongoStore(uri, { timeoutMs: 1_000 }).then(
    (store) => store.close(),
    (reason: unknown) => reason,
  )
  if (!(error instanceof Error)) throw new Error(`connected to ${uri}`)
  const everything = inspect(error, { depth: null, showHidden: true })
  return { message: error.message, everything, mayPass: isStoreUnavailable(error) }
}

/** A server that accepts connections but does not respond, or a missing one. */
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
  test('for a server that does not exist', async () => {
    const port = await portOf('closed')
    const { message, everything, mayPass } = await failureOf(`mongodb://alice:p%40ssword@127.0.0.1:${port}/house`)
    expect(mayPass).toBe(true)
    expect(message).toMatch(`MongoDB at 127.0.0.1:${port} cannot be used: `)
    expect(message).toMatch(/^.*ECONNREFUSED.*$/)
    expect(everything).not.toMatch(/p@ssword|p%40ssword|alice/)
  })

  test('for a server that does not respond', async () => {
    const port = await portOf('silent')
    const { message, everything, mayPass } = await failureOf(`mongodb://alice:p%40ssword@127.0.0.1:${port}/house`)
    expect(mayPass).toBe(true)
    expect(message).toMatch(new RegExp(`^MongoDB at 127\\.0\\.0\\.1:${port} cannot be used: .+$`))
    expect(everything).not.toMatch(/p@ssword|p%40ssword|alice/)
  })

  test.each([
    ['an unknown host name', 'mongodb://alice:p%40ssword@no-such-host.invalid/house', 'no-such-host.invalid', true],
    [
      'an unknown service name',
      'mongodb+srv://alice:p%40ssword@no-such.cluster.invalid/',
      'no-such.cluster.invalid',
      true,
    ],
    ['an impossible port', 'mongodb://alice:p%40ssword@127.0.0.1:99999/', '127.0.0.1:99999'],
    ['an unknown option', 'mongodb://alice:p%40ssword@127.0.0.1/?noSuchOption=1', '127.0.0.1'],
    ['an invalid option', 'mongodb://alice:p%40ssword@127.0.0.1/?heartbeatFrequencyMS=often', '127.0.0.1'],
    ['a colon in the password', 'mongodb://alice:p%40ss:word@127.0.0.1/', '127.0.0.1'],
    ['an invalid database name', 'mongodb://alice:p%40ssword@127.0.0.1/no.such', '127.0.0.1'],
    ['an invalid key password', 'mongodb://127.0.0.1/?noSuchOption=1&proxyPassword=p%40ssword', '127.0.0.1'],
  ])('for %s', async (_, uri, hosts, passes = false) => {
    const { message, everything, mayPass } = await failureOf(uri)
    expect(mayPass).toBe(passes)
    expect(message).toMatch(`MongoDB at ${hosts} cannot be used: `)
    expect(message).not.toMatch('\n')
    expect(everything).not.toMatch(/p@ss|p%40ss|alice/)
  })

  test('for an invalid URI', async () => {
    const { message, everything } = await failureOf('mongodb://alice:p@ss/word@127.0.0.1/')
    expect(message).toMatch(/^the MongoDB URI must have the form .+$/)
    expect(everything).not.toMatch(/p@ss|alice/)
  })
})

describe('connecting to a server that', () => {
  const failure = async (answer: (command: Document) => FakeAnswer) => {
    const server = await startFakeServer(answer)
    onTestFinished(() => server.close())
    return failureOf(server.uri)
  }
  const refusing = (code: number) => (command: Document) =>
    'find' in command ? { ok: 0, code, errmsg: 'refused' } : undefined

  test.each<[what: string, answer: (command: Document) => FakeAnswer]>([
    ['is not a primary', refusing(10107)],
    ['shuts down', refusing(91)],
    ['takes too long', refusing(50)],
    ['breaks the connection', (command) => ('find' in command ? 'cut' : undefined)],
    ['breaks the connection while it makes an index', (command) => ('createIndexes' in command ? 'cut' : nothingFound)],
    ['hangs', (command) => ('find' in command ? 'hang' : undefined)],
  ])('%s fails as an unavailable store, because the failure may be temporary', async (_, answer) => {
    expect(await failure(answer)).toMatchObject({ mayPass: true, message: expect.stringMatching(/cannot be used: .+/) })
  })

  test.each([
    ['refuses the user', 13],
    ['refuses the credentials', 18],
    ['does not know the command', 59],
  ])('%s fails permanently', async (_, code) => {
    expect(await failure(refusing(code))).toMatchObject({
      mayPass: false,
      message: expect.stringMatching(/: refused$/),
    })
  })
})

describeMongo('connecting', (database) => {
  test('refuses wrong credentials, and hides them', async () => {
    const uri = new URL(database())
    const hosts = uri.host
    Object.assign(uri, { username: 'alice', password: 'p@ssword' })
    const { message, everything, mayPass } = await failureOf(uri.href)
    expect(mayPass).toBe(false)
    expect(message).toMatch(`MongoDB at ${hosts} cannot be used: `)
    expect(message).not.toMatch('\n')
    expect(everything).not.toMatch(/p@ssword|p%40ssword|alice/)
  })

  test('describes hosts and database, and answers a ping', async () => {
    const uri = new URL(database())
    const store = await connectMongoStore(uri.href)
    expect(store.description).toBe(`MongoDB at ${uri.host}, database ${uri.pathname.slice(1)}`)
    expect(await store.ping()).toBe(undefined)
    await store.close()
  })

  test('ends with one or more calls of close', async () => {
    const store = await connectMongoStore(database())
    await Promise.all([store.close(), store.close()])
    await store.close()
    await expect(store.ping()).rejects.toMatchObject({ name: 'StoreUnavailableError' })
  })
})
