import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '../../src/sqlite/open-database.ts'
import type { Reply, Write } from '../../src/sqlite/protocol.ts'
import { createStatements } from '../../src/sqlite/statements.ts'
import { createWriteQueue, type WriteQueueParts } from '../../src/sqlite/write-queue.ts'
import { connectTo, testFile } from './support.ts'

const schema = `
  CREATE TABLE words (word TEXT NOT NULL UNIQUE);
  CREATE TABLE commits (commits INTEGER);`
const insertSql = 'INSERT INTO words VALUES (?) ON CONFLICT DO NOTHING'

let lastCall = 0
const write = (...words: readonly string[]): Write => ({
  call: ++lastCall,
  kind: 'write',
  sql: insertSql,
  rows: words.map((word) => [word]),
})

/** A queue on a table of words, in a process whose timers are the test's. */
async function queueOfWords(parts: Partial<WriteQueueParts> = {}) {
  const { file } = await testFile()
  const database = openDatabase(file, 1_000)
  database.exec(schema)
  onTestFinished(() => database.close())
  const replies: Reply[] = []
  const queue = createWriteQueue({
    database,
    statements: createStatements(database),
    timeoutMs: 1_000,
    checkBefore: () => undefined,
    checkAfter: () => undefined,
    reply: (some) => replies.push(...some),
    ...parts,
  })
  const other = connectTo(file)
  const words = () =>
    other
      .prepare('SELECT word FROM words ORDER BY rowid')
      .all()
      .map(({ word }) => word)
  return { queue, replies, other, words, database }
}

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

describe('a queue of writes', () => {
  test('commits what it is given at once, before it replies', async () => {
    const seen: unknown[] = []
    const { queue, replies, words } = await queueOfWords({ reply: () => seen.push(words()) })
    queue.add([write('a', 'b')])
    expect(seen).toEqual([['a', 'b']])
    expect(replies).toEqual([])
  })

  test('stores of each write what stands before the first taken key, whatever stands beside it', async () => {
    const { queue, replies, words } = await queueOfWords()
    queue.add([write('a', 'b'), write('b'), write('c', 'a', 'd'), write('d'), write()])
    expect(replies.map((reply) => 'value' in reply && reply.value)).toEqual([2, 0, 1, 1, 0])
    expect(words()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('commits together what was added together, so that all see one sync of the disk', async () => {
    let commits = 0
    const { queue, replies } = await queueOfWords({
      checkAfter() {
        commits += 1
      },
    })
    queue.add(Array.from({ length: 100 }, (_, index) => write(`word ${index}`)))
    expect(replies.length).toBe(100)
    expect(commits).toBe(1)
  })

  test('puts no more than 2,000 rows in one transaction, unless one write has more', async () => {
    const sizes: number[] = []
    const { queue, words } = await queueOfWords({ checkAfter: () => sizes.push(words().length) })
    const many = (name: string, count: number) =>
      write(...Array.from({ length: count }, (_, index) => `${name}${index}`))
    queue.add([many('a', 1_500), many('b', 500), many('c', 1), many('d', 3_000), many('e', 1)])
    await vi.runAllTimersAsync()
    expect(sizes).toEqual([2_000, 2_001, 5_001, 5_002])
  })

  test('lets a write on which the database fails fail alone', async () => {
    const { queue, replies, words } = await queueOfWords()
    const faulty: Write = { ...write(), sql: insertSql, rows: [['x'], [null]] }
    queue.add([write('a'), faulty, write('b')])
    await vi.runAllTimersAsync()
    expect(replies.map((reply) => ('fault' in reply ? reply.fault.kind : reply.value))).toEqual([1, 'unexpected', 1])
    expect(words()).toEqual(['a', 'b'])
  })

  test('rolls back all of a transaction that fails, and goes on', async () => {
    const faults = [new Error('the disk is on fire')]
    const { queue, replies, words, database } = await queueOfWords({
      checkBefore() {
        const fault = faults.pop()
        if (fault !== undefined) throw fault
      },
    })
    queue.add([write('a')])
    expect(database.isTransaction).toBe(false)
    queue.add([write('b')])
    expect(replies).toMatchObject([{ fault: { message: 'the disk is on fire' } }, { value: 1 }])
    expect(words()).toEqual(['b'])
  })
})

describe('while another process holds the lock, a queue', () => {
  test('waits, and writes in order as soon as the lock is free', async () => {
    const { queue, replies, other, words } = await queueOfWords()
    other.exec('BEGIN IMMEDIATE')
    queue.add([write('a')])
    queue.add([write('b'), write('a')])
    await vi.advanceTimersByTimeAsync(500)
    expect(replies).toEqual([])
    other.exec('COMMIT')
    await vi.advanceTimersByTimeAsync(1)
    expect(replies.map((reply) => 'value' in reply && reply.value)).toEqual([1, 1, 0])
    expect(words()).toEqual(['a', 'b'])
  })

  test('gives up what has waited for too long, says so, and calls nothing taken', async () => {
    const { queue, replies, other, words } = await queueOfWords({ timeoutMs: 100 })
    other.exec('BEGIN IMMEDIATE')
    queue.add([write('a')])
    await vi.advanceTimersByTimeAsync(60)
    queue.add([write('b')])
    await vi.advanceTimersByTimeAsync(60)
    expect(replies).toMatchObject([{ fault: { kind: 'busy', message: expect.stringContaining('its lock') } }])
    other.exec('ROLLBACK')
    await vi.advanceTimersByTimeAsync(1)
    expect(replies.length).toBe(2)
    expect(words()).toEqual(['b'])
  })
})

test('a queue that always has something to write leaves the lock to others now and then', async () => {
  const { queue, other, words } = await queueOfWords({
    // Each commit takes 10 ms, and the next write comes as soon as it has ended.
    checkAfter: () => void vi.advanceTimersByTime(10),
    reply: () => undefined,
  })
  let written = 0
  for (; written < 100; written++) {
    queue.add([write(`word ${written}`)])
    if (words().length === written) break
  }
  expect(written).toBeLessThan(10)
  other.exec('BEGIN IMMEDIATE; COMMIT')
  await vi.advanceTimersByTimeAsync(2)
  expect(words().length).toBe(written + 1)
})

test('a queue that leaves the lock free between its commits does not pause', async () => {
  const { queue, words } = await queueOfWords({
    checkAfter: () => void vi.advanceTimersByTime(1),
    reply: () => undefined,
  })
  for (let written = 0; written < 500; written++) {
    queue.add([write(`word ${written}`)])
    vi.advanceTimersByTime(1)
  }
  expect(words().length).toBe(500)
})

test('a queue is drained when all has its reply', async () => {
  const { queue, replies, other } = await queueOfWords()
  await queue.drained()
  other.exec('BEGIN IMMEDIATE')
  queue.add([write('a')])
  let isDrained = false
  const drained = queue.drained().then(() => {
    isDrained = true
  })
  await vi.advanceTimersByTimeAsync(10)
  expect(isDrained).toBe(false)
  other.exec('COMMIT')
  await vi.advanceTimersByTimeAsync(10)
  await drained
  expect(replies.length).toBe(1)
})
