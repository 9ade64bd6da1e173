import type { DatabaseSync } from 'node:sqlite'
import { sampleAuction, sampleEntries } from '@auction/domain/testing/samples'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/sqlite/open-database.ts'
import type { Reply, Write } from '../../src/sqlite/protocol.ts'
import { insertedEntryColumns, rowOfEntry } from '../../src/sqlite/rows.ts'
import { createStatements, pragma } from '../../src/sqlite/statements.ts'
import { createWriteQueue } from '../../src/sqlite/write-queue.ts'
import { connectTo, startScript, testFile } from './support.ts'

const insertSql = `INSERT INTO entries (${insertedEntryColumns}) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`

/** A queue on a file that may have few pages more than it has. */
async function queueWithLittleRoom() {
  const { file } = await testFile()
  const database: DatabaseSync = openDatabase(file, 1_000)
  onTestFinished(() => database.close())
  const replies: Reply[] = []
  const nothing = () => undefined
  const queue = createWriteQueue({
    database,
    statements: createStatements(database),
    timeoutMs: 1_000,
    checkBefore: nothing,
    checkAfter: nothing,
    reply: (some) => replies.push(...some),
  })
  const pages = Number(pragma(database, 'page_count'))
  const allow = (more: number) => pragma(database, `max_page_count = ${pages + more}`)
  const other = connectTo(file)
  const count = () => other.prepare('SELECT count(*) AS stored FROM entries').get()?.['stored']
  return { queue, replies, allow, count }
}

const entries = sampleEntries(500)
const append = (call: number, from: number, to: number): Write => ({
  call,
  kind: 'write',
  sql: insertSql,
  rows: entries.slice(from, to).map(rowOfEntry),
})

describe('where there is no room left', () => {
  test('an append fails as a whole, calls nothing taken, and goes in when there is room again', async () => {
    const { queue, replies, allow, count } = await queueWithLittleRoom()
    allow(4)
    queue.add([append(1, 0, 10)])
    queue.add([append(2, 10, 500)])
    expect(replies).toEqual([
      { call: 1, value: 10 },
      {
        call: 2,
        fault: { kind: 'unavailable', message: expect.stringContaining('there is no room left on its disk') },
      },
    ])
    expect(count()).toBe(10)
    queue.add([append(3, 0, 11)])
    expect(replies.at(-1)).toEqual({ call: 3, value: 0 })
    allow(1_000)
    queue.add([append(4, 10, 500)])
    expect(replies.at(-1)).toEqual({ call: 4, value: 490 })
    expect(count()).toBe(500)
  })

  test('what is small still goes in, though it was to share a transaction with what is large', async () => {
    const { queue, replies, allow, count } = await queueWithLittleRoom()
    allow(4)
    queue.add([append(1, 10, 500), append(2, 0, 10)])
    await queue.drained()
    expect(replies).toMatchObject([
      { call: 1, fault: { kind: 'unavailable' } },
      { call: 2, value: 10 },
    ])
    expect(count()).toBe(10)
  })

  test('a store says so, keeps what it had, and loses nothing of what it had acknowledged', async () => {
    const { file, open } = await testFile()
    // No file of this process may have more than some 3 MB.
    const child = startScript('fill-the-disk.ts', [file], ['sh', '-c', 'ulimit -f 6000; exec "$@"', 'sh'])
    await child.ended()
    const acknowledged = child.lines().filter((line) => line.startsWith('stored'))
    const failures = child.lines().filter((line) => !line.startsWith('stored'))
    expect(acknowledged.length).toBeGreaterThan(10)
    expect(failures.length).toBe(2)
    for (const failure of failures) {
      expect(failure).toMatch(/^store-unavailable: SQLite could not .*: (there is no room left on its|its disk failed)/)
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
