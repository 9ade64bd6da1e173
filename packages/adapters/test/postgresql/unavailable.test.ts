import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isStoreUnavailable } from '@auction/domain/errors'
import { sampleEntry } from '@auction/testing/samples'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { describePostgresql, execute, ownPostgresqlServer } from '../../../../tools/vitest/postgresql.ts'
import { connectPostgresqlStore } from '../../src/postgresql/postgresql-store.ts'
import { closingDuringOutage, othersThan } from '../server-outage.ts'
import { connectProxiedStore } from './support.ts'

const { auctionId } = sampleEntry()

/** Holds a lock that every append waits for, until the transaction of the returned client or the test ends. */
async function lockEntries(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString })
  onTestFinished(() => client.end())
  await client.connect()
  await client.query('BEGIN; LOCK TABLE auctions.entries')
  return client
}

describePostgresql('a server outage', (database) => {
  async function storeBehindProxy(timeoutMs = 5_000) {
    const { close, ...proxied } = await connectProxiedStore(await database(), timeoutMs)
    onTestFinished(close)
    return proxied
  }

  closingDuringOutage(storeBehindProxy)

  test('that breaks idle connections affects no call', async () => {
    const { store } = await storeBehindProxy()
    expect(await othersThan('responded', store, 1)).toEqual([])
    await execute(
      await database(),
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'auction-service'`,
    )
    await expect.poll(() => othersThan('responded', store, 2)).toEqual([])
  })

  test('that breaks busy connections fails their calls as unavailable', async () => {
    const { store } = await storeBehindProxy()
    const uri = await database()
    await lockEntries(uri)
    const append = store.append([sampleEntry()]).catch((error: unknown) => error)
    const waiting = `wait_event_type = 'Lock' AND datname = current_database() AND application_name = 'auction-service'`
    const broken = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${waiting}`
    await expect.poll(() => execute(uri, broken)).toHaveLength(1)
    expect(await append).toMatchObject({ code: 'store-unavailable' })
  })

  test('cancels a statement after its time limit, so that it is not stored later', async () => {
    const { store } = await storeBehindProxy(2_000)
    const holder = await lockEntries(await database())
    await expect(store.append([sampleEntry()])).rejects.toMatchObject({
      cause: { message: 'canceling statement due to statement timeout' },
    })
    await holder.query('ROLLBACK')
    expect(await store.findHeads([auctionId])).toEqual([])
  })

  test('is not replaced by a standby, which may lag', async ({ skip }) => {
    const server = await ownPostgresqlServer()
    if (server === undefined) return skip('no programs of PostgreSQL are installed')
    onTestFinished(() => server.stop())
    const store = await connectPostgresqlStore(server.uri)
    onTestFinished(() => store.close())
    await server.kill()
    await writeFile(join(server.data, 'standby.signal'), '')
    await server.start()
    await expect(store.ping()).rejects.toMatchObject({ code: 'store-unavailable' })
    await expect(store.ping()).rejects.toMatchObject({ cause: { message: 'the server is a standby' } })
    const second = await connectPostgresqlStore(server.uri).catch((error: unknown) => error)
    expect(isStoreUnavailable(second)).toBe(true)
  })
})
