import type { DatabaseSync } from 'node:sqlite'
import { checkMs, type Row, type Statements, sleep, whenFree } from './database.ts'
import type { Write } from './protocol.ts'

export type WriterParts = {
  readonly database: DatabaseSync
  readonly statements: Statements
  /** The time limit of a wait for the lock of another process. */
  readonly waitMs: number
  /** Called within the transaction. Throws if a write is not allowed. */
  readonly checkBefore: () => void
  /** Throws if the written data may be lost. */
  readonly checkAfter: () => void
}

/**
 * After a period in which this process held the lock nearly all the time, it releases the lock long enough for others.
 */
const periodMs = 50
const largestPart = 0.9

/** Transactions in sequence. The lock has no queue, so no process may take it repeatedly without a pause. */
export function createWriter({ database, statements, waitMs, checkBefore, checkAfter }: WriterParts) {
  let last: Promise<unknown> = Promise.resolve()
  let periodBeganAtMs = performance.now()
  let heldMs = 0

  async function leaveToOthers(): Promise<void> {
    const nowMs = performance.now()
    const passedMs = nowMs - periodBeganAtMs
    if (passedMs < periodMs) return
    const mustPause = heldMs > passedMs * largestPart
    periodBeganAtMs = nowMs
    heldMs = 0
    if (mustPause) await sleep(2 * checkMs)
  }

  function commit(writes: readonly Write[]): readonly number[] {
    const beganAtMs = performance.now()
    let counts: readonly number[]
    statements.run('BEGIN IMMEDIATE', [])
    try {
      checkBefore()
      counts = writes.map(run)
      noteAppends(statements, writes, counts)
      statements.run('COMMIT', [])
    } catch (error) {
      // After some errors SQLite has already rolled back.
      if (database.isTransaction) statements.run('ROLLBACK', [])
      throw error
    }
    checkAfter()
    heldMs += performance.now() - beganAtMs
    return counts
  }

  function run({ sql, rows, isEach = false, then }: Write): number {
    const unchanged = rows.findIndex((row) => statements.run(sql, row) === 0 && !isEach)
    if (unchanged >= 0) return unchanged
    if (then !== undefined) run(then)
    return rows.length
  }

  return {
    /**
     * Writes in one transaction after the previous ones: a group commit does not wait for one that its callers have left.
     * Returns for each write the number of rows before the first unchanged one.
     */
    write(writes: readonly Write[]): Promise<readonly number[]> {
      const counts = last.then(leaveToOthers).then(() => whenFree(waitMs, () => commit(writes)))
      last = counts.catch(() => undefined)
      return counts
    },
  }
}

/** The number of appends that remain listed: twice those of one response. */
const kept = 8_000
/** How many appends are removed at once. */
const removed = 1_000

const noteSql = 'INSERT INTO appends (number, appended) SELECT max(number) + ?, ? FROM appends RETURNING number'

/** Lists the appends of a transaction within it, so that others see both at once. The thread for writes uses it. */
function noteAppends(statements: Statements, writes: readonly Write[], counts: readonly number[]): void {
  const appended = writes.flatMap(({ rows, isAppend }, index) => {
    const last = rows[(counts[index] ?? 0) - 1]
    return isAppend === true && last !== undefined ? [keysOf(last)] : []
  })
  if (appended.length === 0) return
  const [row] = statements.all(noteSql, [appended.length, JSON.stringify(appended)])
  const number = Number(row?.[0])
  if (number % removed < appended.length) statements.run('DELETE FROM appends WHERE number <= ?', [number - kept])
}

/** The ledger and the sequence, with which a row of `rowOfEntry` begins. */
const keysOf = (row: Row) => row.slice(0, 2)
