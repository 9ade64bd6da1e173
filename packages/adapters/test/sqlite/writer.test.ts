import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createStatements, openDatabase } from '../../src/sqlite/database.ts'
import type { Write } from '../../src/sqlite/protocol.ts'
import { createWriter, type WriterParts } from '../../src/sqlite/writer.ts'
import { connectTo, testFile } from './support.ts'

const schema = `
  CREATE TABLE words (word TEXT NOT NULL UNIQUE);
  CREATE TABLE commits (commits INTEGER);`
const insertSql = 'INSERT INTO words VALUES (?) ON CONFLICT DO NOTHING'

const words = (...some: readonly (string | null)[]): Write => ({ sql: insertSql, rows: some.map((word) => [word]) })

/** A writer of a table of words, in a process whose timers the test controls. */
async function writerOfWords(parts: Partial<WriterParts> = {}) {
  const { file } = await testFile()
  const database = await openDatabase(file, 1_000)
  database.exec(schema)
  onTestFinished(() => database.close())
  const writer = createWriter({
    database,
    statements: createStatements(database),
    waitMs: 1_000,
    checkBefore: () => undefined,
    checkAfter: () => undefined,
    ...parts,
  })
  const other = connectTo(file)
  const stored = () =>
    other
      .prepare('SELECT word FROM words ORDER BY rowid')
      .all()
      .map(({ word }) => word)
  return { writer, other, stored, database }
}

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

describe('a writer', () => {
  test('returns after the commit of one transaction', async () => {
    const checkAfter = vi.fn()
    const { writer, stored } = await writerOfWords({ checkAfter })
    const group = Array.from({ length: 100 }, (_, index) => words(`word ${index}`))
    expect(await writer.write(group)).toEqual(group.map(() => 1))
    expect(stored().length).toBe(100)
    expect(checkAfter).toHaveBeenCalledTimes(1)
  })

  test('stores the rows of each write before its first taken key, regardless of other writes', async () => {
    const { writer, stored } = await writerOfWords()
    const group = [words('a', 'b'), words('b'), words('c', 'a', 'd'), words('d'), words()]
    expect(await writer.write(group)).toEqual([2, 0, 1, 1, 0])
    expect(stored()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('continues after a row that changes nothing, if rows are independent', async () => {
    const { writer, stored } = await writerOfWords()
    expect(await writer.write([words('a'), { ...words('a', 'b', 'b', 'c'), isEach: true }])).toEqual([1, 4])
    expect(stored()).toEqual(['a', 'b', 'c'])
  })

  test('stores nothing of a failed group, and continues with the next', async () => {
    const { writer, stored, database } = await writerOfWords()
    await expect(writer.write([words('a'), words('x', null)])).rejects.toThrow('NOT NULL')
    expect(await writer.write([words('b')])).toEqual([1])
    expect(database.isTransaction).toBe(false)
    expect(stored()).toEqual(['b'])
  })

  test('writes nothing if a check fails before, and confirms nothing if one fails after', async () => {
    const faults = [new Error('it is of another format')]
    const checkBefore = () => {
      const fault = faults.pop()
      if (fault !== undefined) throw fault
    }
    const { writer, stored } = await writerOfWords({ checkBefore })
    await expect(writer.write([words('a')])).rejects.toThrow('it is of another format')
    expect(stored()).toEqual([])
    expect(await writer.write([words('b')])).toEqual([1])
    const moved = await writerOfWords({
      checkAfter() {
        throw new Error('it was moved')
      },
    })
    await expect(moved.writer.write([words('a')])).rejects.toThrow('it was moved')
  })
})

describe('during a lock of another process, a writer', () => {
  test('waits, and writes in order as soon as the lock is free', async () => {
    const { writer, other, stored } = await writerOfWords()
    other.exec('BEGIN IMMEDIATE')
    let isWritten = false
    const counts = Promise.all([writer.write([words('a')]), writer.write([words('b'), words('a')])]).finally(() => {
      isWritten = true
    })
    await vi.advanceTimersByTimeAsync(500)
    expect(isWritten).toBe(false)
    other.exec('COMMIT')
    await vi.advanceTimersByTimeAsync(1)
    expect(isWritten).toBe(true)
    expect(await counts).toEqual([[1], [1, 0]])
    expect(stored()).toEqual(['a', 'b'])
  })

  test('fails a write after its time limit, and writes later', async () => {
    const { writer, other, stored } = await writerOfWords({ waitMs: 100 })
    other.exec('BEGIN IMMEDIATE')
    const first = expect(writer.write([words('a')])).rejects.toThrow('database is locked')
    await vi.advanceTimersByTimeAsync(110)
    await first
    other.exec('ROLLBACK')
    expect(await writer.write([words('b')])).toEqual([1])
    expect(stored()).toEqual(['b'])
  })
})

/** Writes until the other connection gets the lock, with a maximum number of writes. Returns the number of writes. */
async function writesUntilFree(times: number, parts: Partial<WriterParts>, betweenMs: number): Promise<number> {
  const { writer, stored } = await writerOfWords(parts)
  for (let written = 0; written < times; written++) {
    void writer.write([words(`word ${written}`)])
    // All work except timers.
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    if (stored().length === written) return written
    vi.advanceTimersByTime(betweenMs)
  }
  return times
}

test('a writer that always has work regularly releases the lock for others', async () => {
  // Each commit takes 10 ms, and the next write comes as soon as it has ended.
  expect(await writesUntilFree(100, { checkAfter: () => void vi.advanceTimersByTime(10) }, 0)).toBeLessThan(10)
})

test('a writer that releases the lock between its commits does not pause', async () => {
  expect(await writesUntilFree(500, { checkAfter: () => void vi.advanceTimersByTime(1) }, 1)).toBe(500)
})
