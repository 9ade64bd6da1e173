import type { DatabaseSync } from 'node:sqlite'
import { sampleAuction, sampleEntries } from '@auction/domain/testing/samples'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/sqlite/open-database.ts'
import { migrations } from '../../src/sqlite/schema.ts'
import { pragma } from '../../src/sqlite/statements.ts'
import { connectTo, startChild, testFile } from './support.ts'

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
    expect(pragma(database, 'user_version')).toBe(2)
    expect(columnsOf(database, 'auctions').at(-1)).toBe('reserveMinor')
    expect(database.prepare('SELECT id, reserveMinor FROM auctions').all()).toEqual([{ id: 1, reserveMinor: null }])
    expect(database.prepare('SELECT count(*) AS entries FROM entries').get()).toEqual({ entries: 2 })
  })

  test('goes through each migration once, however often it is opened', async () => {
    const { file } = await testFile()
    for (let times = 0; times < 3; times++) openWith(file, next)
    expect(pragma(openWith(file, next), 'user_version')).toBe(2)
  })

  test('goes through each once, too, where several processes open it at the same time', async () => {
    const { file, open } = await testFile()
    await (await open()).close()
    const children = Array.from({ length: 4 }, () => startChild('migrate.ts', [file]))
    await Promise.all(children.map((child) => child.ended()))
    expect(children.flatMap((child) => child.lines())).toEqual(['2', '2', '2', '2'])
    expect(connectTo(file).prepare('SELECT count(*) AS times FROM migrated').get()).toEqual({ times: 1 })
  })

  test('stays as it was where a migration fails', async () => {
    const { file, open } = await testFile()
    await (await open()).close()
    const faulty = [...migrations, 'CREATE TABLE audits (at INTEGER); CREATE TABLE auctions (id INTEGER)']
    expect(() => openDatabase(file, 1_000, faulty)).toThrow('table auctions already exists')
    const database = connectTo(file)
    expect(columnsOf(database, 'audits')).toEqual([])
    expect(pragma(database, 'user_version')).toBe(1)
    expect(await (await open()).insertAuction(sampleAuction())).toBe('inserted')
  })
})

test('a store writes no more once a newer program has changed the schema, and loses nothing', async () => {
  const { file, open } = await testFile()
  const store = await open()
  await store.append(sampleEntries(2))
  openWith(file, next)
  const reason = 'its schema has version 2, and this program knows versions up to 1; use a newer program'
  await expect(store.append(sampleEntries(3).slice(2))).rejects.toMatchObject({
    code: 'store-unavailable',
    message: `SQLite could not store entries: ${reason}`,
  })
  await expect(store.insertAuction(sampleAuction())).rejects.toThrow(reason)
  expect(await store.listEntries(sampleAuction().id, { limit: 9 })).toStrictEqual(sampleEntries(2).toReversed())
})
