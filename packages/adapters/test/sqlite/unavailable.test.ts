import { existsSync } from 'node:fs'
import { chmod, copyFile, readdir, rename, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { isStoreUnavailable } from '@auction/domain/errors'
import type { Store } from '@auction/domain/store'
import { sampleAuction, sampleEntries } from '@auction/testing/samples'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runChild } from '../../../../tools/vitest/child.ts'
import { createStatements, openDatabase, pragma } from '../../src/sqlite/database.ts'
import { sqliteErrorOf } from '../../src/sqlite/errors.ts'
import type { Write } from '../../src/sqlite/protocol.ts'
import { insertEntrySql, rowOfEntry } from '../../src/sqlite/rows.ts'
import { createWriter } from '../../src/sqlite/writer.ts'
import { connectTo, openFailing, startScript, testFile } from './support.ts'

const auctionId = sampleAuction().id
const ledgerOf = (store: Store) => store.listEntries(auctionId, { limit: 99 })

const unavailable = (reason: string) => ({
  name: 'StoreUnavailableError',
  code: 'store-unavailable',
  outcome: 'unknown',
  message: expect.stringContaining(reason),
})

test('a lock of another process is the reason of failed writes, and does not block reads', async () => {
  const { file, open } = await testFile()
  const store = await open({ timeoutMs: 500 })
  await store.append(sampleEntries(2))
  connectTo(file).exec('BEGIN IMMEDIATE')
  const write = expect(store.append(sampleEntries(3))).rejects.toMatchObject(
    unavailable('another process held its lock'),
  )
  expect(await ledgerOf(store)).toStrictEqual(sampleEntries(2).toReversed())
  await store.ping()
  await write
})

describe('a file that is moved while it is in use', () => {
  test.each([
    { title: 'is moved', happen: (file: string) => rename(file, `${file}.away`) },
    { title: 'is deleted', happen: (file: string) => rm(file) },
    {
      title: 'is replaced by another',
      happen: (file: string) => copyFile(file, `${file}.new`).then(() => rename(`${file}.new`, file)),
    },
    { title: 'loses its log', happen: (file: string) => rm(`${file}-wal`) },
  ])('accepts no write that would be lost: it $title', async ({ happen }) => {
    const { file, open } = await testFile()
    const store = await open()
    await store.append(sampleEntries(2))
    await happen(file)
    const reason = 'was moved, deleted or replaced while it was in use'
    await expect(store.append(sampleEntries(3).slice(2))).rejects.toMatchObject(unavailable(reason))
    await expect(store.insertAuction(sampleAuction())).rejects.toMatchObject(unavailable(reason))
    await expect(store.ping()).rejects.toMatchObject(unavailable(reason))
    await expect(store.findHeads([auctionId])).rejects.toMatchObject(unavailable(reason))
  })
})

describe('a thread that ends', () => {
  /** A store whose thread the test can end. */
  async function failingStore() {
    const { file } = await testFile()
    const failing = await openFailing(file)
    onTestFinished(() => failing.store.close())
    return { ...failing, file }
  }

  test('is not replaced by a thread on another file, or by one for every call', async () => {
    const { file, store, endThread, threads } = await failingStore()
    await store.append(sampleEntries(2))
    await endThread()
    await copyFile(file, `${file}.new`)
    await rename(`${file}.new`, file)
    for (let times = 0; times < 3; times++) {
      const write = store.append(sampleEntries(3).slice(2))
      await expect(write).rejects.toMatchObject(unavailable('was moved, deleted or replaced'))
    }
    expect(threads()).toBe(2)
  })

  test('is not replaced by a thread on a new file', async () => {
    const { file, store, endThread } = await failingStore()
    await store.append(sampleEntries(2))
    await endThread()
    await rename(file, `${file}.away`)
    const write = store.append(sampleEntries(3).slice(2))
    await expect(write).rejects.toMatchObject(unavailable('was moved, deleted or replaced'))
    expect(existsSync(file)).toBe(false)
  })
})

test('a closed store leaves one file without a log', async () => {
  const { folder, file, open } = await testFile()
  const store = await open()
  await store.append(sampleEntries(2))
  await store.close()
  expect(await readdir(folder)).toEqual([basename(file)])
})

test('an open store does not keep its process alive, and loses nothing', async () => {
  const { file, open } = await testFile()
  const child = startScript('appendAndForget', [file, 5])
  await child.ended()
  expect(child.lines()).toEqual(['5'])
  expect(await ledgerOf(await open())).toStrictEqual(sampleEntries(5).toReversed())
})

test('a file that is damaged while it is in use fails reads, and no read returns wrong data', async () => {
  const { file, open } = await testFile()
  const auctions = Array.from({ length: 300 }, (_, index) =>
    sampleAuction({ id: index + 1, description: `${index} `.repeat(1_000) }),
  )
  const first = await open()
  await Promise.all(auctions.map((auction) => first.insertAuction(auction)))
  await first.close()
  const store = await open()
  // By another process: closing the file in this one would lose its locks.
  const damage = `const fs = require('fs'); const file = fs.openSync(process.argv[1], 'r+')
    const { size } = fs.fstatSync(file); fs.writeSync(file, Buffer.alloc(size / 2, 0xa5), 0, size / 2, size / 4)`
  await runChild(process.execPath, ['-e', damage, file])

  let found = 0
  const errors: unknown[] = []
  for (const auction of auctions) {
    try {
      expect(await store.findAuction(auction.id)).toStrictEqual(auction)
      found += 1
    } catch (error) {
      errors.push(error)
    }
  }
  expect(found).toBeGreaterThan(0)
  expect(errors.filter(isStoreUnavailable)[0]).toMatchObject(unavailable('the file is damaged; restore a backup'))
  const others = errors.filter((error) => !isStoreUnavailable(error))
  for (const error of others)
    expect(String(error)).toMatch(/^UnreadableStoredError: the stored auction \d+ has an invalid field/)
})

describe('a read-only file', () => {
  // Root ignores permissions, so the file is protected in another way.
  const runner = process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'] : []

  test.each([
    ['is read-only', 'file', 0o400, 'it cannot be read and written by this process (EACCES)'],
    ['is in a read-only folder', 'folder', 0o500, 'process (EACCES)'],
    ['may not be read', 'file', 0o000, 'it cannot be read and written by this process (EACCES)'],
  ] as const)('is refused: it %s', async (_, what, mode, reason) => {
    const own = await testFile()
    const { file, folder, open } = own
    const store = await open()
    await store.append(sampleEntries(2))
    await store.close()
    await chmod(own[what], mode)
    const child = startScript('appendAndForget', [file, 3], runner)
    await child.ended()
    expect(child.lines()).toEqual([expect.stringMatching(/^Error: the file .* cannot be used: /)])
    expect(child.lines()[0]).toContain(reason)
    await chmod(folder, 0o700)
    await chmod(file, 0o600)
    expect(await ledgerOf(await open())).toStrictEqual(sampleEntries(2).toReversed())
  })
})

/** A writer of a file that may grow by only a few pages. */
async function writerWithLittleRoom() {
  const { file } = await testFile()
  const database = await openDatabase(file, 1_000)
  onTestFinished(() => database.close())
  const nothing = () => undefined
  const statements = createStatements(database)
  const writer = createWriter({ database, statements, waitMs: 1_000, checkBefore: nothing, checkAfter: nothing })
  const pages = Number(pragma(database, 'page_count'))
  const allow = (more: number) => pragma(database, `max_page_count = ${pages + more}`)
  const other = connectTo(file)
  const count = () => other.prepare('SELECT count(*) AS stored FROM entries').get()?.['stored']
  return { write: (write: Write) => writer.write([write]), allow, count }
}

const entries = sampleEntries(500)
const append = (from: number, to: number): Write => ({
  sql: insertEntrySql,
  rows: entries.slice(from, to).map(rowOfEntry),
})

describe('on a full disk', () => {
  test('an append fails completely, reports no taken key, and succeeds when space is free again', async () => {
    const { write, allow, count } = await writerWithLittleRoom()
    allow(4)
    expect(await write(append(0, 10))).toEqual([10])
    expect(await write(append(10, 500)).catch(sqliteErrorOf)).toEqual({
      kind: 'unavailable',
      message: expect.stringContaining('its disk is full'),
    })
    expect(count()).toBe(10)
    expect(await write(append(0, 11))).toEqual([0])
    allow(1_000)
    expect(await write(append(10, 500))).toEqual([490])
    expect(count()).toBe(500)
  })

  test('a store reports the reason, keeps its data, and loses no acknowledged write', async () => {
    const { file, open } = await testFile()
    // Files of this process are limited to about 3 MB.
    const child = startScript('fillTheDisk', [file], ['sh', '-c', 'ulimit -f 6000; exec "$@"', 'sh'])
    await child.ended()
    const acknowledged = child.lines().filter((line) => line.startsWith('stored'))
    const failures = child.lines().filter((line) => !line.startsWith('stored'))
    expect(acknowledged.length).toBeGreaterThan(10)
    expect(failures.length).toBe(2)
    for (const failure of failures) {
      expect(failure).toMatch(/^store-unavailable: SQLite could not .*: (its disk is full|its disk failed)/)
    }
    expect(acknowledged.at(-1)).toBe(`stored ${acknowledged.length}, reads ${acknowledged.length}`)

    const store = await open()
    for (const [index] of acknowledged.entries()) {
      const auction = sampleAuction({ id: index + 1, description: 'x'.repeat(10_000) })
      expect(await store.findAuction(auction.id)).toStrictEqual(auction)
    }
    expect(await store.append(sampleEntries(3))).toBe(3)
    expect(connectTo(file).prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  })
})
