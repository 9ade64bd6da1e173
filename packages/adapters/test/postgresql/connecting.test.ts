import type { Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describePostgresql } from '../../../../tools/vitest/postgresql.ts'
import { createConnection } from '../../src/postgresql/connection.ts'
import { connectPostgresqlStore } from '../../src/postgresql/postgresql-store.ts'
import { failureOf, portOf, secret } from '../connection-failures.ts'

const failure = (uri: string) => failureOf(connectPostgresqlStore(uri, { timeoutMs: 1_000 }))

describe('connecting fails with one line that names the server and the reason, and hides credentials', () => {
  test.each<[what: string, onConnection: (socket: Socket) => void]>([
    ['does not respond', () => undefined],
    ['breaks the connection', (socket) => socket.destroy()],
  ])('for a server that %s', async (_, onConnection) => {
    const port = await portOf(onConnection)
    const { message, everything, mayPass } = await failure(`postgresql://alice:p%40ssword@127.0.0.1:${port}/house`)
    expect(mayPass).toBe(true)
    expect(message).toMatch(new RegExp(`^PostgreSQL at 127\\.0\\.0\\.1:${port}, database house cannot be used: .+$`))
    expect(everything).not.toMatch(secret)
  })

  test.each([
    ['a server that is not there', '127.0.0.1:1', true],
    ['a name that is not known yet', 'no-such-host.invalid', true],
  ])('for %s', async (_, host, passes) => {
    const { message, everything, mayPass } = await failure(`postgres://alice:p%40ssword@${host}/house`)
    expect(mayPass).toBe(passes)
    expect(message).toMatch(/^PostgreSQL at .*, database house cannot be used: .*E[A-Z_]+ .*$/)
    expect(everything).not.toMatch(secret)
  })

  test.each([
    ['an @ in the password', 'postgresql://alice:p@ssword@127.0.0.1/house'],
    ['a slash in the password', 'postgresql://alice:12/p@ssword@127.0.0.1/house'],
    ['a # in the password', 'postgresql://alice:12#p@ss@127.0.0.1/house'],
    ['a broken percent-encoding', 'postgresql://alice:p%40ss%ZZ@127.0.0.1/house'],
    ['an impossible port', 'postgresql://alice:p%40ss@127.0.0.1:99999/house'],
    ['several hosts', 'postgresql://alice:p%40ss@127.0.0.1:1,127.0.0.1:2/house'],
    ['another protocol', 'mysql://alice:p%40ss@127.0.0.1/house'],
  ])('for a URI with %s', async (_, uri) => {
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

  test('describes server and database, and answers a ping', async () => {
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
