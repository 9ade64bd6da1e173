import { type AuctionPosition, type AuctionQuery, agendaStages } from '@auction/domain/store'
import { sampleAuction, sampleEntries, sampleEntry, sampleKey } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { createSqliteAppended } from '../../src/sqlite/appended.ts'
import { createSqliteAuctionLists } from '../../src/sqlite/auction-lists.ts'
import { createSqliteAuctions } from '../../src/sqlite/auctions.ts'
import { createSqliteCheckpoints } from '../../src/sqlite/checkpoints.ts'
import type { SqliteContext } from '../../src/sqlite/context.ts'
import { createStatements, openDatabase, type Row } from '../../src/sqlite/database.ts'
import { createSqliteEntries } from '../../src/sqlite/entries.ts'
import { createSqliteIdBlocks } from '../../src/sqlite/id-blocks.ts'
import { createRowParser } from '../../src/sqlite/row-parser.ts'
import { parseEntry, parseListedAuction } from '../../src/sqlite/rows.ts'
import { testFile } from './support.ts'

/** A store in this thread that records SQLite’s query plan for each of its reads and changes. */
async function explainedStore() {
  const { file } = await testFile()
  const database = await openDatabase(file, 1_000)
  const statements = createStatements(database)
  const plans: string[] = []
  function explain(sql: string, params: Row): void {
    if (sql.startsWith('INSERT')) return
    const steps = statements.all(`EXPLAIN QUERY PLAN ${sql}`, params)
    plans.push(steps.map((step) => step[3]).join('; '))
  }
  async function read(_: string, sql: string, params: Row): Promise<readonly Row[]> {
    explain(sql, params)
    return statements.all(sql, params)
  }
  const context: SqliteContext = {
    find: read,
    list: read,
    async write(what, { sql, rows, then }) {
      explain(sql, rows[0] ?? [])
      const changed = rows.map((row) => statements.run(sql, row)).length
      if (then !== undefined) await context.write(what, then)
      return changed
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
  return { store, plans, close: context.close }
}

const { id, ownerId, productId } = sampleAuction()
const { id: bidId, event } = sampleEntry()
const { bidderId } = event
const positions: readonly AuctionPosition[] = [
  { order: 'newest', timeMs: 500, id },
  { order: 'agenda', timeMs: 500, id },
  { order: 'ended', timeMs: 500, id },
]
const filters: Readonly<Record<AuctionPosition['order'], readonly Partial<AuctionQuery>[]>> = {
  newest: [{}, { stages: agendaStages }, { words: ['desk'] }, { words: ['a', 'walnut', 'desk'], stages: agendaStages }],
  agenda: [{}, { dueByMs: Date.parse('2031-01-01') }],
  ended: [{}],
}

/** Every kind of query. */
const queries: readonly AuctionQuery[] = positions.flatMap((after) =>
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
  expect(plans.filter((plan) => plan.includes('TEMP B-TREE'))).toEqual([])
  const tables = plans
    .flatMap((plan) => plan.split('; '))
    .filter((step) => /\b(auctions|titleWords|entries)\b/.test(step))
  expect(tables.filter((step) => !/^SEARCH \w+ USING ((COVERING )?INDEX|PRIMARY KEY)/.test(step))).toEqual([])
})

const word = 'SEARCH titleWords USING PRIMARY KEY (word=? AND (createdAtMs,id)<(?,?))'
const otherWord =
  'CORRELATED SCALAR SUBQUERY 2; SCAN other VIRTUAL TABLE INDEX 1:; CORRELATED SCALAR SUBQUERY 1; ' +
  'SEARCH own USING PRIMARY KEY (word=? AND createdAtMs=? AND id=?)'
const oneAuction = 'SEARCH auctions USING INDEX sqlite_autoindex_auctions_1 (id=?)'
const merged = (...ranges: readonly string[]) => `MERGE (UNION ALL); LEFT; ${ranges.join('; RIGHT; ')}`
const counted = (...lists: readonly string[]) => ['SCAN CONSTANT ROW', ...lists].join('; ')
const countOf = (number: number, plan: string) =>
  `SCALAR SUBQUERY ${number}; CO-ROUTINE (subquery-${number - 1}); ${plan}; SCAN (subquery-${number - 1})`

test('the start and the end of a list are seeks in its index', async () => {
  const { store, plans, close } = await explainedStore()
  const newest = { order: 'newest', limit: 3, after: { order: 'newest', timeMs: 1_090, id } } as const
  await store.listAuctions({ ...newest, stages: agendaStages })
  await store.listAuctions({ ...newest, stages: ['pending'], productId })
  await store.listAuctions({ ...newest, stages: ['pending'], ownerId, productId })
  const after = { order: 'agenda', timeMs: 500, id } as const
  await store.listAuctions({ order: 'agenda', stages: ['pending'], limit: 3, after, dueByMs: 1e12, ownerId })
  await store.listAuctions({ order: 'ended', stages: ['sold'], limit: 3, after: { order: 'ended', timeMs: 500, id } })
  await store.listAuctions({ ...newest, words: ['desk'] })
  await store.listAuctions({ ...newest, words: ['a', 'desk'] })
  await store.listBidderEntries(bidderId, { limit: 3, after: { timeMs: 500, id: bidId } })
  await close()
  const range = 'stage=? AND (createdAtMs,id)<(?,?)'
  const newestOpen = `SEARCH auctions USING INDEX newest (${range})`
  const ofOwner = `SEARCH auctions USING COVERING INDEX newestOfOwner (ownerId=? AND ${range})`
  const ofProduct = ofOwner.replace('OfOwner', 'OfProduct').replace('ownerId', 'productId')
  expect(plans).toEqual([
    merged(newestOpen, newestOpen),
    ofProduct.replace('COVERING ', ''),
    counted(countOf(2, ofOwner), countOf(4, ofProduct)),
    // The position of the last auction that may be examined.
    ofOwner,
    ofOwner.replace('COVERING ', '').replace('(createdAtMs,id)<', '(createdAtMs,id)>(?,?) AND (createdAtMs,id)<'),
    'SEARCH auctions USING INDEX byStageOfOwner (ownerId=? AND stage=? AND (stageMs,id)>(?,?) AND (stageMs,id)<(?,?))',
    'SEARCH auctions USING INDEX byStage (stage=? AND (stageMs,id)<(?,?))',
    `${word}; ${oneAuction}`,
    counted(countOf(2, word), countOf(4, word)),
    word,
    `${word.replace('(createdAtMs,id)<', '(createdAtMs,id)>(?,?) AND (createdAtMs,id)<')}; ${otherWord}; ${oneAuction}`,
    'SEARCH entries USING INDEX bidsOfBidder (bidderId=? AND atMs<?)',
  ])
})

test('a page without matches ends after 1,000 examined auctions, and the next page continues there', async () => {
  const { store, close } = await explainedStore()
  for (let id = 1_102; id <= 2_202; id++) {
    await store.insertAuction(sampleAuction({ id, createdAtMs: id, title: 'lamps a' }))
  }
  const query = { order: 'newest', words: ['lamps', 'desk'], limit: 3 } as const
  const page = await store.listAuctions(query)
  expect(page).toEqual({ items: [], next: { order: 'newest', timeMs: 1_203, id: 1_203 } })
  const rest = await store.listAuctions({ ...query, ...(page.next && { after: page.next }) })
  expect(rest).toEqual({ items: [], next: undefined })
  await close()
})

test('reads and changes by keys need one seek for each key', async () => {
  const { store, plans, close } = await explainedStore()
  const [a, b] = [sampleEntry({ id: 1 }), sampleEntry({ id: 2, auctionId: 2 })]
  await store.findAuction(sampleAuction({ id: 99_999 }).id)
  await store.findAuctions({ keys: [sampleKey('a')] })
  await store.findAuctions({ ids: [id, sampleAuction({ id: 2 }).id] })
  await store.updateAgenda([{ auctionId: id, endedMs: 1, outcome: 'sold' }])
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
