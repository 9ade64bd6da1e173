import type { DatabaseSync } from 'node:sqlite'
import { noteAppends } from './noted-appends.ts'
import type { Write } from './protocol.ts'
import type { Statements } from './statements.ts'
import { checkMs, sleep, whenFree } from './when-free.ts'

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
     * Writes in one transaction after the previous ones. Returns for each write the number of rows before the first
     * unchanged one.
     */
    write(writes: readonly Write[]): Promise<readonly number[]> {
      const counts = last.then(leaveToOthers).then(() => whenFree(waitMs, () => commit(writes)))
      last = counts.catch(() => undefined)
      return counts
    },
  }
}
