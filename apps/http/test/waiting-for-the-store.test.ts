import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { connectMongoStore } from '@auction/adapters/mongodb'
import { connectPostgresqlStore } from '@auction/adapters/postgresql'
import { openSqliteStore } from '@auction/adapters/sqlite'
import { startTcpProxy } from '@auction/testing/tcp-proxy'
import { expect, onTestFinished, test } from 'vitest'
import type { Child } from '../../../tools/vitest/child.ts'
import { longTest } from '../../../tools/vitest/long-test.ts'
import { describeMongo } from '../../../tools/vitest/mongodb.ts'
import { describePostgresql, execute } from '../../../tools/vitest/postgresql.ts'
import { anonymousOf, clientOf, problem } from './support/client.ts'
import { runHere } from './support/command.ts'
import { startProcess, temporaryFolder } from './support/server-process.ts'
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
  for (const response of refused) {
    expect(response).toMatchObject(problem(503, 'store-unavailable', waiting))
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
  }
  expect(await anna.get('/readyz')).toMatchObject(problem(503, 'store-unavailable'))
}

async function expectServing(process: Child, server: { readonly url: string }): Promise<void> {
  await process.until(/"msg":"listening"/)
  expect((await clientOf(server).get('/readyz')).status).toBe(200)
  expect((await clientOf(server).createAuction()).status).toBe(201)
}

test('a start waits for the lock of the SQLite file; the server is alive and not ready until then', async () => {
  const SQLITE_FILE = join(temporaryFolder(), 'auctions.sqlite')
  await (await openSqliteStore(SQLITE_FILE)).close()
  const other = new DatabaseSync(SQLITE_FILE)
  onTestFinished(() => other.close())
  other.exec('BEGIN IMMEDIATE')

  const SEALED_BIDS_KEY = randomBytes(32).toString('base64')
  const server = startProcess({ JWT_SECRET: secret, SQLITE_FILE, SEALED_BIDS_KEY })
  const waiting = await waitingServer(server)
  await expectWaiting(waiting)
  other.exec('ROLLBACK')
  await expectServing(server, waiting)
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

/** Expects that a start ends with one line. A wait would take longer than the time limit of a test. */
async function expectNoWait(setting: string, value: string, rule = ''): Promise<void> {
  const ended = await runHere([], { JWT_SECRET: secret, STORE_WAIT_SECONDS: '3600', [setting]: value })
  const stderr = expect.stringMatching(new RegExp(`^${setting}: .*${rule}.*\\n$`))
  expect(ended).toEqual({ code: 1, stdout: '', stderr })
}

test.each([
  ['a store that cannot be opened', 'SQLITE_FILE', '/proc/auctions.sqlite'],
  ['an invalid address', 'MONGODB_URI', 'mongodb://127.0.0.1/?noSuchOption=1'],
  ['an address that is not a URL', 'POSTGRESQL_URI', 'postgresql://anna:p@ss@127.0.0.1/'],
])('a start does not wait for %s', (_, setting, value) => expectNoWait(setting, value))

/** Starts a process that waits for a database behind a proxy that is cut. */
async function startBehindProxy(setting: string, uri: URL, defaultPort: number) {
  const proxy = await startTcpProxy({ host: uri.hostname, port: Number(uri.port || defaultPort) })
  onTestFinished(() => proxy.close())
  uri.host = `127.0.0.1:${proxy.port}`
  proxy.cut()
  const server = startProcess({ JWT_SECRET: secret, [setting]: uri.href })
  const waiting = await waitingServer(server)
  await expectWaiting(waiting)
  return { proxy, server, waiting }
}

describeMongo('a start', (database) => {
  test('waits for an unreachable MongoDB and while it builds an index, so no probe restarts it, and then serves', async () => {
    const uri = new URL(database())
    uri.searchParams.set('directConnection', 'true')
    const { proxy, server, waiting } = await startBehindProxy('MONGODB_URI', uri, 27017)
    const building = proxy.hangAfter((request) => request.includes('createIndexes'))
    proxy.restore()
    await building
    await expectWaiting(waiting)
    proxy.restore()
    await expectServing(server, waiting)
  })

  test('does not wait if the data has another format', async () => {
    const { MongoClient } = await import('mongodb')
    const uri = database()
    await (await connectMongoStore(uri)).close()
    const client = await MongoClient.connect(uri)
    onTestFinished(() => client.close())
    const format = client.db().collection('format')
    await format.updateOne({}, { $set: { version: 99 } })
    await expectNoWait('MONGODB_URI', uri, 'has data of format 99, and this program')
  })
})

describePostgresql('a start', (database) => {
  test('waits for an unreachable PostgreSQL, and then serves', async () => {
    const uri = new URL(await database())
    const { proxy, server, waiting } = await startBehindProxy('POSTGRESQL_URI', uri, 5432)
    proxy.restore()
    await expectServing(server, waiting)
    expect(server.stdout()).not.toContain(uri.password || 'no password')
  })

  test('does not wait if the data has another format', async () => {
    const uri = await database()
    await (await connectPostgresqlStore(uri)).close()
    await execute(uri, 'UPDATE auctions.format SET version = 99')
    await expectNoWait('POSTGRESQL_URI', uri, 'has data of format 99, and this program')
  })
})
