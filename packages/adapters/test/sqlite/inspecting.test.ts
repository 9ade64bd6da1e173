import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sampleAuction } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { inspectSqliteFile } from '../../src/sqlite/index.ts'
import { testFile } from './support.ts'

/** All files of a folder, with their bytes. */
const contentOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [path, readdirOrBytes(path)])

function readdirOrBytes(path: string): string {
  try {
    return readFileSync(path).toString('base64')
  } catch {
    return 'a folder'
  }
}

/** The report of an inspection, which must change nothing. */
async function inspected(folder: string, file: string) {
  const before = contentOf(folder)
  try {
    return (await inspectSqliteFile(file)).wouldMake
  } catch (error) {
    return String(error)
  } finally {
    expect(contentOf(folder)).toEqual(before)
  }
}

describe('an inspection changes nothing, and reports', () => {
  test('what it would create without a file', async () => {
    const { folder } = await testFile()
    const file = join(folder, 'data', 'mine', 'auctions.sqlite')
    expect(await inspected(folder, file)).toEqual([
      `the folder ${join(folder, 'data')}`,
      `the folder ${join(folder, 'data', 'mine')}`,
      'the file',
    ])
    expect((await inspectSqliteFile(file)).description).toBe(`SQLite file ${file}`)
  })

  test('that a file is ready, open or closed', async () => {
    const { folder, file, open } = await testFile()
    const store = await open()
    await store.insertAuction(sampleAuction())
    expect((await inspectSqliteFile(file)).wouldMake).toEqual([])
    expect(await store.findAuction(sampleAuction().id)).toBeDefined()
    await store.close()
    expect(await inspected(folder, file)).toEqual([])
  })

  test('that a file from before subscriptions would get their table, which opening adds', async () => {
    const { folder, file, open } = await testFile()
    await (await open()).close()
    const database = new DatabaseSync(file)
    database.exec('DROP TABLE checkpoints')
    database.close()
    expect(await inspected(folder, file)).toEqual(['the table checkpoints'])
    await (await open()).close()
    expect(await inspected(folder, file)).toEqual([])
  })

  test('that an empty file would get tables', async () => {
    const { folder, file } = await testFile()
    await writeFile(file, '')
    expect(await inspected(folder, file)).toEqual(['its tables'])
  })

  test('that a log without its index would be read first', async () => {
    const { folder, file, open } = await testFile()
    const store = await open()
    await store.insertAuction(sampleAuction())
    const copy = join(folder, 'copy')
    await mkdir(copy)
    for (const end of ['', '-wal']) cpSync(`${file}${end}`, join(copy, `auctions.sqlite${end}`))
    await store.close()
    expect(await inspected(copy, join(copy, 'auctions.sqlite'))).toEqual(['the missing index of its log'])
  })

  test.each<[what: string, prepare: (file: string) => Promise<void>, reason: RegExp]>([
    ['a folder', async (file) => void (await mkdir(file)), /it is a folder/],
    ['no database', (file) => writeFile(file, 'x'.repeat(5_000)), /not a SQLite database/],
    ['the database of another program', async (file) => own(file, 'CREATE TABLE theirs (id)'), /of another program/],
    [
      'data of an older format',
      async (file) => own(file, 'PRAGMA application_id = 0x41756374; PRAGMA user_version = 1'),
      /it has data of format 1, and this program reads and writes format \d+; name another file, or use the version/,
    ],
    [
      'data of a newer format',
      async (file) => own(file, 'PRAGMA application_id = 0x41756374; PRAGMA user_version = 99'),
      /it has data of format 99, and this program/,
    ],
  ])('why a file cannot be used: %s', async (_what, prepare, reason) => {
    const { folder, file } = await testFile()
    await prepare(file)
    expect(await inspected(folder, file)).toMatch(reason)
  })

  test('why a file cannot be created', async () => {
    const { folder, file } = await testFile()
    await writeFile(file, '')
    expect(await inspected(folder, join(file, 'auctions.sqlite'))).toMatch(/cannot be used: .*ENOTDIR/)
    await rm(file)
    if (process.getuid?.() !== 0) {
      await chmod(folder, 0o500)
      expect(await inspected(folder, file)).toMatch(/EACCES/)
      await chmod(folder, 0o700)
    }
    expect((await stat(folder)).isDirectory()).toBe(true)
  })
})

function own(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}
