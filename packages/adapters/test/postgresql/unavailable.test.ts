import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isStoreUnavailable } from '@auction/domain/errors'
import { sampleAuction, sampleEntry, sampleKey } from '@auction/testing/samples'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { describePostgresql, execute, ownPostgresqlServer } from '../../../../tools/vitest/postgresql.ts'
import { connectPostgresqlStore, type PostgresqlStore } from '../../src/postgresql/index.ts'
import { connectProxiedStore } from './support.ts'

const { id: entryId, auctionId } = sampleEntry()

/** Every operation of a store. The writes use unique keys; `round` distinguishes those of one use from the next. */
const operations = (store: PostgresqlStore, round: number) => ({
  insertAuction: () => store.insertAuction(sampleAuction({ id: round })),
  findAuction: () => store.findAuction(auctionId),
  findAuctionByKey: () => store.findAuctionByKey(sampleKey('a')),
  listAuctions: () => store.listAuctions({ order: 'newest', limit: 10 }),
  updateAgenda: () => store.updateAgenda([{ auctionId, dueMs: round }]),
  append: () => store.append([sampleEntry({ id: round * 10, sequence: round })]),
  appendContended: () =>
    store.append([sampleEntry({ id: round * 10 + 1, auctionId: 2, sequence: round })], { isContended: true }),
  findHeads: () => store.findHeads([auctionId]),
  findEntries: () => store.findEntries([entryId]),
  findEntriesByKey: () => store.findEntriesByKey([sampleKey('a')]),
  findAuctions: () => store.findAuctions([auctionId]),
  listBidderEntries: () => store.listBidderEntries(sampleEntry().event.bidderId, { limit: 10 }),
  listEntries: () => store.listEntries(auctionId, { limit: 10 }),
  claimIdBlock: () => store.claimIdBlock('entries', round),
  highestIdBlock: () => store.highestIdBlock('entries'),
  ping: () => store.ping(),
})

/** The outcomes of all operations, called concurrently. */
async function outcomes(store: PostgresqlStore, round: number): Promise<Readonly<Record<string, string>>> {
  const each = Object.entries(operations(store, round)).map(async ([name, operation]) => {
    const outcome = await operation().then(
      () => 'answered',
      (error: unknown) => (isStoreUnavailable(error) && error.cause instanceof Error ? 'unavailable' : String(error)),
    )
    return [name, outcome] as const
  })
  return Object.fromEntries(await Promise.all(each))
}

/** Holds a lock that every append waits for, until the transaction of the returned client or the test ends. */
async function lockEntries(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString })
  onTestFinished(() => client.end())
  await client.connect()
  await client.query('BEGIN; LOCK TABLE auctions.entries')
  return client
}

const all = (store: PostgresqlStore, outcome: string) =>
  Object.fromEntries(Object.keys(operations(store, 0)).map((name) => [name, outcome]))

describePostgresql('a server outage', (database) => {
  /** A store with short time limits, to keep the test short. */
  async function storeBehindProxy() {
    const { close, ...proxied } = await connectProxiedStore(await database(), 5_000)
    onTestFinished(close)
    return proxied
  }

  // The limits of time are those of the tests: they end because every operation does.
  test.each(['cut', 'hang'] as const)(
    'fails every operation, and each works again when it is back: %s',
    async (fault) => {
      const { store, proxy, restore } = await storeBehindProxy()
      expect(await outcomes(store, 1)).toStrictEqual(all(store, 'answered'))

      proxy[fault]()
      expect(await outcomes(store, 2)).toStrictEqual(all(store, 'unavailable'))

      await restore()
      expect(await outcomes(store, 3)).toStrictEqual(all(store, 'answered'))
    },
  )

  test('that breaks idle connections affects no call', async () => {
    const { store } = await storeBehindProxy()
    expect(await outcomes(store, 1)).toStrictEqual(all(store, 'answered'))
    await execute(
      await database(),
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'auction-service'`,
    )
    await expect.poll(() => outcomes(store, 2)).toStrictEqual(all(store, 'answered'))
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

  test('leaves the outcome of an append unknown: it may be stored', async () => {
    const { store, proxy, restore } = await storeBehindProxy()
    const entries = [sampleEntry({ id: 1 }), sampleEntry({ id: 2, sequence: 2 })]
    await store.ping()
    proxy.hang()
    await expect(store.append(entries)).rejects.toMatchObject({ name: 'StoreUnavailableError', outcome: 'unknown' })
    await restore()
    await store.append(entries)
    expect(await store.listEntries(auctionId, { limit: 10 })).toStrictEqual(entries.toReversed())
  })

  test('cancels a statement after its time limit, so that it is not stored later', async () => {
    const { store } = await storeBehindProxy()
    const holder = await lockEntries(await database())
    await expect(store.append([sampleEntry()])).rejects.toMatchObject({
      cause: { message: 'canceling statement due to statement timeout' },
    })
    await holder.query('ROLLBACK')
    expect(await store.findHeads([auctionId])).toEqual([])
  })

  test('does not prevent a store from closing, which fails calls in flight', async () => {
    const { store, proxy } = await storeBehindProxy()
    await store.ping()
    proxy.hang()
    const [ping, closed] = await Promise.allSettled([store.ping(), store.close()])
    expect(closed).toStrictEqual({ status: 'fulfilled', value: undefined })
    expect(ping).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailableError' } })
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
