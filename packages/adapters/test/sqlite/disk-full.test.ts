import { sampleAuction, sampleEntries } from '@auction/testing/samples'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sqliteErrorOf } from '../../src/sqlite/errors.ts'
import { openDatabase } from '../../src/sqlite/open-database.ts'
import type { Write } from '../../src/sqlite/protocol.ts'
import { insertedEntryColumns, rowOfEntry } from '../../src/sqlite/rows.ts'
import { createStatements, pragma } from '../../src/sqlite/statements.ts'
import { createWriter } from '../../src/sqlite/writer.ts'
import { connectTo, startScript, testFile } from './support.ts'

const sql = `INSERT INTO entries (${insertedEntryColumns}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`

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
const append = (from: number, to: number): Write => ({ sql, rows: entries.slice(from, to).map(rowOfEntry) })

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
