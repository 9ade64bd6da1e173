import type { Store } from '@auction/domain/store'
import { sampleAuction, sampleClosed, sampleEntry, sampleKey } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import type { Row } from '../../src/sqlite/database.ts'
import { createRowParser } from '../../src/sqlite/row-parser.ts'
import { fileFormat } from '../../src/sqlite/schema.ts'
import { expectRecordedShape, shapeOf, storeOneOfEach } from '../stored-shape.ts'
import { connectTo, testFile } from './support.ts'

const most = Number.MAX_SAFE_INTEGER

const listed = async (store: Store) =>
  (await store.listAuctions({ order: 'newest', limit: 1 })).items.map(({ auction }) => auction)

/** A store and a separate connection to the same file. */
async function storeAndDatabase() {
  const { file, open } = await testFile()
  const store = await open()
  const database = connectTo(file)
  const rows = (table: string) =>
    database
      .prepare(`SELECT * FROM ${table} ORDER BY 1`)
      .all()
      .map(({ data, ...columns }) => (data === undefined ? columns : { ...columns, data: JSON.parse(String(data)) }))
  return { store, database, rows }
}

test('the format of files has a new number if tables, indexes or rows change', async () => {
  const { store, database, rows } = await storeAndDatabase()
  await storeOneOfEach(store)
  const schema = database.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name').all()
  const statements = schema.map(({ sql }) => String(sql).replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' '))
  const shapes = ['auctions', 'entries'].flatMap((table) => shapeOf(table, rows(table)))
  await expectRecordedShape('sqlite', fileFormat, [...statements, ...shapes])
})

// Files of this version must stay readable: the expectations are literal and never change.
describe('stored rows', () => {
  test('of auctions have their keys and times in columns, and the rest as JSON', async () => {
    const { store, rows } = await storeAndDatabase()
    const startTime = '2030-01-31T12:00:00.123456789Z'
    const auction = sampleAuction({ id: most, title: 'A vase', description: 'It is "old".', startTime })
    await store.insertAuction({ ...auction, requestKey: sampleKey('a') })
    await store.insertAuction(sampleAuction({ id: 1 }))
    const endMs = Date.parse('2030-02-07T12:00:00Z')
    const startMs = Date.parse('2030-01-31T12:00:00Z')
    const agenda = { stage: 0, stageMs: startMs, corrections: 0 }
    const common = { ownerId: 1, productId: 7, createdAtMs: Date.parse('2030-01-30T12:00:00Z'), ...agenda }
    const data = {
      version: 1,
      startingPriceMinor: 100_00,
      minimumBidIncrementMinor: 5_00,
      currency: { code: 'USD', exponent: 2 },
      startTime: { iso: '2030-01-31T12:00:00Z', epochMs: startMs },
      endTime: { iso: '2030-02-07T12:00:00Z', epochMs: endMs },
    }
    expect(rows('auctions')).toEqual([
      { id: 1, requestKey: null, ...common, data, description: null },
      {
        id: most,
        requestKey: 'place-bid caller a',
        ...common,
        stageMs: startMs + 123,
        data: { ...data, title: 'A vase', startTime: { iso: startTime, epochMs: startMs + 123 } },
        description: '"It is \\"old\\"."',
      },
    ])
  })

  test('of auctions have the number and the time of their stage, and do not change otherwise', async () => {
    const { store, rows } = await storeAndDatabase()
    const description = 'x'.repeat(9_000)
    const [moved, ended] = [sampleAuction({ id: 1, description }), sampleAuction({ id: 2, description })]
    for (const auction of [moved, ended]) await store.insertAuction(auction)
    const before = rows('auctions')
    await store.updateAgenda([
      { auctionId: moved.id, dueMs: most },
      { auctionId: ended.id, endedMs: 7, outcome: 'sold' },
    ])
    const positions = [
      { stage: 1, stageMs: most, corrections: 0 },
      { stage: 2, stageMs: 7, corrections: most },
    ]
    expect(rows('auctions')).toEqual(before.map((row, index) => ({ ...row, ...positions[index] })))
  })

  test('of entries have their keys in columns, and the event and the state as JSON', async () => {
    const { store, rows } = await storeAndDatabase()
    const startMs = Date.parse('2030-01-31T12:00:00Z')
    const endMs = Date.parse('2030-02-07T12:00:00Z')
    await store.append([
      sampleEntry({ id: 1, auctionId: most, bidderId: most, requestKey: 'a' }),
      sampleClosed({ id: 2, auctionId: most, sequence: 2 }),
      sampleClosed({ id: 3, auctionId: 3, currency: 'JPY' }),
    ])
    const leader = { bidId: 1, bidderId: most, amountMinor: 100_00 }
    const second = { bidId: 1, bidderId: 2, amountMinor: 100_00 }
    const sold = { outcome: 'sold', bidId: 1, winnerId: 2, priceMinor: 100_00 }
    const unsold = { outcome: 'unsold', reason: 'no-bids' }
    const usd = { code: 'USD', exponent: 2 }
    expect(rows('entries')).toEqual([
      {
        id: 1,
        auctionId: most,
        sequence: 1,
        atMs: startMs + 1,
        bidderId: most,
        requestKey: 'place-bid caller a',
        data: {
          version: 1,
          currency: usd,
          event: { type: 'bid-placed', bidderId: most, amountMinor: 100_00 },
          state: { phase: 'open', bidCount: 1, leader, atMs: startMs + 1 },
        },
      },
      {
        id: 2,
        auctionId: most,
        sequence: 2,
        atMs: endMs + 2,
        bidderId: null,
        requestKey: null,
        data: {
          version: 1,
          currency: usd,
          event: { type: 'closed', result: sold },
          state: { phase: 'closed', bidCount: 1, leader: second, atMs: endMs + 2, result: sold },
        },
      },
      {
        id: 3,
        auctionId: 3,
        sequence: 1,
        atMs: endMs + 1,
        bidderId: null,
        requestKey: null,
        data: {
          version: 1,
          currency: { code: 'JPY', exponent: 0 },
          event: { type: 'closed', result: unsold },
          state: { phase: 'closed', bidCount: 0, leader: null, atMs: endMs + 1, result: unsold },
        },
      },
    ])
  })

  test('of blocks of ids name their kind', async () => {
    const { store, rows } = await storeAndDatabase()
    for (const kind of ['auctions', 'entries', 'entries'] as const) await store.claimNextIdBlock(kind)
    expect(rows('idBlocks')).toEqual([
      { idsOf: 'auctions', block: 1 },
      { idsOf: 'entries', block: 1 },
      { idsOf: 'entries', block: 2 },
    ])
  })
})

describe('rows of other programs', () => {
  // The contract shows that every read validates.
  const { id } = sampleEntry({ id: 7 })

  test.each([
    { title: 'a sequence is 0', fault: 'sequence = 0', field: 'sequence' },
    { title: 'the data is not JSON', fault: "data = 'none'", field: 'data' },
    { title: 'the data is JSON of another kind', fault: "data = 'null'", field: 'version' },
  ])('are validated: $title', async ({ fault, field }) => {
    const { store, database } = await storeAndDatabase()
    await store.append([sampleEntry({ id, requestKey: 'a' })])
    database.exec(`UPDATE entries SET ${fault}`)
    await expect(store.findEntries([id])).rejects.toMatchObject({
      code: 'unreadable-stored',
      message: expect.stringContaining(`the stored entry 7 of auction 1 has an invalid field ${field}`),
    })
  })

  test('are validated: a number is above 2^53', async () => {
    const { store, database } = await storeAndDatabase()
    await store.append([sampleEntry({ id: 7, requestKey: 'a' })])
    database.exec('UPDATE entries SET sequence = 9223372036854775807')
    await expect(store.findEntries([id])).rejects.toThrow('too large')
  })

  test('of auctions have a description that is the JSON of a string', async () => {
    const { store, database } = await storeAndDatabase()
    const auction = sampleAuction({ description: 'It is old.' })
    await store.insertAuction(auction)
    for (const invalid of ['7', 'It is old.']) {
      database.prepare('UPDATE auctions SET description = ?').run(invalid)
      await expect(store.findAuction(auction.id)).rejects.toThrow(
        'the stored auction 1 has an invalid field description: ',
      )
    }
    expect(await listed(store)).toStrictEqual([sampleAuction()])
  })
})

test('an inexact integer is not stored as another value', async () => {
  const { store, rows } = await storeAndDatabase()
  const invalid = { ...sampleEntry(), sequence: Number.NaN }
  await expect(store.append([invalid])).rejects.toThrow(RangeError)
  await expect(store.insertAuction({ ...sampleAuction(), createdAtMs: 0.5 })).rejects.toThrow(RangeError)
  const { id: auctionId } = sampleAuction()
  for (const update of [{ dueMs: Number.NaN }, { endedMs: 0.5, outcome: 'sold' }] as const) {
    await expect(store.updateAgenda([{ auctionId, ...update }])).rejects.toThrow(RangeError)
  }
  const saved = store.checkpoints.save([{ auctionId, name: 'a', sequence: 0.5 }])
  await expect(saved).rejects.toThrow(RangeError)
  expect([...rows('entries'), ...rows('idBlocks'), ...rows('auctions'), ...rows('checkpoints')]).toEqual([])
})

type Word = { readonly id: number; readonly text: string; readonly letters: readonly string[] }

/** A parser that counts its calls. */
function wordParser(maxBytes: number) {
  let parsed = 0
  function parse(row: Row): Word {
    const [id, text] = [row[0], row.at(-1)]
    parsed += 1
    return { id: Number(id), text: String(text), letters: [...String(text)] }
  }
  return { parse: createRowParser(parse, maxBytes), parsed: () => parsed }
}

test('a row that is read twice is parsed once', () => {
  const { parse, parsed } = wordParser(10_000)
  const first = parse([1, 'vase'])
  expect(first).toEqual({ id: 1, text: 'vase', letters: ['v', 'a', 's', 'e'] })
  expect(parse([1, 'vase'])).toBe(first)
  expect(parsed()).toBe(1)
})

test('a row with a changed column is parsed again', () => {
  const { parse, parsed } = wordParser(10_000)
  for (const key of ['a', 'b', 'b']) parse([1, key, 'vase'])
  expect(parse([1, 'b', 'desk']).text).toBe('desk')
  expect(parsed()).toBe(3)
})

test('the cache keeps the most recently used rows, by their sizes', () => {
  const { parse, parsed } = wordParser(3_500)
  for (const id of [1, 2, 3, 1, 4]) parse([id, 'vase'])
  expect(parsed()).toBe(4)
  for (const id of [1, 3, 4, 2]) parse([id, 'vase'])
  expect(parsed()).toBe(5)
  // A long text takes the space of several, and one longer than the cache is not cached.
  for (const length of [500, 500, 1_000, 1_000]) parse([length, 'x'.repeat(length)])
  expect(parsed()).toBe(8)
  parse([4, 'vase'])
  expect(parsed()).toBe(9)
})

test('callers cannot change cached rows', () => {
  const { parse } = wordParser(10_000)
  const word = parse([1, 'vase'])
  expect(Reflect.set(word, 'text', 'desk')).toBe(false)
  expect(Reflect.set(word.letters, 0, 'd')).toBe(false)
})
