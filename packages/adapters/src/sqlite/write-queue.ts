import type { DatabaseSync } from 'node:sqlite'
import { faultOf, isBusy } from './faults.ts'
import type { Call, Reply } from './protocol.ts'
import type { Statements } from './statements.ts'

export type Write = Extract<Call, { kind: 'write' }>

export type WriteQueue = {
  /** Takes writes into the next transaction. */
  add(writes: readonly Write[]): void
  /** Resolves when all that was added has its reply. */
  drained(): Promise<void>
}

export type WriteQueueParts = {
  readonly database: DatabaseSync
  readonly statements: Statements
  /** How long a write may wait for the lock of another process. */
  readonly timeoutMs: number
  readonly reply: (replies: readonly Reply[]) => void
}

type Waiting = { readonly write: Write; readonly giveUpAtMs: number; readonly isAlone: boolean }

/** How often a writer that waits for another process's lock looks again. */
const lookAgainMs = 1
/** The most rows in one transaction, unless one write alone has more. */
const maxRows = 2_000

/**
 * Group commit: what gathers while a transaction is under way goes into the next one together, so that many clients share one
 * sync of the disk. It waits for nothing but the lock of another process, and its thread can go on with reads meanwhile.
 */
export function createWriteQueue({ database, statements, timeoutMs, reply }: WriteQueueParts): WriteQueue {
  let waiting: Waiting[] = []
  let isScheduled = false
  const whenDrained: (() => void)[] = []

  function commitNext(): void {
    const group = nextGroup(waiting)
    const isLocked = !commitGroup(group)
    if (isLocked) giveUpLate()
    if (waiting.length === 0) for (const resolve of whenDrained.splice(0)) resolve()
    isScheduled = waiting.length > 0
    if (isScheduled) setTimeout(commitNext, isLocked ? lookAgainMs : 0)
  }

  /** Commits the writes at the front of the queue, and tells whether it could have the lock. */
  function commitGroup(group: readonly Waiting[]): boolean {
    try {
      const replies = commit(group.map(({ write }) => write))
      waiting.splice(0, group.length)
      reply(replies)
    } catch (error) {
      if (isBusy(error)) return false
      // If one of them is what the database fails on, it fails alone.
      const behind = waiting.slice(group.length)
      if (group.length > 1) waiting = [...group.map((each) => ({ ...each, isAlone: true })), ...behind]
      else {
        waiting = behind
        reply(group.map(({ write: { call } }) => ({ call, fault: faultOf(error) })))
      }
    }
    return true
  }

  function commit(writes: readonly Write[]): readonly Reply[] {
    statements.run('BEGIN IMMEDIATE', [])
    try {
      const replies = writes.map((write) => ({ call: write.call, value: runInOrder(write) }))
      statements.run('COMMIT', [])
      return replies
    } catch (error) {
      // After some errors SQLite has rolled back by itself.
      if (database.isTransaction) statements.run('ROLLBACK', [])
      throw error
    }
  }

  function runInOrder({ sql, rows }: Write): number {
    const unchanged = rows.findIndex((row) => statements.run(sql, row) === 0)
    return unchanged < 0 ? rows.length : unchanged
  }

  function giveUpLate(): void {
    const nowMs = performance.now()
    const late = waiting.filter(({ giveUpAtMs }) => giveUpAtMs <= nowMs)
    if (late.length === 0) return
    waiting = waiting.filter(({ giveUpAtMs }) => giveUpAtMs > nowMs)
    reply(late.map(({ write: { call } }) => ({ call, fault: lockedFault })))
  }

  return {
    add(writes) {
      const giveUpAtMs = performance.now() + timeoutMs
      for (const write of writes) waiting.push({ write, giveUpAtMs, isAlone: false })
      if (!isScheduled && waiting.length > 0) commitNext()
    },
    drained: () =>
      new Promise((resolve) => {
        if (waiting.length === 0) resolve()
        else whenDrained.push(resolve)
      }),
  }
}

const lockedFault = { message: 'another process has held its lock for too long', code: 5 }

function nextGroup(waiting: readonly Waiting[]): readonly Waiting[] {
  if (waiting[0]?.isAlone) return waiting.slice(0, 1)
  let rows = 0
  const end = waiting.findIndex(({ write, isAlone }, index) => {
    rows += write.rows.length
    return index > 0 && (isAlone || rows > maxRows)
  })
  return waiting.slice(0, end < 0 ? waiting.length : end)
}
