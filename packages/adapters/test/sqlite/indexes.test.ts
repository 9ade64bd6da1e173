import { auctionStatuses } from '@auction/domain/auction/status'
import type { AuctionPosition, AuctionQuery } from '@auction/domain/store'
import { sampleAuction, sampleEntries, sampleEntry, sampleKey } from '@auction/domain/testing/samples'
import { expect, test } from 'vitest'
import { createSqliteAuctionLists } from '../../src/sqlite/auction-lists.ts'
import { createSqliteAuctions } from '../../src/sqlite/auctions.ts'
import type { SqliteContext } from '../../src/sqlite/context.ts'
import { createSqliteEntries } from '../../src/sqlite/entries.ts'
import { createSqliteIdBlocks } from '../../src/sqlite/id-blocks.ts'
import { planOf } from '../../src/sqlite/list-plans.ts'
import { openDatabase } from '../../src/sqlite/open-database.ts'
import { createRowParser } from '../../src/sqlite/row-parser.ts'
import { parseEntry, parseListedAuction } from '../../src/sqlite/rows.ts'
import { createStatements } from '../../src/sqlite/statements.ts'
import type { Row } from '../../src/sqlite/values.ts'
import { testFile } from './support.ts'

/** A store in this thread that notes how SQLite goes about each of its reads. */
async function explainedStore() {
  const { file } = await testFile()
  const database = openDatabase(file, 1_000)
  const statements = createStatements(database)
  const plans: string[] = []
  async function read(_: string, sql: string, params: Row): Promise<readonly Row[]> {
    const steps = statements.all(`EXPLAIN QUERY PLAN ${sql}`, params).map((step) => String(step[3]))
    plans.push(steps.join('; '))
    return statements.all(sql, params)
  }
  const context: SqliteContext = {
    find: read,
    list: read,
    write: async (_, sql, rows) => rows.map((row) => statements.run(sql, row)).length,
    ping: async () => undefined,
    close: async () => database.close(),
  }
  const auctions = createRowParser(parseListedAuction, 10_000)
  const store = {
    ...createSqliteAuctions(context, auctions),
    ...createSqliteAuctionLists(context, auctions),
    ...createSqliteEntries(context, createRowParser(parseEntry, 10_000)),
    ...createSqliteIdBlocks(context),
  }
  database.exec('BEGIN')
  for (let id = 1; id <= 1_100; id++) await store.insertAuction(sampleAuction({ id, createdAtMs: id }))
  await store.append(sampleEntries(20))
  database.exec('COMMIT')
  return { store, plans, close: context.close }
}

const { id, ownerId, productId } = sampleAuction()
const places: Readonly<Record<AuctionPosition['order'], AuctionPosition>> = {
  newest: { order: 'newest', createdAtMs: 500, id },
  endTime: { order: 'endTime', endMs: 500, id },
}

type Filter = Pick<AuctionQuery, 'status' | 'inOvertimeAtMs'>
const filters: Readonly<Record<AuctionPosition['order'], readonly Filter[]>> = {
  newest: [{}, ...auctionStatuses.map((is) => ({ status: { is, nowMs: 1_000 } }))],
  endTime: [{}, { status: { is: 'Active', nowMs: 1_000 } }, { inOvertimeAtMs: 1_000 }],
}

/** Every kind of query that there is. */
const queries: readonly AuctionQuery[] = (['newest', 'endTime'] as const).flatMap((order) =>
  [undefined, places[order]].flatMap((after) =>
    filters[order].flatMap((filter) =>
      [{}, { ownerId }, { productId }, { ownerId, productId }].map((same) => ({
        limit: 3,
        order,
        ...same,
        ...(after && { after }),
        ...filter,
      })),
    ),
  ),
)

test('every list goes along an index in its order: it sorts nothing, and looks at no more than it may', async () => {
  const { store, plans, close } = await explainedStore()
  for (const query of queries) await store.listAuctions(query)
  await store.listEntries(id, { limit: 3 })
  await store.listEntries(id, { limit: 3, before: 10 })
  await close()
  expect(plans.length).toBeGreaterThan(queries.length)
  const sorted = plans.filter(
    (plan) => /TEMP B-TREE/.test(plan) || !/^(SEARCH|SCAN) \w+ USING (COVERING )?INDEX/.test(plan),
  )
  expect(sorted).toEqual([])
  // A whole index is walked only from its one end, and as far as a limit says.
  const scans = plans.filter((plan) => plan.startsWith('SCAN'))
  expect(new Set(scans.map((plan) => plan.replace('COVERING ', '')))).toEqual(
    new Set(['SCAN auctions USING INDEX newestFirst', 'SCAN auctions USING INDEX soonestEndFirst']),
  )
})

test('where a list goes on, and where it ends, are seeks in its index', async () => {
  const { store, plans, close } = await explainedStore()
  const status = { is: 'Active', nowMs: 1_000 } as const
  await store.listAuctions({ order: 'newest', limit: 3, after: { order: 'newest', createdAtMs: 1_090, id }, status })
  await store.listAuctions({ order: 'newest', limit: 3, ownerId, status })
  await close()
  expect(plans).toEqual([
    'SEARCH auctions USING COVERING INDEX newestFirst ((createdAtMs,id)<(?,?))',
    'SEARCH auctions USING INDEX newestFirst ((createdAtMs,id)>(?,?) AND (createdAtMs,id)<(?,?))',
    'SEARCH auctions USING COVERING INDEX newestOfOwnerFirst (ownerId=?)',
    'SEARCH auctions USING INDEX newestOfOwnerFirst (ownerId=? AND (createdAtMs,id)>(?,?))',
  ])
})

test('those in overtime are looked for in an index that has those with a soft close alone', async () => {
  const { store, plans, close } = await explainedStore()
  await store.listAuctions({ order: 'endTime', limit: 3, inOvertimeAtMs: 1_000 })
  await close()
  expect(plans).toEqual([
    'SEARCH auctions USING COVERING INDEX soonestEndOfSoftCloseFirst ((endMs,id)>(?,?) AND (endMs,id)<(?,?))',
    'SEARCH auctions USING INDEX soonestEndOfSoftCloseFirst ((endMs,id)>(?,?) AND (endMs,id)<(?,?))',
  ])
})

test.each(auctionStatuses)('whether an auction may be %s is told by each index of the newest alone', async (is) => {
  const { file } = await testFile()
  const database = openDatabase(file, 1_000)
  for (const same of [{}, { ownerId }, { productId }]) {
    const { index, prefix, filter } = planOf({ order: 'newest', limit: 3, status: { is, nowMs: 1_000 }, ...same })
    const conditions = ['createdAtMs < 9', ...[...prefix, ...filter].map(({ sql }) => sql)].join(' AND ')
    const sql = `EXPLAIN QUERY PLAN SELECT id FROM auctions INDEXED BY ${index} WHERE ${conditions}`
    const params = [...prefix, ...filter].flatMap((condition) => condition.params)
    expect(database.prepare(sql).get(...params)?.['detail']).toContain(`USING COVERING INDEX ${index}`)
  }
  database.close()
})

test('what is found by keys is found by one seek for each', async () => {
  const { store, plans, close } = await explainedStore()
  const [a, b] = [sampleEntry({ id: 1 }), sampleEntry({ id: 2, auctionId: 2 })]
  await store.findAuction(sampleAuction({ id: 99_999 }).id)
  await store.findAuctionByKey(sampleKey('a'))
  await store.highestIdBlock('entries')
  await store.findEntries([a.id])
  await store.findEntries([a.id, b.id])
  await store.findEntriesByKey([sampleKey('a')])
  await store.findEntriesByKey([sampleKey('a'), sampleKey('b')])
  await store.findHeads([a.auctionId])
  await store.findHeads([a.auctionId, b.auctionId])
  await close()
  const tables = plans
    .flatMap((plan) => plan.split('; '))
    .filter((step) => /\b(auctions|entries|idBlocks)\b/.test(step))
  expect(tables.length).toBe(10)
  for (const step of tables) expect(step).toMatch(/^SEARCH/)
})
