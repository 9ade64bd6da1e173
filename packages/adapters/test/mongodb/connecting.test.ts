import { type Document, Long, MongoClient } from 'mongodb'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeMongo } from '../../../../tools/vitest/mongodb.ts'
import { clientOptions } from '../../src/mongodb/clients.ts'
import { findDeployment } from '../../src/mongodb/deployment.ts'
import { databaseFormat } from '../../src/mongodb/format.ts'
import { connectMongoStore } from '../../src/mongodb/mongo-store.ts'
import { failureOf, portOf, secret } from '../connection-failures.ts'
import { type FakeReply, nothingFound, replicaSet, router, standalone, startFakeServer } from './fake-server.ts'
import { connectAtOnce, testDatabase } from './support.ts'

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
  const failureAt = async (reply: (command: Document) => FakeReply) => {
    const server = await startFakeServer(reply)
    onTestFinished(() => server.close())
    return failure(server.uri)
  }
  const refusing =
    (code: number, errorLabels: readonly string[] = []) =>
    (command: Document) =>
      'find' in command ? { ok: 0, code, errmsg: 'refused', errorLabels } : undefined
  const refusingIndexes = (code: number) => (command: Document) =>
    'createIndexes' in command ? { ok: 0, code, errmsg: 'refused' } : nothingFound

  test.each<{ readonly title: string; readonly reply: (command: Document) => FakeReply }>([
    { title: 'is not a primary', reply: refusing(10107) },
    { title: 'shuts down', reply: refusing(91) },
    { title: 'takes too long', reply: refusing(50) },
    { title: 'waits for a lock', reply: refusing(24) },
    { title: 'has a conflict of writes', reply: refusing(112) },
    { title: 'waits for another member', reply: refusing(202) },
    { title: 'has stopped to build an index', reply: refusingIndexes(276) },
    { title: 'has no resources', reply: refusing(365) },
    { title: 'is overloaded', reply: refusing(462, ['SystemOverloadedError']) },
    { title: 'asks to be called again', reply: refusing(462, ['RetryableError']) },
    { title: 'breaks the connection', reply: (command) => ('find' in command ? 'cut' : undefined) },
    {
      title: 'breaks the connection while it makes an index',
      reply: (command) => ('createIndexes' in command ? 'cut' : nothingFound),
    },
    { title: 'hangs', reply: (command) => ('find' in command ? 'hang' : undefined) },
  ])('$title fails as an unavailable store, because the failure may be temporary', async ({ reply }) => {
    expect(await failureAt(reply)).toMatchObject({
      mayPass: true,
      message: expect.stringMatching(/cannot be used: .+/),
    })
  })

  test.each([
    { title: 'refuses the user', code: 13 },
    { title: 'refuses the credentials', code: 18 },
    { title: 'does not know the command', code: 59 },
  ])('$title fails permanently', async ({ code }) => {
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

  test('describes hosts and database, and responds to a ping', async () => {
    const uri = new URL(database())
    const store = await connectMongoStore(uri.href)
    expect(store.description).toBe(`MongoDB at ${uri.host}, database ${uri.pathname.slice(1)}`)
    expect(await store.ping()).toBe(undefined)
    await store.close()
  })
})

const start = (uri: string): Promise<string> =>
  connectMongoStore(uri).then((store) => store.close().then(() => 'can be used'), String)

const otherHint = 'name another database, or use the version of the program that created this one'
const upgradeHint = 'stop all servers that use it, and upgrade it with --upgrade'

describeMongo('the format of a database', () => {
  test('is recorded by the first of many concurrent starts, and accepted by the next', async () => {
    const { uri, database } = testDatabase()
    for (const store of await connectAtOnce(uri, 3)) await store.close()
    expect(await database.collection('format').find({}, { promoteLongs: false }).toArray()).toEqual([
      { _id: 'format', version: Long.fromNumber(databaseFormat) },
    ])
    expect(await start(uri)).toBe('can be used')
  })

  test.each([
    { title: 'a newer format', version: 5, found: '5', hint: otherHint },
    { title: 'an older format', version: 2, found: '2', hint: otherHint },
    { title: 'a format that can be upgraded', version: 3, found: '3', hint: upgradeHint },
    { title: 'a format that is not a number', version: 'two', found: 'two', hint: otherHint },
  ])('stops a start in one line: $title', async ({ version, found, hint }) => {
    const { uri, database } = testDatabase()
    await database.collection<{ _id: string }>('format').insertOne({ _id: 'format', ...{ version } })
    const refusal =
      `Error: MongoDB at ${new URL(uri).host} cannot be used: the database ${database.databaseName} has data of format ${found}, ` +
      `and this program reads and writes format 4; ${hint}`
    expect(await start(uri)).toBe(refusal)
    expect((await database.listCollections().toArray()).map(({ name }) => name)).toEqual(['format'])
  })

  test.each(['auctions', 'entries', 'idBlocks'])(
    'is 1 for data without a record of it, as 0.1.0 wrote none: %s',
    async (collection) => {
      const { uri, database } = testDatabase()
      await database.collection(collection).insertOne({ block: 1 })
      expect(await start(uri)).toContain(`the database ${database.databaseName} has data of format 1, and this program`)
      expect((await database.listCollections().toArray()).map(({ name }) => name)).toEqual([collection])
    },
  )
})

/** A server that reports a kind and a version. */
async function serverOf(kind: (address: string) => Document, version: unknown) {
  const server = await startFakeServer((command) => ('buildInfo' in command ? { version } : undefined), kind)
  onTestFinished(() => server.close())
  return server
}

async function judgement(kind: (address: string) => Document, version: unknown): Promise<string> {
  const server = await serverOf(kind, version)
  const client = new MongoClient(server.uri, clientOptions(5_000, 1))
  onTestFinished(() => client.close())
  return await findDeployment(client.db('fake'), 5_000).catch((error: Error) => error.message)
}

const complete = '5.0.30 5.0.31 6.0.14 6.0.100 7.0.6 7.0.31 7.1.0 7.3.4 8.0.0 8.10.1 10.0.0'
const losing = '4.2.24 4.4.0 4.4.29 5.0.0 5.0.29 5.1.5 5.3.2 6.0.0 6.0.13 6.1.0 6.3.2 7.0.0 7.0.5'

test('a mongos that reports every error of a write is accepted, and one that may drop an error is refused', async () => {
  for (const version of complete.split(' ')) expect(await judgement(router, version)).toBe('sharded-cluster')
  for (const version of losing.split(' ')) {
    expect(await judgement(router, version)).toBe(
      `mongos ${version} can lose the error of a write that no majority has acknowledged; use mongos 7.0.6 or later`,
    )
  }
  for (const version of ['latest', '', undefined, 7]) {
    expect(await judgement(router, version)).toMatch(/^mongos of an unknown version can lose the error/)
  }
})

test.each([
  { title: 'a standalone server', kind: standalone },
  { title: 'a replica set', kind: replicaSet },
])('$title is accepted in every version, because it is not a router', async ({ kind }) => {
  expect(await judgement(kind, '4.4.0')).toBe('server-or-replica-set')
})

test('such a router stops the start before any write', async () => {
  const server = await serverOf(router, '6.0.13')
  const hosts = new URL(server.uri).host
  await expect(connectMongoStore(server.uri)).rejects.toThrow(
    `MongoDB at ${hosts} cannot be used: mongos 6.0.13 can lose the error of a write that no majority has acknowledged; ` +
      'use mongos 7.0.6 or later',
  )
  expect(server.commands.map((command) => Object.keys(command)[0])).not.toContain('createIndexes')
})
