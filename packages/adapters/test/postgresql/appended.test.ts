import type { Store } from '@auction/domain/store'
import { sampleEntry } from '@auction/testing/samples'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { describePostgresql, execute } from '../../../../tools/vitest/postgresql.ts'
import { connectPostgresqlStore, type PostgresqlStore } from '../../src/postgresql/postgresql-store.ts'
import { dropSchema } from './support.ts'

async function openStore(uri: string): Promise<PostgresqlStore> {
  const store = await connectPostgresqlStore(uri)
  onTestFinished(() => store.close())
  return store
}

const append = (store: Store, auctionId: number, sequence = 1) =>
  store.append([sampleEntry({ id: 100 * auctionId + sequence, auctionId, sequence })])

const markOf = async ({ appendedSince }: Store, before?: string) => (await appendedSince?.(before))?.mark

const auctionsSince = async ({ appendedSince }: Store, mark: string | undefined) =>
  (await appendedSince?.(mark))?.appended?.map(({ auctionId }) => Number(auctionId))

/** A row like that of auction 1, of another auction, of the transaction with this number or of a new one. */
const copyOf = (auctionId: number, transaction = 'pg_current_xact_id()') => `
  INSERT INTO auctions.entries (auction_id, sequence, id, at_ms, data, transaction_id)
  SELECT ${auctionId}, 1, ${100 * auctionId + 1}, at_ms, data, ${transaction}
  FROM auctions.entries WHERE auction_id = 1 AND sequence = 1`

/** An empty database with an entry of auction 1. */
async function begin(uri: string): Promise<PostgresqlStore> {
  await dropSchema(uri)
  const store = await openStore(uri)
  await append(store, 1)
  return store
}

describePostgresql('what was appended to PostgreSQL since a mark', (database) => {
  test('has a transaction that commits late once, at its commit', async () => {
    const uri = await database()
    const store = await begin(uri)
    const late = new Client({ connectionString: uri })
    await late.connect()
    onTestFinished(() => late.end())
    await late.query('BEGIN')
    await late.query(copyOf(2))
    await append(store, 3)
    const during = await markOf(store)
    await append(store, 4)
    const later = await markOf(store, during)
    expect(await auctionsSince(store, during)).toEqual([4])
    await late.query('COMMIT')
    expect((await auctionsSince(store, during))?.toSorted()).toEqual([2, 4])
    expect(await auctionsSince(store, later)).toEqual([2])
    expect(await auctionsSince(store, await markOf(store, later))).toEqual([])
  })

  test('has the rows that follow on a restored dump, whose numbers of transactions are of another server', async () => {
    const uri = await database()
    const store = await begin(uri)
    await execute(uri, copyOf(2, "'9000000000000000000'::xid8"))
    await execute(uri, copyOf(3, "'1'::xid8"))
    const mark = await markOf(store)
    await append(store, 4)
    expect(await auctionsSince(store, mark)).toEqual([4])
  })

  const unknown: readonly {
    title: string
    change: (store: PostgresqlStore, uri: string, mark: string) => Promise<string>
  }[] = [
    {
      title: 'another database',
      change: async (_store, _uri, mark) => mark.replace(/\/\d+\//, '/1/'),
    },
    {
      title: 'another run of the server',
      change: async (_store, _uri, mark) => mark.replace(/ (\d)/, ' 1$1'),
    },
    {
      title: 'a server that was set back',
      change: async (_store, _uri, mark) => mark.replace(/\d+:\d+:[\d,]*$/, '900000000:900000000:'),
    },
    {
      title: 'the same table, which was restored',
      async change(_store, uri, mark) {
        await begin(uri)
        return mark
      },
    },
    {
      title: 'a connection that has failed since',
      async change(store, uri, mark) {
        await execute(
          uri,
          'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
        )
        await store.ping().catch(() => undefined)
        return mark
      },
    },
  ]
  test.each(unknown)('is not known for a mark of $title', async ({ change }) => {
    const uri = await database()
    const store = await begin(uri)
    const mark = (await markOf(store)) ?? ''
    expect(await auctionsSince(store, mark)).toEqual([])
    expect(await auctionsSince(store, await change(store, uri, mark))).toBe(undefined)
  })
})
