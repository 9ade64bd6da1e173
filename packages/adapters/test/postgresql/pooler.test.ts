import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isStoreUnavailable } from '@auction/domain/errors'
import { sampleAuction } from '@auction/testing/samples'
import { Client, type QueryConfig } from 'pg'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { startChild } from '../../../../tools/vitest/child.ts'
import { freePort } from '../../../../tools/vitest/free-port.ts'
import { describeWith, provided } from '../../../../tools/vitest/needs.ts'
import { describePostgresql, execute } from '../../../../tools/vitest/postgresql.ts'
import { unprivilegedUser } from '../../../../tools/vitest/postgresql-cluster.ts'
import { type Connection, prepareSession } from '../../src/postgresql/connection.ts'
import { refusePooler } from '../../src/postgresql/pooler.ts'
import { connectPostgresqlStore, pingPostgresqlDatabase } from '../../src/postgresql/postgresql-store.ts'
import { blockOf } from '../personal-data.ts'
import { dropSchema } from './support.ts'

/** Starts PgBouncer before a database. Returns a connection string with the pooler's address. */
async function startPgbouncer(uri: string, poolMode: string): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(uri)
  const listenPort = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'auction-pgbouncer-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'pgbouncer.ini')
  const server = { host: hostname, port, user: username, password: decodeURIComponent(password) }
  const address = Object.entries({ ...server, dbname: pathname.slice(1) }).map(([name, value]) => `${name}=${value}`)
  const settings = { listen_addr: '127.0.0.1', listen_port: listenPort, unix_socket_dir: '', auth_type: 'any' }
  const lines = Object.entries({ ...settings, pool_mode: poolMode }).map(([name, value]) => `${name} = ${value}`)
  await writeFile(file, ['[databases]', `house = ${address.join(' ')}`, '[pgbouncer]', ...lines, ''].join('\n'))
  const user = unprivilegedUser()
  if (user !== undefined) for (const path of [folder, file]) await chown(path, user.uid, user.gid)
  startChild(provided('pgbouncer').program, [file], { ...user, cwd: folder })
  const pooled = `postgresql://alice@127.0.0.1:${listenPort}/house`
  await expect.poll(() => execute(pooled, 'SELECT').catch(() => 'none'), { timeout: 10_000 }).not.toBe('none')
  return pooled
}

/**
 * Runs the transactions of two connections in two sessions, as a pooler that prepares the statements in each session itself, such as
 * PgBouncer 1.21. Sessions begin with the settings that an earlier start has left in them.
 */
async function throughPooler(uri: string, use: (connection: Pick<Connection, 'withClient'>) => Promise<void>) {
  const sessions = [new Client(uri), new Client(uri)] as const
  let isFirstHeld = false
  const client = Object.assign(new Client(), {
    async query(sent: QueryConfig | 'BEGIN' | 'ROLLBACK') {
      if (typeof sent === 'object') return sessions[isFirstHeld ? 1 : 0].query(sent.text, sent.values)
      isFirstHeld = sent === 'BEGIN'
      return undefined
    },
  })
  try {
    for (const session of sessions) await prepareSession(await session.connect().then(() => session), 5_000)
    await use({ withClient: (body) => body(client) })
  } finally {
    for (const session of sessions) await session.end()
  }
}

describePostgresql('behind a pooler', (database) => {
  test('a role with the settings of the how-to page has all that sessions of a pooler need', async () => {
    const uri = await database()
    const role = `test_${crypto.randomUUID().replaceAll('-', '')}`
    await execute(uri, `CREATE ROLE ${role} LOGIN PASSWORD 'secret-of-a-role'`)
    onTestFinished(async () => void (await execute(uri, `DROP ROLE ${role}`)))
    const statements = await blockOf('deploy-on-postgresql', 'settings-of-the-role')
    await execute(uri, statements.replaceAll('ROLE auctions', `ROLE ${role}`))
    const theirs = Object.assign(new URL(uri), { username: role, password: 'secret-of-a-role' })
    await throughPooler(theirs.href, (connection) => refusePooler(connection, 5_000))
  })

  test('sessions are refused with the settings that their role lacks, although an earlier start has left them', async () => {
    const uri = new URL(await database())
    uri.searchParams.set('options', '-c search_path=auctions -c enable_sort=off')
    await throughPooler(uri.href, async (connection) => {
      const refused =
        /ALTER ROLE … SET for statement_timeout = '2500', enable_seqscan = 'off', jit = 'off', plan_cache_mode = 'force_generic_plan', or/
      await expect(refusePooler(connection, 5_000)).rejects.toThrow(refused)
    })
  })

  describeWith('pgbouncer', 'a start', () => {
    afterEach(async () => void (await dropSchema(await database())))

    test('refuses sessions that change between statements and lack what they need, and names what would work', async () => {
      const pooled = await startPgbouncer(await database(), 'transaction')
      for (const connect of [connectPostgresqlStore, pingPostgresqlDatabase]) {
        const error = await connect(pooled).catch((reason: unknown) => reason)
        expect(isStoreUnavailable(error)).toBe(false)
        expect(String(error)).toMatch(
          /^Error: PostgreSQL at .*, database house cannot be used: a pooler .* lack its .*; use .*, or pool_mode = session$/,
        )
      }
    })

    test('accepts sessions that stay with their connections', async () => {
      const pooled = await startPgbouncer(await database(), 'session')
      const store = await connectPostgresqlStore(pooled)
      onTestFinished(() => store.close())
      expect(await store.insertAuction(sampleAuction())).toBe('inserted')
      expect(await pingPostgresqlDatabase(pooled)).toBe(store.description)
    })
  })
})
