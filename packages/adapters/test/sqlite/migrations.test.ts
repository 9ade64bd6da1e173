import type { DatabaseSync } from 'node:sqlite'
import type { Auction } from '@auction/domain/auction/auction'
import type { AuctionStatus } from '@auction/domain/auction/status'
import type { AuctionQuery } from '@auction/domain/store'
import { sampleAuction, sampleEntries } from '@auction/domain/testing/samples'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/sqlite/open-database.ts'
import { migrations } from '../../src/sqlite/schema.ts'
import { pragma } from '../../src/sqlite/statements.ts'
import { connectTo, type OwnFile, startChild, testFile } from './support.ts'

/** What a next version of the schema might be. */
const next = [...migrations, 'ALTER TABLE auctions ADD COLUMN reserveMinor INTEGER; CREATE TABLE audits (at INTEGER)']

function openWith(file: string, known: readonly string[]): DatabaseSync {
  const database = openDatabase(file, 1_000, known)
  onTestFinished(() => database.close())
  return database
}

const columnsOf = (database: DatabaseSync, table: string) =>
  database
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => name)

describe('a file of an earlier version', () => {
  test('is brought to the present one when it is opened, and keeps what it has', async () => {
    const { file, open } = await testFile()
    const store = await open()
    await store.insertAuction(sampleAuction())
    await store.append(sampleEntries(2))
    await store.close()

    const database = openWith(file, next)
    expect(pragma(database, 'user_version')).toBe(next.length)
    expect(columnsOf(database, 'auctions').at(-1)).toBe('reserveMinor')
    expect(database.prepare('SELECT id, reserveMinor FROM auctions').all()).toEqual([{ id: 1, reserveMinor: null }])
    expect(database.prepare('SELECT count(*) AS entries FROM entries').get()).toEqual({ entries: 2 })
  })

  test('goes through each migration once, however often it is opened', async () => {
    const { file } = await testFile()
    for (let times = 0; times < 3; times++) openWith(file, next)
    expect(pragma(openWith(file, next), 'user_version')).toBe(next.length)
  })

  test('goes through each once, too, where several processes open it at the same time', async () => {
    const { file, open } = await testFile()
    await (await open()).close()
    const children = Array.from({ length: 4 }, () => startChild('migrate.ts', [file]))
    await Promise.all(children.map((child) => child.ended()))
    expect(children.flatMap((child) => child.lines())).toEqual(children.map(() => `${next.length}`))
    expect(connectTo(file).prepare('SELECT count(*) AS times FROM migrated').get()).toEqual({ times: 1 })
  })

  test('stays as it was where a migration fails', async () => {
    const { file, open } = await testFile()
    await (await open()).close()
    const faulty = [...migrations, 'CREATE TABLE audits (at INTEGER); CREATE TABLE auctions (id INTEGER)']
    expect(() => openDatabase(file, 1_000, faulty)).toThrow('table auctions already exists')
    const database = connectTo(file)
    expect(columnsOf(database, 'audits')).toEqual([])
    expect(pragma(database, 'user_version')).toBe(migrations.length)
    expect(await (await open()).insertAuction(sampleAuction())).toBe('inserted')
  })
})

/** Stores auctions as the first version did. */
function insertAsFirstVersion(file: string, auctions: readonly Auction[]): void {
  const database = openDatabase(file, 1_000, migrations.slice(0, 1))
  const insert = database.prepare('INSERT INTO auctions VALUES (?, NULL, ?, ?, ?, ?, ?, ?)')
  for (const { id, ownerId, productId, createdAtMs, ...rest } of auctions) {
    const data = JSON.stringify({ version: 1, ...rest })
    insert.run(id, ownerId, productId, createdAtMs, rest.startTime.epochMs, rest.endTime.epochMs, data)
  }
  database.close()
}

describe('a file of the first version', () => {
  const endMs = Date.parse('2030-02-07T12:00:00Z')
  const day = 24 * 60 * 60 * 1000
  const old = [
    { id: 1, endTime: '2030-02-07T12:00:00Z' },
    { id: 2, endTime: '2030-02-09T12:00:00Z', ownerId: 3 },
    { id: 3, startTime: '2030-02-08T12:00:00Z', endTime: '2030-02-10T12:00:00Z', title: 'A vase' },
  ].map(sampleAuction)
  const softClose = { windowSeconds: 60, extensionSeconds: 60, latestEndTime: '2030-02-07T13:00:00Z' }
  const extended = sampleAuction({ id: 4, softClose })
  const forSale = sampleAuction({ id: 5, buyNowPriceMinor: 900_00, endTime: '2030-02-11T12:00:00Z' })

  test('lists what it has under the statuses that it may have, also beside auctions of formats', async () => {
    const { file, open } = await testFile()
    insertAsFirstVersion(file, old)
    const store = await open()
    for (const auction of old) expect(await store.findAuction(auction.id)).toStrictEqual(auction)
    expect((await store.listAuctions({ order: 'newest', limit: 9 })).auctions).toStrictEqual(old.toReversed())
    await store.insertAuction(extended)
    await store.insertAuction(forSale)
    const listed = async (query: Omit<AuctionQuery, 'limit'>) =>
      (await store.listAuctions({ limit: 9, ...query })).auctions.map(({ id }) => Number(id))
    const ofStatus = (is: AuctionStatus, nowMs: number) => listed({ order: 'newest', status: { is, nowMs } })
    expect(await ofStatus('Pending', endMs)).toEqual([3])
    expect(await ofStatus('Active', endMs - 1)).toEqual([5, 4, 2, 1])
    expect(await ofStatus('Active', endMs)).toEqual([5, 4, 2])
    expect(await ofStatus('Ended', endMs)).toEqual([5, 4, 1])
    expect(await ofStatus('Cancelled', endMs)).toEqual([5, 4, 3, 2, 1])
    expect(await listed({ order: 'newest', ownerId: sampleAuction({ ownerId: 3 }).ownerId })).toEqual([2])
    expect(await listed({ order: 'endTime', status: { is: 'Active', nowMs: endMs + day } })).toEqual([2, 3, 5])
    expect(await listed({ order: 'endTime', inOvertimeAtMs: endMs })).toEqual([4])
    expect(await listed({ order: 'endTime' })).toEqual([1, 4, 2, 3, 5])
  })

  test('has the same tables and indexes as a new one', async () => {
    const [made, migrated] = [await testFile(), await testFile()]
    insertAsFirstVersion(migrated.file, old)
    const schemaOf = async ({ file, open }: OwnFile) => {
      await (await open()).close()
      return connectTo(file).prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all()
    }
    expect(await schemaOf(migrated)).toEqual(await schemaOf(made))
  })
})

test('a store writes no more once a newer program has changed the schema, and loses nothing', async () => {
  const { file, open } = await testFile()
  const store = await open()
  await store.append(sampleEntries(2))
  openWith(file, next)
  const versions = `its schema has version ${next.length}, and this program knows versions up to ${migrations.length}`
  const reason = `${versions}; use a newer program`
  await expect(store.append(sampleEntries(3).slice(2))).rejects.toMatchObject({
    code: 'store-unavailable',
    message: `SQLite could not store entries: ${reason}`,
  })
  await expect(store.insertAuction(sampleAuction())).rejects.toThrow(reason)
  expect(await store.listEntries(sampleAuction().id, { limit: 9 })).toStrictEqual(sampleEntries(2).toReversed())
})
