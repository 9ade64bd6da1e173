import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { connectMongoStore } from '@auction/adapters/mongodb'
import { connectPostgresqlStore } from '@auction/adapters/postgresql'
import { startTcpProxy } from '@auction/testing/tcp-proxy'
import { expect, onTestFinished, test } from 'vitest'
import type { Child } from '../../../tools/vitest/child.ts'
import { longTest } from '../../../tools/vitest/long-test.ts'
import { describeMongo } from '../../../tools/vitest/mongodb.ts'
import { describePostgresql, execute } from '../../../tools/vitest/postgresql.ts'
import { sampleOf } from '../../../tools/vitest/size.ts'
import { anonymousOf, clientOf, problem } from './support/client.ts'
import { startProcess, startServerProcess, temporaryFolder } from './support/server-process.ts'
import { secret } from './support/tokens.ts'

/** Waits until a server logs that it waits, and returns its URL. */
async function waitingServer(server: Child): Promise<{ readonly url: string }> {
  await server.until(/"msg":"waiting for the store"/)
  const url = /http:\/\/[^\s"]+/.exec(server.stdout())?.[0]
  if (url === undefined) throw new Error(`the log has no URL: ${server.stdout()}`)
  return { url }
}

async function expectWaiting(server: { readonly url: string }): Promise<void> {
  const anna = clientOf(server)
  expect((await anna.get('/livez')).status).toBe(200)
  const waiting = { message: expect.stringContaining('is waiting for its store') }
  const refused = [
    await anna.createAuction(),
    await anna.get('/api/Auctions'),
    await anonymousOf(server).get('/docs'),
    await anonymousOf(server).get('/nowhere'),
  ]
  for (const answer of refused) {
    expect(answer).toMatchObject(problem(503, 'store-unavailable', waiting))
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
  }
  expect(await anna.get('/readyz')).toMatchObject(problem(503, 'store-unavailable'))
}

async function expectServing(server: { readonly url: string }): Promise<void> {
  expect((await clientOf(server).get('/readyz')).status).toBe(200)
  expect((await clientOf(server).createAuction()).status).toBe(201)
}

test('a start waits for the lock of the SQLite file; the server is alive and not ready until then', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'auctions.sqlite')
  const first = await startServerProcess({ JWT_SECRET: secret, SQLITE_FILE: file }, { folder })
  first.child.kill('SIGTERM')
  await first.exited()
  const other = new DatabaseSync(file)
  onTestFinished(() => other.close())
  other.exec('BEGIN IMMEDIATE')

  const server = startProcess({ JWT_SECRET: secret, SQLITE_FILE: file }, { folder })
  const waiting = await waitingServer(server)
  await expectWaiting(waiting)
  other.exec('ROLLBACK')
  await server.until(/"msg":"listening"/)
  await expectServing(waiting)
  // One line reports the wait, with its reason.
  expect(server.stdout().match(/^.*"level":40.*$/gm)).toEqual([expect.stringContaining('held its lock for too long')])
  expect(server.stderr()).toBe('')
})

longTest('a signal ends a start that waits', async () => {
  const server = startProcess({ JWT_SECRET: secret, MONGODB_URI: 'mongodb://127.0.0.1:1/auctions' })
  await waitingServer(server)
  server.child.kill('SIGTERM')
  expect(await server.exited()).toBe(0)
})

const hopeless: readonly [what: string, setting: string, value: string][] = [
  ['a store that cannot be opened', 'SQLITE_FILE', '/proc/auctions.sqlite'],
  ['an invalid address', 'MONGODB_URI', 'mongodb://127.0.0.1/?noSuchOption=1'],
  ['an address that is not a URL', 'POSTGRESQL_URI', 'postgresql://anna:p@ss@127.0.0.1/'],
]

test.each(sampleOf(hopeless))('a start does not wait for %s', async (_, setting, value) => {
  // A wait would take longer than the time limit of a test.
  const server = startProcess({ JWT_SECRET: secret, STORE_WAIT_SECONDS: '3600', [setting]: value })
  expect(await server.exited()).toBe(1)
  expect(server.stderr()).toMatch(new RegExp(`^${setting}: .*\\n$`))
  expect(server.stdout()).toBe('')
})

describeMongo('a start', (database) => {
  /** A server that waits for a database behind a proxy that is cut. */
  async function startBehindProxy() {
    const uri = new URL(database())
    const proxy = await startTcpProxy({ host: uri.hostname, port: Number(uri.port || 27017) })
    onTestFinished(() => proxy.close())
    uri.host = `127.0.0.1:${proxy.port}`
    uri.searchParams.set('directConnection', 'true')
    proxy.cut()
    const server = startProcess({ JWT_SECRET: secret, MONGODB_URI: uri.href })
    return { proxy, server, waiting: await waitingServer(server) }
  }

  test('waits for an unreachable MongoDB, and then serves', async () => {
    const { proxy, server, waiting } = await startBehindProxy()
    await expectWaiting(waiting)
    proxy.restore()
    await server.until(/"msg":"listening"/)
    await expectServing(waiting)
  })

  test('is alive and not ready while MongoDB builds an index, so no probe restarts it', async () => {
    const { proxy, server, waiting } = await startBehindProxy()
    const building = proxy.hangAfter((request) => request.includes('createIndexes'))
    proxy.restore()
    await building
    await expectWaiting(waiting)
    proxy.restore()
    await server.until(/"msg":"listening"/)
    await expectServing(waiting)
  })

  test('does not wait if the data has another format', async () => {
    const { MongoClient } = await import('mongodb')
    const uri = database()
    await (await connectMongoStore(uri)).close()
    const client = await MongoClient.connect(uri)
    onTestFinished(() => client.close())
    await client
      .db()
      .collection('format')
      .updateOne({}, { $set: { version: 99 } })
    const server = startProcess({ JWT_SECRET: secret, STORE_WAIT_SECONDS: '3600', MONGODB_URI: uri })
    expect(await server.exited()).toBe(1)
    expect(server.stderr()).toMatch(/^MONGODB_URI: .* has data of format 99, and this program .*\n$/)
  })
})

describePostgresql('a start', (database) => {
  test('waits for an unreachable PostgreSQL, and then serves', async () => {
    const uri = new URL(await database())
    const proxy = await startTcpProxy({ host: uri.hostname, port: Number(uri.port || 5432) })
    onTestFinished(() => proxy.close())
    uri.host = `127.0.0.1:${proxy.port}`
    proxy.cut()
    const server = startProcess({ JWT_SECRET: secret, POSTGRESQL_URI: uri.href })
    const waiting = await waitingServer(server)
    await expectWaiting(waiting)
    proxy.restore()
    await server.until(/"msg":"listening"/)
    await expectServing(waiting)
    expect(server.stdout()).not.toContain(uri.password || 'no password')
  })

  test('does not wait if the data has another format', async () => {
    const uri = await database()
    await (await connectPostgresqlStore(uri)).close()
    await execute(uri, 'UPDATE auctions.format SET version = 99')
    const server = startProcess({ JWT_SECRET: secret, STORE_WAIT_SECONDS: '3600', POSTGRESQL_URI: uri })
    expect(await server.exited()).toBe(1)
    expect(server.stderr()).toMatch(/^POSTGRESQL_URI: .* has data of format 99, and this program .*\n$/)
  })
})
