import type { AuctionPosition, AuctionQuery } from '@auction/domain/store'
import { sampleAuction, sampleEntries, sampleEntry, sampleKey } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { createSqliteAppended } from '../../src/sqlite/appended.ts'
import { createSqliteAuctionLists } from '../../src/sqlite/auction-lists.ts'
import { createSqliteAuctions } from '../../src/sqlite/auctions.ts'
import { createSqliteCheckpoints } from '../../src/sqlite/checkpoints.ts'
import type { SqliteContext } from '../../src/sqlite/context.ts'
import { createSqliteEntries } from '../../src/sqlite/entries.ts'
import { createSqliteIdBlocks } from '../../src/sqlite/id-blocks.ts'
import { openDatabase } from '../../src/sqlite/open-database.ts'
import { createRowParser } from '../../src/sqlite/row-parser.ts'
import { parseEntry, parseListedAuction } from '../../src/sqlite/rows.ts'
import { createStatements, type Row } from '../../src/sqlite/statements.ts'
import { testFile } from './support.ts'

/** A store in this thread that records SQLite’s query plan for each of its reads and changes. */
async function explainedStore() {
  const { file } = await testFile()
  const database = await openDatabase(file, 1_000)
  const statements = createStatements(database)
  const plans: string[] = []
  /** The plans of the lists if they read only ids. */
  const plansOfIds: string[] = []
  function explain(sql: string, params: Row): void {
    const planOf = (text: string) =>
      statements
        .all(`EXPLAIN QUERY PLAN ${text}`, params)
        .map((step) => step[3])
        .join('; ')
    if (sql.startsWith('INSERT')) return
    plans.push(planOf(sql))
    if (sql.includes('INDEXED BY')) plansOfIds.push(planOf(sql.replace(/^SELECT .*? FROM/, 'SELECT id FROM')))
  }
  async function read(_: string, sql: string, params: Row): Promise<readonly Row[]> {
    explain(sql, params)
    return statements.all(sql, params)
  }
  const context: SqliteContext = {
    find: read,
    list: read,
    async write(_, { sql, rows }) {
      explain(sql, rows[0] ?? [])
      return rows.map((row) => statements.run(sql, row)).length
    },
    ping: async () => undefined,
    close: async () => database.close(),
  }
  const auctions = createRowParser(parseListedAuction, 10_000)
  const store = {
    ...createSqliteAuctions(context, auctions),
    ...createSqliteAuctionLists(context, auctions),
    ...createSqliteEntries(context, createRowParser(parseEntry, 10_000)),
    ...createSqliteIdBlocks(context),
    ...createSqliteAppended(context),
    checkpoints: createSqliteCheckpoints(context),
  }
  database.exec('BEGIN')
  for (let id = 1; id <= 1_100; id++) {
    await store.insertAuction(sampleAuction({ id, createdAtMs: id, title: 'A walnut desk' }))
  }
  await store.append(sampleEntries(20))
  database.exec('COMMIT')
  return { store, plans, plansOfIds, close: context.close }
}

const { id, ownerId, productId } = sampleAuction()
const { id: bidId, event } = sampleEntry()
const { bidderId } = event
const places: readonly AuctionPosition[] = [
  { order: 'newest', timeMs: 500, id },
  { order: 'agenda', timeMs: 500, id },
  { order: 'ended', timeMs: 500, id },
]
const filters: Readonly<Record<AuctionPosition['order'], readonly Partial<AuctionQuery>[]>> = {
  newest: [{}, { onlyOpen: true }, { words: ['desk'] }, { words: ['a', 'walnut', 'desk'], onlyOpen: true }],
  agenda: [{}, { dueByMs: Date.parse('2031-01-01') }],
  ended: [{}],
}

/** Every kind of query. */
const queries: readonly AuctionQuery[] = places.flatMap((after) =>
  [{}, { after }].flatMap((from) =>
    filters[after.order].flatMap((filter) =>
      [{}, { ownerId }, { productId }, { ownerId, productId }].map((same) => ({
        ...{ limit: 3, order: after.order },
        ...{ ...from, ...filter, ...same },
      })),
    ),
  ),
)

test('every list uses an index in its order: it does not sort, and examines a limited number of rows', async () => {
  const { store, plans, close } = await explainedStore()
  for (const query of queries) expect((await store.listAuctions(query)).items.length).toBeLessThanOrEqual(3)
  await store.listEntries(id, { limit: 3 })
  await store.listEntries(id, { limit: 3, before: 10 })
  await store.listBidderEntries(bidderId, { limit: 3 })
  await store.listBidderEntries(bidderId, { limit: 3, after: { timeMs: 500, id: bidId } })
  await close()
  expect(plans.length).toBeGreaterThan(queries.length)
  const sorted = plans.filter(
    (plan) => /TEMP B-TREE/.test(plan) || !/^(SEARCH|SCAN) \w+ USING ((COVERING )?INDEX|PRIMARY KEY)/.test(plan),
  )
  expect(sorted).toEqual([])
  // A whole index is read only from one end, up to a limit.
  const scans = plans.filter((plan) => plan.startsWith('SCAN'))
  expect(new Set(scans.map((plan) => plan.replace('COVERING ', '')))).toEqual(
    new Set(['newest', 'openNewest'].map((index) => `SCAN auctions USING INDEX ${index}`)),
  )
})

const word = 'SEARCH titleWords USING PRIMARY KEY (word=? AND (createdAtMs,id)<(?,?))'
const otherWord =
  'CORRELATED SCALAR SUBQUERY 2; SCAN other VIRTUAL TABLE INDEX 1:; CORRELATED SCALAR SUBQUERY 1; ' +
  'SEARCH own USING PRIMARY KEY (word=? AND createdAtMs=? AND id=?)'
const oneAuction = 'SEARCH auctions USING INDEX newest (createdAtMs=? AND id=?)'

test('the start and the end of a list are seeks in its index', async () => {
  const { store, plans, close } = await explainedStore()
  await store.listAuctions({ order: 'newest', limit: 3, after: { order: 'newest', timeMs: 1_090, id }, onlyOpen: true })
  await store.listAuctions({ order: 'newest', limit: 3, ownerId, productId, onlyOpen: true })
  await store.listAuctions({ order: 'newest', limit: 3, productId })
  const after = { order: 'agenda', timeMs: 500, id } as const
  await store.listAuctions({ order: 'agenda', limit: 3, after, dueByMs: 1e12, ownerId })
  await store.listAuctions({ order: 'agenda', limit: 3, dueByMs: 1e13 })
  await store.listAuctions({ order: 'ended', limit: 3, after: { order: 'ended', timeMs: 500, id } })
  const newest = { order: 'newest', limit: 3, after: { order: 'newest', timeMs: 1_090, id } } as const
  await store.listAuctions({ ...newest, words: ['desk'] })
  await store.listAuctions({ ...newest, words: ['a', 'desk'] })
  await store.listBidderEntries(bidderId, { limit: 3, after: { timeMs: 500, id: bidId } })
  await close()
  expect(plans).toEqual([
    'SEARCH auctions USING INDEX openNewest ((createdAtMs,id)<(?,?))',
    'SEARCH auctions USING COVERING INDEX openNewestOfOwner (ownerId=?)',
    'SEARCH auctions USING INDEX openNewestOfOwner (ownerId=? AND (createdAtMs,id)>(?,?))',
    'SEARCH auctions USING INDEX newestOfProduct (productId=?)',
    'SEARCH auctions USING COVERING INDEX agenda ((dueMs,id)>(?,?) AND (dueMs,id)<(?,?))',
    'SEARCH auctions USING INDEX agenda ((dueMs,id)>(?,?) AND (dueMs,id)<(?,?))',
    'SEARCH auctions USING INDEX agenda (dueMs>? AND (dueMs,id)<(?,?))',
    'SEARCH auctions USING INDEX ended (endedMs>? AND (endedMs,id)<(?,?))',
    `${word}; ${oneAuction}`,
    `${word}; ${oneAuction.replace('INDEX', 'COVERING INDEX')}`,
    `${word}; ${otherWord}; ${oneAuction}`,
    'SEARCH entries USING INDEX bidsOfBidder (bidderId=? AND atMs<?)',
  ])
})

test('a page without matches ends after 1,000 examined auctions, and the next page continues there', async () => {
  const { store, close } = await explainedStore()
  const { ownerId: stranger, productId: other } = sampleAuction({ ownerId: 2, productId: 8 })
  for (const [query, timeMs, last] of [
    [{ order: 'newest', ownerId, productId: other }, 101, 101],
    [{ order: 'newest', ownerId, productId: other, onlyOpen: true }, 101, 101],
    [{ order: 'agenda', ownerId: stranger }, sampleAuction().endTime.epochMs, 1_000],
  ] as const) {
    const page = await store.listAuctions({ ...query, limit: 3 })
    expect(page).toEqual({ items: [], next: { order: query.order, timeMs, id: last } })
    const rest = await store.listAuctions({ ...query, limit: 3, ...(page.next && { after: page.next }) })
    expect(rest).toEqual({ items: [], next: undefined })
  }
  await close()
})

const isFiltered = ({ order, words, ownerId, productId }: AuctionQuery): boolean =>
  words === undefined &&
  (order === 'newest' ? ownerId !== undefined && productId !== undefined : (ownerId ?? productId) !== undefined)

test.each(queries.filter(isFiltered))('the index alone shows which auctions of %j match', async (query) => {
  const { store, plansOfIds, close } = await explainedStore()
  await store.listAuctions(query)
  await close()
  expect(plansOfIds.length).toBe(2)
  for (const plan of plansOfIds) expect(plan).toContain('USING COVERING INDEX')
})

test('reads and changes by keys need one seek for each key', async () => {
  const { store, plans, close } = await explainedStore()
  const [a, b] = [sampleEntry({ id: 1 }), sampleEntry({ id: 2, auctionId: 2 })]
  await store.findAuction(sampleAuction({ id: 99_999 }).id)
  await store.findAuctions({ keys: [sampleKey('a')] })
  await store.findAuctions({ ids: [id, sampleAuction({ id: 2 }).id] })
  await store.updateAgenda([{ auctionId: id, endedMs: 1 }])
  await store.claimNextIdBlock('entries')
  await store.findEntries([a.id])
  await store.findEntries([a.id, b.id])
  await store.findEntriesByKey([sampleKey('a')])
  await store.findEntriesByKey([sampleKey('a'), sampleKey('b')])
  await store.findHeads([a.auctionId])
  await store.findHeads([a.auctionId, b.auctionId])
  await store.appendedSince('0/0')
  await store.checkpoints.save([{ auctionId: id, name: 'a', sequence: 1 }])
  await store.checkpoints.find([id, b.auctionId])
  await store.checkpoints.list({ after: { auctionId: id, name: 'a' }, limit: 3 })
  await store.checkpoints.remove([{ auctionId: id, name: 'a' }])
  await close()
  const tables = plans
    .flatMap((plan) => plan.split('; '))
    .filter((step) => /\b(auctions|entries|appends|idBlocks|checkpoints)\b/.test(step))
  expect(tables.length).toBe(18)
  for (const step of tables) expect(step).toMatch(/^SEARCH/)
  expect(tables[3]).toBe('SEARCH auctions USING INDEX sqlite_autoindex_auctions_1 (id=?)')
})
