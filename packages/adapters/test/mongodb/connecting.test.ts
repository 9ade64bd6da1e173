import type { Document } from 'mongodb'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeMongo } from '../../../../tools/vitest/mongodb.ts'
import { connectMongoStore } from '../../src/mongodb/mongo-store.ts'
import { failureOf, portOf, secret } from '../connection-failures.ts'
import { type FakeAnswer, startFakeServer } from './fake-server.ts'
import { nothingFound } from './fake-store.ts'

const user = 'alice:p%40ssword'
const failure = (uri: string) => failureOf(connectMongoStore(uri, { timeoutMs: 1_000 }))

describe('connecting fails with one line that names the hosts and the reason, and hides credentials', () => {
  test('for a server that does not respond', async () => {
    const port = await portOf(() => undefined)
    const { message, everything, mayPass } = await failure(`mongodb://alice:p%40ssword@127.0.0.1:${port}/house`)
    expect(mayPass).toBe(true)
    expect(message).toMatch(new RegExp(`^MongoDB at 127\\.0\\.0\\.1:${port} cannot be used: .+$`))
    expect(everything).not.toMatch(secret)
  })

  test.each([
    {
      title: 'a server that is not there',
      uri: `mongodb://${user}@127.0.0.1:1/house`,
      reason: 'ECONNREFUSED',
      passes: true,
    },
    { title: 'an unknown host name', uri: `mongodb://${user}@no-such-host.invalid/house`, passes: true },
    { title: 'an unknown service name', uri: `mongodb+srv://${user}@no-such.cluster.invalid/`, passes: true },
    { title: 'an impossible port', uri: `mongodb://${user}@127.0.0.1:99999/` },
    { title: 'an unknown option', uri: `mongodb://${user}@127.0.0.1/?noSuchOption=1` },
    { title: 'an invalid option', uri: `mongodb://${user}@127.0.0.1/?heartbeatFrequencyMS=often` },
    { title: 'a colon in the password', uri: 'mongodb://alice:p%40ss:word@127.0.0.1/' },
    { title: 'an invalid database name', uri: `mongodb://${user}@127.0.0.1/no.such` },
    { title: 'an invalid key password', uri: 'mongodb://127.0.0.1/?noSuchOption=1&proxyPassword=p%40ssword' },
  ])('for $title', async ({ uri, reason = '', passes = false }) => {
    const [, hosts] = /([^/@]+)\/(?:[^/]*)$/.exec(uri) ?? []
    const { message, everything, mayPass } = await failure(uri)
    expect(mayPass).toBe(passes)
    expect(message).toMatch(`MongoDB at ${hosts} cannot be used: `)
    expect(message).toMatch(reason)
    expect(message).not.toMatch('\n')
    expect(everything).not.toMatch(secret)
  })

  test('for an invalid URI', async () => {
    const { message, everything } = await failure('mongodb://alice:p@ss/word@127.0.0.1/')
    expect(message).toMatch(/^the MongoDB URI must have the form .+$/)
    expect(everything).not.toMatch(/p@ss|alice/)
  })
})

describe('connecting to a server that', () => {
  const failureAt = async (answer: (command: Document) => FakeAnswer) => {
    const server = await startFakeServer(answer)
    onTestFinished(() => server.close())
    return failure(server.uri)
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
    expect(await failureAt(answer)).toMatchObject({
      mayPass: true,
      message: expect.stringMatching(/cannot be used: .+/),
    })
  })

  test.each([
    ['refuses the user', 13],
    ['refuses the credentials', 18],
    ['does not know the command', 59],
  ])('%s fails permanently', async (_, code) => {
    expect(await failureAt(refusing(code))).toMatchObject({
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
    const { message, everything, mayPass } = await failure(uri.href)
    expect(mayPass).toBe(false)
    expect(message).toMatch(`MongoDB at ${hosts} cannot be used: `)
    expect(message).not.toMatch('\n')
    expect(everything).not.toMatch(secret)
  })

  test('describes hosts and database, and answers a ping', async () => {
    const uri = new URL(database())
    const store = await connectMongoStore(uri.href)
    expect(store.description).toBe(`MongoDB at ${uri.host}, database ${uri.pathname.slice(1)}`)
    expect(await store.ping()).toBe(undefined)
    await store.close()
  })
})
