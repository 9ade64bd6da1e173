import { type AuctionPosition, type AuctionQuery, agendaStages } from '@auction/domain/store'
import { sampleAuction, sampleEntries, sampleEntry, sampleKey } from '@auction/testing/samples'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { describePostgresql, execute } from '../../../../tools/vitest/postgresql.ts'
import { parseAddress } from '../../src/postgresql/address.ts'
import { type Connection, createConnection, type Statement } from '../../src/postgresql/connection.ts'
import { connectPostgresqlStore } from '../../src/postgresql/postgresql-store.ts'
import { createStatements } from '../../src/postgresql/statements.ts'
import { dropSchema } from './support.ts'

/** A store that records the server’s plan for each of its statements. */
async function explainedStore(uri: string) {
  const { secrets } = parseAddress(uri)
  const connection = createConnection({ uri, secrets, timeoutMs: 60_000, maxConnections: 1 })
  onTestFinished(() => connection.close())
  const plans: string[] = []
  async function explain({ what, text, values }: Statement): Promise<void> {
    const statement = { what, text: `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ${text}`, values }
    const { rows } = await connection.query<{ 'QUERY PLAN': string }>(statement)
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
  }
  const explained: Connection = {
    ...connection,
    async query(statement) {
      await explain(statement)
      return connection.query(statement)
    },
    async write(statement) {
      if (!statement.text.includes('ON CONFLICT')) return undefined // So that the store looks up the taken keys.
      await explain(statement)
      return []
    },
  }
  return { store: createStatements(explained), plans }
}

/** Stores one auction with a ledger. */
async function begin(uri: string): Promise<void> {
  const store = await connectPostgresqlStore(uri)
  await store.insertAuction(sampleAuction())
  await store.append(sampleEntries(20))
  await store.close()
  // Otherwise new statistics could appear at any time.
  const tables = ['auctions', 'title_words', 'entries'].map(
    (table) => `ALTER TABLE auctions.${table} SET (autovacuum_enabled = off)`,
  )
  await execute(uri, tables.join(';'))
}

/** Enough auctions of one owner that a planner without statistics would sort them instead of reading an index. */
const grow = (uri: string) =>
  execute(
    uri,
    `INSERT INTO auctions.auctions
      SELECT number, NULL, owner_id, product_id, number, 1, number, 0, data, NULL
      FROM auctions.auctions, generate_series(2, 6000) AS number;
    UPDATE auctions.auctions SET stage = 2 + id % 4 WHERE id > 3000;
    INSERT INTO auctions.title_words
      SELECT word, number, number FROM unnest(array['a', 'walnut', 'desk']) AS word, generate_series(2, 6000) AS number;
    INSERT INTO auctions.entries
      SELECT 2 + number / 10, number, number, at_ms, bidder_id, NULL, data
      FROM auctions.entries, generate_series(100, 3000) AS number WHERE sequence = 1`,
  )

const { id, ownerId, productId } = sampleAuction()
const { id: bidId, event } = sampleEntry()
const { bidderId } = event
const filters: readonly Partial<AuctionQuery>[] = [{}, { ownerId }, { productId }, { ownerId, productId }]
const orders: Readonly<Record<AuctionPosition['order'], readonly Partial<AuctionQuery>[]>> = {
  newest: [{}, { stages: agendaStages }, { words: ['desk'] }, { words: ['a', 'walnut', 'desk'], stages: agendaStages }],
  agenda: [{}, { dueByMs: 1_000 }],
  ended: [{}],
}

/** Every kind of query. */
const queries: readonly AuctionQuery[] = (['newest', 'agenda', 'ended'] as const).flatMap((order) =>
  [{}, { after: { order, timeMs: 500, id } }].flatMap((after) =>
    orders[order].flatMap((which) => filters.map((filter) => ({ limit: 3, order, ...after, ...which, ...filter }))),
  ),
)

describePostgresql('the plans of the server', (database) => {
  afterEach(async () => void (await dropSchema(await database())))

  test('use an index, do not sort, and read a limited number of rows, with any statistics', async () => {
    const uri = await database()
    await begin(uri)
    await grow(uri)
    await expectGoodPlans(uri)
    await execute(uri, 'ANALYZE')
    await expectGoodPlans(uri)
    await execute(uri, 'DELETE FROM auctions.auctions WHERE id > 1')
    await execute(uri, 'VACUUM ANALYZE')
    await expectGoodPlans(uri)
  })

  test('of updates of the agenda read each of its auctions by id, even if statistics know no open auction', async () => {
    const uri = await database()
    await begin(uri)
    await grow(uri)
    await execute(uri, 'UPDATE auctions.auctions SET stage = 2; ANALYZE; UPDATE auctions.auctions SET stage = 1')
    const { store, plans } = await explainedStore(uri)
    const ids = Array.from({ length: 500 }, (_, index) => sampleAuction({ id: 2_001 + index }).id)
    await store.updateAgenda(ids.map((auctionId) => ({ auctionId, checkMs: 1_000 })))
    await store.updateAgenda(ids.map((auctionId) => ({ auctionId, endedMs: 10_000, outcome: 'unsold' })))
    expect(plans).toHaveLength(2)
    for (const plan of plans) {
      expect(plan).toMatch(/Index Scan using auctions_pkey on auctions .*loops=500/)
      expect(plan).not.toMatch(/by_stage|newest|Rows Removed/)
    }
  })
})

async function readEverything(store: Awaited<ReturnType<typeof explainedStore>>['store']): Promise<void> {
  await store.listEntries(id, { limit: 3 })
  await store.listEntries(id, { limit: 3, before: 10 })
  await store.listBidderEntries(bidderId, { limit: 3 })
  await store.listBidderEntries(bidderId, { limit: 3, after: { timeMs: 1e13, id: bidId } })
  await store.findAuctions({ ids: [id, sampleAuction({ id: 7 }).id] })
  await store.findHeads([id, sampleAuction({ id: 7 }).id])
  await store.findEntries(sampleEntries(3).map((entry) => entry.id))
  await store.findEntriesByKey(['a', 'b'].map(sampleKey))
  await store.findAuction(id)
  await store.findAuctions({ keys: [sampleKey('a')] })
  await store.append([sampleEntry()])
  await store.appendedSince((await store.appendedSince(undefined))?.mark)
  await store.updateAgenda([{ auctionId: id, dueMs: 0 }])
  await store.addTitleWords(id, ['walnut', 'desk'])
  await store.checkpoints.find([id, sampleAuction({ id: 7 }).id])
  await store.checkpoints.list({ after: { auctionId: id, name: 'a' }, limit: 3 })
  await store.checkpoints.remove([{ auctionId: id, name: 'a' }])
}

async function expectGoodPlans(uri: string): Promise<void> {
  const { store, plans } = await explainedStore(uri)
  for (const query of queries) await store.listAuctions(query)
  await readEverything(store)
  // Lists by several filters also count.
  expect(plans.length).toBeGreaterThan(queries.length + 18)
  for (const plan of plans) {
    expect(plan).toMatch(/Index (Only )?Scan/)
    expect(plan).not.toMatch(/Seq Scan|JIT/)
    // Ranges of an index are merged as they are read. Only an update of the agenda sorts what it has received.
    expect(plan.replaceAll(/Merge Append.*\n *Sort Key/g, ''), plan).not.toMatch(
      /Sort Key: (?!id$|auctions_1.id$|news)/m,
    )
    const read = [...plan.matchAll(/Index (?:Only )?Scan.*rows=(\d+)/g)].map(([, rows]) => Number(rows))
    // The numbering of rows reads one row ahead.
    expect(Math.max(...read), plan).toBeLessThanOrEqual(1_002)
  }
}
