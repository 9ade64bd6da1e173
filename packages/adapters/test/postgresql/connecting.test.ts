import type { Socket } from 'node:net'
import { isStoreUnavailable } from '@auction/domain/errors'
import type { CallSignal } from '@auction/domain/store'
import { sampleAuction } from '@auction/testing/samples'
import { Client } from 'pg'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { describePostgresql, execute } from '../../../../tools/vitest/postgresql.ts'
import { createConnection } from '../../src/postgresql/connection.ts'
import { connectPostgresqlStore, pingPostgresqlDatabase } from '../../src/postgresql/postgresql-store.ts'
import { refuseServer } from '../../src/postgresql/schema.ts'
import { failureOf, portOf, secret } from '../connection-failures.ts'
import { dropSchema } from './support.ts'

const failure = (uri: string) => failureOf(connectPostgresqlStore(uri, { timeoutMs: 1_000 }))

describe('connecting fails with one line that names the server and the reason, and hides credentials', () => {
  test.each<{ readonly title: string; readonly onConnection: (socket: Socket) => void }>([
    { title: 'does not respond', onConnection: () => undefined },
    { title: 'breaks the connection', onConnection: (socket) => socket.destroy() },
  ])('for a server that $title', async ({ onConnection }) => {
    const port = await portOf(onConnection)
    const { message, everything, mayPass } = await failure(`postgresql://alice:p%40ssword@127.0.0.1:${port}/house`)
    expect(mayPass).toBe(true)
    expect(message).toMatch(new RegExp(`^PostgreSQL at 127\\.0\\.0\\.1:${port}, database house cannot be used: .+$`))
    expect(everything).not.toMatch(secret)
  })

  test.each([
    { title: 'a server that is not there', host: '127.0.0.1:1', passes: true },
    { title: 'a name that is not known yet', host: 'no-such-host.invalid', passes: true },
  ])('for $title', async ({ host, passes }) => {
    const { message, everything, mayPass } = await failure(`postgres://alice:p%40ssword@${host}/house`)
    expect(mayPass).toBe(passes)
    expect(message).toMatch(/^PostgreSQL at .*, database house cannot be used: .*E[A-Z_]+ .*$/)
    expect(everything).not.toMatch(secret)
  })

  test.each([
    { title: 'an @ in the password', uri: 'postgresql://alice:p@ssword@127.0.0.1/house' },
    { title: 'a slash in the password', uri: 'postgresql://alice:12/p@ssword@127.0.0.1/house' },
    { title: 'a # in the password', uri: 'postgresql://alice:12#p@ss@127.0.0.1/house' },
    { title: 'a broken percent-encoding', uri: 'postgresql://alice:p%40ss%ZZ@127.0.0.1/house' },
    { title: 'an impossible port', uri: 'postgresql://alice:p%40ss@127.0.0.1:99999/house' },
    { title: 'several hosts', uri: 'postgresql://alice:p%40ss@127.0.0.1:1,127.0.0.1:2/house' },
    { title: 'another protocol', uri: 'mysql://alice:p%40ss@127.0.0.1/house' },
  ])('for a URI with $title', async ({ uri }) => {
    const { message, everything, mayPass } = await failure(uri)
    expect(mayPass).toBe(false)
    expect(message).toMatch(/^the PostgreSQL URI must have the form .+$/)
    expect(everything).not.toMatch(secret)
  })

  test('for a missing certificate', async () => {
    const uri = 'postgresql://alice:p%40ssword@127.0.0.1/house?sslmode=verify-full&sslrootcert=/no/such/ca.pem'
    const { message, everything, mayPass } = await failure(uri)
    expect(mayPass).toBe(false)
    expect(message).toMatch(/^ENOENT.*\/no\/such\/ca\.pem'$/)
    expect(everything).not.toMatch(secret)
  })
})

describePostgresql('connecting', (database) => {
  test('refuses wrong credentials, and hides them', async () => {
    const uri = new URL(await database())
    Object.assign(uri, { username: 'alice', password: 'p@ssword' })
    const { message, everything, mayPass } = await failure(uri.href)
    expect(mayPass).toBe(false)
    expect(message).toMatch(
      /cannot be used: (password authentication failed|role .* does not exist|the reason is not shown)/,
    )
    expect(everything).not.toMatch(/p@ss|p%40ss/)
  })

  test('refuses a missing database', async () => {
    const uri = new URL(await database())
    uri.pathname = 'no-such-database'
    expect(await failure(uri.href)).toMatchObject({
      mayPass: false,
      message: expect.stringMatching(/cannot be used: database "no-such-database" does not exist$/),
    })
  })

  test('accepts a URI with less durable settings, and overrides them', async () => {
    const uri = new URL(await database())
    uri.searchParams.set('options', '-c synchronous_commit=off -c default_transaction_isolation=serializable')
    const connection = createConnection({ uri: uri.href, secrets: [], timeoutMs: 5_000, maxConnections: 1 })
    onTestFinished(() => connection.close())
    const text = `SELECT current_setting('synchronous_commit') AS commit, current_setting('transaction_isolation') AS isolation`
    const { rows } = await connection.query({ what: 'tell its settings', text, values: [] })
    expect(rows).toEqual([{ commit: 'on', isolation: 'read committed' }])
  })

  test('keeps a connection whose caller stopped waiting before the statement was sent', async () => {
    const connection = createConnection({ uri: await database(), secrets: [], timeoutMs: 5_000, maxConnections: 1 })
    onTestFinished(() => connection.close())
    const findSession = async (signal?: CallSignal) =>
      (await connection.query({ what: 'find its session', text: 'SELECT pg_backend_pid()', values: [], signal })).rows
    const session = await findSession()
    await expect(findSession({ aborted: true })).rejects.toMatchObject({ code: 'store-unavailable' })
    expect(await findSession()).toEqual(session)
  })

  test('describes server and database, and responds to a ping', async () => {
    const uri = new URL(await database())
    const store = await connectPostgresqlStore(uri.href)
    expect(store.description).toBe(`PostgreSQL at ${uri.host}, database ${uri.pathname.slice(1)}`)
    expect(await store.ping()).toBe(undefined)
    await store.close()
  })

  test('closes at once, also with calls in flight', async () => {
    const store = await connectPostgresqlStore(await database(), { timeoutMs: 600_000 })
    const pings = Promise.allSettled([store.ping(), store.ping()])
    await store.close()
    await pings
  })
})

describePostgresql('a start', (database) => {
  afterEach(async () => void (await dropSchema(await database())))

  async function start(uri: string): Promise<void> {
    const store = await connectPostgresqlStore(uri)
    await store.close()
  }

  const tablesIn = async (uri: string) =>
    (await execute(uri, "SELECT tablename FROM pg_tables WHERE schemaname = 'auctions' ORDER BY 1")).map(
      ({ tablename }) => tablename,
    )

  test('creates the schema once for many concurrent starts, and the next start accepts it', async () => {
    const uri = await database()
    const stores = await Promise.all(Array.from({ length: 8 }, () => connectPostgresqlStore(uri)))
    expect(await Promise.all(stores.map((store) => store.insertAuction(sampleAuction())))).toContain('inserted')
    await Promise.all(stores.map((store) => store.close()))
    expect(await tablesIn(uri)).toEqual(['auctions', 'checkpoints', 'entries', 'format', 'id_blocks', 'title_words'])
    const again = await connectPostgresqlStore(uri)
    expect(await again.findAuction(sampleAuction().id)).toEqual(sampleAuction())
    await again.close()
  })

  test('is not needed for a ping, which creates nothing', async () => {
    const uri = await database()
    expect(await pingPostgresqlDatabase(uri)).toBe(
      `PostgreSQL at ${new URL(uri).host}, database ${new URL(uri).pathname.slice(1)}`,
    )
    expect(await tablesIn(uri)).toEqual([])
  })

  test('needs no right to create schemas if an empty one exists', async () => {
    const uri = new URL(await database())
    const role = `test_${crypto.randomUUID().replaceAll('-', '')}`
    await execute(uri.href, `CREATE ROLE ${role} LOGIN PASSWORD 'secret-of-a-role'`)
    onTestFinished(async () => void (await execute(uri.href, `DROP OWNED BY ${role}; DROP ROLE ${role}`)))
    const theirs = new URL(uri)
    Object.assign(theirs, { username: role, password: 'secret-of-a-role' })
    await expect(start(theirs.href)).rejects.toThrow(/cannot be used: permission denied for database /)
    await execute(uri.href, `CREATE SCHEMA auctions AUTHORIZATION ${role}`)
    await start(theirs.href)
    expect(await tablesIn(uri.href)).toContain('entries')
  })

  test.each([
    [
      'a newer format',
      'UPDATE auctions.format SET version = 99',
      'data of format 99, and this program reads and writes',
    ],
    ['no record of its format', 'DELETE FROM auctions.format', 'data of format unknown, and this program '],
    ['a back-up that was restored in part', 'DROP INDEX auctions.entries_id', 'lacks entries_id; '],
  ])('refuses data with %s, with the reason on one line', async (_, damage, reason) => {
    const uri = await database()
    await start(uri)
    await execute(uri, damage)
    const refusal = await start(uri).catch((error: unknown) => error)
    expect(isStoreUnavailable(refusal)).toBe(false)
    expect(String(refusal)).toMatch(/^Error: PostgreSQL at .*, database .* cannot be used: the schema auctions .*$/)
    expect(String(refusal)).toContain(reason)
  })

  test('refuses tables of another program without changing them', async () => {
    const uri = await database()
    await execute(uri, 'CREATE SCHEMA auctions; CREATE TABLE auctions.entries (name text)')
    await expect(start(uri)).rejects.toThrow(/cannot be used: relation "entries" already exists$/)
    expect(await tablesIn(uri)).toEqual(['entries'])
  })

  test('waits for a concurrent one, and fails as unavailable after the time limit', async () => {
    const uri = await database()
    const other = new Client({ connectionString: uri })
    await other.connect()
    onTestFinished(() => other.end())
    await other.query(`BEGIN; SELECT pg_advisory_xact_lock(${0x41756374})`)
    const error = await connectPostgresqlStore(uri, { timeoutMs: 500 }).catch((reason: unknown) => reason)
    expect(isStoreUnavailable(error)).toBe(true)
    const waiting = connectPostgresqlStore(uri)
    await other.query('ROLLBACK')
    await (await waiting).close()
  })
})

describe('a server', () => {
  test.each([
    ['is too old', 120_022, 'UTF8', 'PostgreSQL 12 is too old; use 13 or newer'],
    ['cannot store every text', 150_000, 'LATIN1', 'the database has the encoding LATIN1, '],
  ])('that %s is refused', (_, version, encoding, reason) => {
    expect(() => refuseServer(version, encoding)).toThrow(reason)
  })

  test.each([
    { version: 130_000, encoding: 'UTF8' },
    { version: 180_001, encoding: 'SQL_ASCII' },
  ])('of version $version with $encoding is accepted', ({ version, encoding }) => {
    expect(() => refuseServer(version, encoding)).not.toThrow()
  })
})
