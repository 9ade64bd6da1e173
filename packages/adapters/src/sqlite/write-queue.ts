import type { DatabaseSync } from 'node:sqlite'
import { type Fault, faultOf, isBusy } from './faults.ts'
import type { Reply, Write } from './protocol.ts'
import type { Statements } from './statements.ts'

export type WriteQueue = {
  /** Takes writes into the next transaction. */
  add(writes: readonly Write[]): void
  /** Resolves when all that was added has its reply. */
  drained(): Promise<void>
}

export type WriteQueueParts = {
  readonly database: DatabaseSync
  readonly statements: Statements
  /** Throws where nothing must be written. It is called within the transaction. */
  readonly checkBefore: () => void
  /** Throws where what was written may be lost. */
  readonly checkAfter: () => void
  /** How long a write may wait for the lock of another process. */
  readonly timeoutMs: number
  readonly reply: (replies: readonly Reply[]) => void
}

type Waiting = { readonly write: Write; readonly giveUpAtMs: number; readonly isAlone: boolean }

/** How often a writer looks whether another process has left the lock. */
const lookAgainMs = 1
/** In each such period this process leaves the lock free for a tenth of the time, or else for long enough that others find it so. */
const periodMs = 50
const leastFreeMs = periodMs / 10
/** The most rows in one transaction, unless one write alone has more. */
const maxRows = 2_000

/**
 * Group commit: what gathers while a transaction is under way goes into the next one together, so that many clients share one
 * sync of the disk. It waits for nothing but the lock of another process, and its thread can go on with reads meanwhile. That
 * lock has no queue, so nobody may take it again and again without a pause.
 */
export function createWriteQueue(parts: WriteQueueParts): WriteQueue {
  const { database, statements, timeoutMs, reply } = parts
  let waiting: readonly Waiting[] = []
  let isScheduled = false
  let periodBeganAtMs = 0
  let committedAtMs = 0
  let freeMs = 0
  const whenDrained: (() => void)[] = []

  function commitSoon(): void {
    const nowMs = performance.now()
    freeMs += nowMs - committedAtMs
    const isPeriodOver = nowMs - periodBeganAtMs >= periodMs
    const mustPause = isPeriodOver && freeMs < leastFreeMs
    if (isPeriodOver) {
      periodBeganAtMs = nowMs
      freeMs = 0
    }
    if (mustPause) commitIn(2 * lookAgainMs)
    else commitNext()
  }

  function commitIn(ms: number): void {
    isScheduled = true
    setTimeout(() => {
      isScheduled = false
      commitNext()
    }, ms)
  }

  function commitNext(): void {
    const lock = commitGroup(nextGroup(waiting))
    committedAtMs = performance.now()
    if (lock !== undefined) giveUpLate(lock)
    if (waiting.length > 0) commitIn(lookAgainMs)
    else for (const resolve of whenDrained.splice(0)) resolve()
  }

  /** Commits the writes at the front of the queue, or returns what holds them up. */
  function commitGroup(group: readonly Waiting[]): Fault | undefined {
    const behind = waiting.slice(group.length)
    let replies: readonly Reply[]
    try {
      replies = commit(group.map(({ write }) => write))
    } catch (error) {
      if (isBusy(error)) return faultOf(error)
      if (group.length > 1) {
        // If one of them is what the database fails on, it fails alone.
        waiting = [...group.map((each) => ({ ...each, isAlone: true })), ...behind]
        return
      }
      replies = group.map(({ write: { call } }) => ({ call, fault: faultOf(error) }))
    }
    waiting = behind
    reply(replies)
    return
  }

  function commit(writes: readonly Write[]): readonly Reply[] {
    statements.run('BEGIN IMMEDIATE', [])
    let replies: readonly Reply[]
    try {
      parts.checkBefore()
      replies = writes.map((write) => ({ call: write.call, value: runInOrder(write) }))
      statements.run('COMMIT', [])
    } catch (error) {
      // After some errors SQLite has rolled back by itself.
      if (database.isTransaction) statements.run('ROLLBACK', [])
      throw error
    }
    parts.checkAfter()
    return replies
  }

  function runInOrder({ sql, rows }: Write): number {
    const unchanged = rows.findIndex((row) => statements.run(sql, row) === 0)
    return unchanged < 0 ? rows.length : unchanged
  }

  function giveUpLate(fault: Fault): void {
    const nowMs = performance.now()
    const late = waiting.filter(({ giveUpAtMs }) => giveUpAtMs <= nowMs)
    waiting = waiting.filter(({ giveUpAtMs }) => giveUpAtMs > nowMs)
    reply(late.map(({ write: { call } }) => ({ call, fault })))
  }

  return {
    add(writes) {
      const giveUpAtMs = performance.now() + timeoutMs
      waiting = [...waiting, ...writes.map((write) => ({ write, giveUpAtMs, isAlone: false }))]
      if (!isScheduled && waiting.length > 0) commitSoon()
    },
    drained: () =>
      new Promise((resolve) => {
        if (waiting.length === 0) resolve()
        else whenDrained.push(resolve)
      }),
  }
}

function nextGroup(waiting: readonly Waiting[]): readonly Waiting[] {
  if (waiting[0]?.isAlone) return waiting.slice(0, 1)
  let rows = 0
  const end = waiting.findIndex(({ write, isAlone }, index) => {
    rows += write.rows.length
    return index > 0 && (isAlone || rows > maxRows)
  })
  return waiting.slice(0, end < 0 ? waiting.length : end)
}
