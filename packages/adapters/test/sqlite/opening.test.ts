import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { sampleAuction, sampleEntries } from '@auction/testing/samples'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase, pragma, refuseForeign } from '../../src/sqlite/database.ts'
import { applicationId, fileFormat, schema } from '../../src/sqlite/schema.ts'
import { openSqliteStore } from '../../src/sqlite/sqlite-store.ts'
import { connectTo, startScript, testFile } from './support.ts'

describe('a file is opened', () => {
  test('and created, with its folders, if it is missing', async () => {
    const { folder } = await testFile()
    const file = join(folder, 'data', 'of', 'mine', 'auctions.sqlite')
    const store = await openSqliteStore(file)
    expect(await store.insertAuction(sampleAuction())).toBe('inserted')
    await store.close()
    expect((await stat(file)).isFile()).toBe(true)
    // Other users may not read them.
    for (const made of ['data', join('data', 'of')]) expect((await stat(join(folder, made))).mode & 0o777).toBe(0o700)
  })

  test('only for the user of the process, with its log, in a folder that others may read', async () => {
    const { folder, file, open } = await testFile()
    await chmod(folder, 0o755)
    await (await open()).insertAuction(sampleAuction())
    const modes = ['', '-wal', '-shm'].map(async (end) => (await stat(`${file}${end}`)).mode & 0o777)
    expect(await Promise.all(modes)).toEqual([0o600, 0o600, 0o600])
  })

  test('by a relative path, and reports the full path', async () => {
    const { file } = await testFile()
    const store = await openSqliteStore(relative(process.cwd(), file))
    expect(store.description).toBe(`SQLite file ${file}`)
    await store.close()
  })

  test('with any name, which SQLite does not interpret', async () => {
    const { folder } = await testFile()
    const file = join(folder, "o'clock 100%?mode=ro#.sqlite")
    const store = await openSqliteStore(file)
    await store.append(sampleEntries(1))
    await store.close()
    expect((await stat(file)).isFile()).toBe(true)
  })

  test('if it is empty', async () => {
    const { file, open } = await testFile()
    await writeFile(file, '')
    const store = await open()
    expect(await store.insertAuction(sampleAuction())).toBe('inserted')
  })

  test('by many processes at once', async () => {
    const { file, open } = await testFile()
    const children = Array.from({ length: 4 }, () => startScript('claimBlocks', [file]))
    await Promise.all(children.map((child) => child.ended()))
    const claimed = children.flatMap((child) => child.lines().map(Number))
    expect(claimed.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
    expect(await (await open()).claimNextIdBlock('entries')).toBe(41)
    expect(connectTo(file).prepare('PRAGMA user_version').get()).toEqual({ user_version: fileFormat })
  })

  test.each([1, 2, 3])('while another process creates its tables, after read %i', async (reads) => {
    const { file } = await testFile()
    const [database, other] = [connectTo(file), connectTo(file)]
    let left = reads
    const raced = {
      prepare: (sql: string) => ({
        get() {
          const row = database.prepare(sql).get()
          left -= 1
          if (left === 0)
            other.exec(`${schema}; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${fileFormat}`)
          return row
        },
      }),
    } as unknown as DatabaseSync // All that is called.
    expect(() => refuseForeign(raced)).not.toThrow()
  })

  test('with its application id and a write-ahead log that syncs every commit', async () => {
    const { file } = await testFile()
    const database = await openDatabase(file, 1_000)
    onTestFinished(() => database.close())
    const settings = ['application_id', 'user_version', 'journal_mode', 'synchronous', 'fullfsync']
    expect(settings.map((name) => pragma(database, name))).toEqual([0x41756374, fileFormat, 'wal', 2, 1])
  })
})

describe('a file is refused', () => {
  test.each(['', ':memory:', 'file:auctions.sqlite', 'FILE:/auctions?mode=memory'])(
    'by the name "%s"',
    async (name) => {
      await expect(openSqliteStore(name)).rejects.toThrow(`"${name}" is not the path of a file`)
    },
  )

  test('if it is a folder', async () => {
    const { file, open } = await testFile()
    await mkdir(file)
    await expect(open()).rejects.toThrow(`the file ${file} cannot be used: it is a folder`)
  })

  test('if its folder is a file', async () => {
    const { file } = await testFile()
    await writeFile(file, '')
    const inner = join(file, 'auctions.sqlite')
    await expect(openSqliteStore(inner)).rejects.toThrow(
      `the file ${inner} cannot be used: its folder cannot be created`,
    )
  })

  test.runIf(existsSync('/proc/self'))('if its folder cannot be created', async () => {
    const inner = '/proc/no-such-folder/inner/auctions.sqlite'
    await expect(openSqliteStore(inner)).rejects.toThrow(
      `the file ${inner} cannot be used: its folder cannot be created`,
    )
  })

  test('if it is not a database, and is not changed', async () => {
    const { file, open } = await testFile()
    const letter = 'Dear Sir or Madam, '.repeat(1_000)
    await writeFile(file, letter)
    await expect(open()).rejects.toThrow('it is not a SQLite database')
    expect(await readFile(file, 'utf8')).toBe(letter)
  })

  test.each([
    { title: 'with tables', sql: 'CREATE TABLE songs (title TEXT)' },
    { title: 'with an application id', sql: 'PRAGMA application_id = 7; PRAGMA user_version = 1' },
    { title: 'with a version', sql: 'PRAGMA user_version = 1' },
    { title: 'with tables like ours', sql: 'CREATE TABLE auctions (id INTEGER PRIMARY KEY); PRAGMA user_version = 1' },
  ])('if it is the database of another program, $title, and is not changed', async ({ sql }) => {
    const { file, open } = await testFile()
    const other = connectTo(file)
    other.exec(sql)
    other.close()
    const before = await readFile(file)
    const refusal = await open().then(String, (error: unknown) => error)
    expect(refusal).toMatchObject({
      name: 'Error',
      message: `the file ${file} cannot be used: it is the database of another program; name another file`,
    })
    expect(await readFile(file)).toEqual(before)
  })

  test.each([
    { title: 'an older', format: 1 },
    { title: 'an older', format: fileFormat - 1 },
    { title: 'a newer', format: fileFormat + 1 },
  ])('if it has data of $title format, $format, and is not changed', async ({ format }) => {
    const { file, open } = await testFile()
    await (await open()).close()
    const other = connectTo(file)
    other.exec(`PRAGMA user_version = ${format}`)
    other.close()
    const before = await readFile(file)
    await expect(open()).rejects.toThrow(
      `the file ${file} cannot be used: it has data of format ${format}, and this program reads and writes format ` +
        `${fileFormat}; name another file, or use the version of the program that created this one`,
    )
    expect(await readFile(file)).toEqual(before)
  })

  test('if its beginning is damaged', async () => {
    const { file, open } = await testFile()
    await (await open()).close()
    const bytes = await readFile(file)
    await writeFile(file, bytes.fill(0xa5, 0, 64))
    await expect(open()).rejects.toThrow('its beginning is damaged')
  })

  test('if it is truncated', async () => {
    const { file, open } = await testFile()
    await (await open()).close()
    await truncate(file, 8_192)
    await expect(open()).rejects.toThrow('the file is damaged; restore a backup')
  })

  test('if another process held its lock beyond the time limit', async () => {
    const { file, open } = await testFile()
    const store = await open()
    await store.close()
    const other = connectTo(file)
    other.exec('BEGIN IMMEDIATE')
    await expect(open({ timeoutMs: 50 })).rejects.toMatchObject({
      // This may be temporary, unlike all other reasons for a refusal.
      code: 'store-unavailable',
      message: expect.stringContaining(`the file ${file} cannot be used: another process held its lock for too long`),
    })
    other.exec('ROLLBACK')
    expect(await (await open()).insertAuction(sampleAuction())).toBe('inserted')
  })
})

test('a store stops writing after another program changes the format of the file, and loses nothing', async () => {
  const { file, open } = await testFile()
  const store = await open()
  await store.append(sampleEntries(2))
  connectTo(file).exec(`PRAGMA user_version = ${fileFormat + 1}`)
  await expect(store.append(sampleEntries(3).slice(2))).rejects.toMatchObject({
    code: 'store-unavailable',
    message: expect.stringContaining(`SQLite could not store entries: it has data of format ${fileFormat + 1}, and`),
  })
  await expect(store.insertAuction(sampleAuction())).rejects.toThrow(`it has data of format ${fileFormat + 1}`)
  expect(await store.listEntries(sampleAuction().id, { limit: 9 })).toStrictEqual(sampleEntries(2).toReversed())
})
