import { isStoreUnavailable } from '@auction/domain/errors'
import { sampleAuction } from '@auction/testing/samples'
import { Client } from 'pg'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { describePostgresql, execute } from '../../../../tools/vitest/postgresql.ts'
import { connectPostgresqlStore, pingPostgresqlDatabase } from '../../src/postgresql/postgresql-store.ts'
import { refuseServer } from '../../src/postgresql/schema.ts'
import { dropSchema } from './support.ts'

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

  test('adds the table of checkpoints to data from before subscriptions', async () => {
    const uri = await database()
    await start(uri)
    await execute(uri, 'DROP TABLE auctions.checkpoints')
    await start(uri)
    expect(await tablesIn(uri)).toContain('checkpoints')
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
      'data of format 99, and this program reads and writes format 1; ',
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
    [130_000, 'UTF8'],
    [180_001, 'SQL_ASCII'],
  ])('of version %i with %s is accepted', (version, encoding) => {
    expect(() => refuseServer(version, encoding)).not.toThrow()
  })
})
