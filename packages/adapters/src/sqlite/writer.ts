import type { DatabaseSync } from 'node:sqlite'
import type { Write } from './protocol.ts'
import type { Statements } from './statements.ts'
import { lookAgainMs, sleep, whenFree } from './when-free.ts'

export type Writer = {
  /** Writes in one transaction when those before have ended. Returns for each how many rows stand before the first unchanged one. */
  write(writes: readonly Write[]): Promise<readonly number[]>
}

export type WriterParts = {
  readonly database: DatabaseSync
  readonly statements: Statements
  /** How long a transaction may wait for the lock of another process. */
  readonly waitMs: number
  /** Throws where nothing must be written. It is called within the transaction. */
  readonly checkBefore: () => void
  /** Throws where what was written may be lost. */
  readonly checkAfter: () => void
}

/** In each such period this process leaves the lock free for a tenth of the time, or else for long enough that others find it so. */
const periodMs = 50
const leastFreeMs = periodMs / 10

/** Transactions one after the other. The lock has no queue, so no process may take it again and again without a pause. */
export function createWriter({ database, statements, waitMs, checkBefore, checkAfter }: WriterParts): Writer {
  let last: Promise<unknown> = Promise.resolve()
  let periodBeganAtMs = 0
  let committedAtMs = 0
  let freeMs = 0

  async function leaveToOthers(): Promise<void> {
    const nowMs = performance.now()
    freeMs += nowMs - committedAtMs
    if (nowMs - periodBeganAtMs < periodMs) return
    const mustPause = freeMs < leastFreeMs
    periodBeganAtMs = nowMs
    freeMs = 0
    if (mustPause) await sleep(2 * lookAgainMs)
  }

  function commit(writes: readonly Write[]): readonly number[] {
    let counts: readonly number[]
    statements.run('BEGIN IMMEDIATE', [])
    try {
      checkBefore()
      counts = writes.map(run)
      statements.run('COMMIT', [])
    } catch (error) {
      // After some errors SQLite has rolled back by itself.
      if (database.isTransaction) statements.run('ROLLBACK', [])
      throw error
    }
    checkAfter()
    return counts
  }

  function run({ sql, rows, isEach = false }: Write): number {
    const unchanged = rows.findIndex((row) => statements.run(sql, row) === 0 && !isEach)
    return unchanged < 0 ? rows.length : unchanged
  }

  async function writeNext(writes: readonly Write[]): Promise<readonly number[]> {
    await leaveToOthers()
    try {
      return await whenFree(waitMs, () => commit(writes))
    } finally {
      committedAtMs = performance.now()
    }
  }

  return {
    write(writes) {
      const counts = last.then(() => writeNext(writes))
      last = counts.catch(() => undefined)
      return counts
    },
  }
}
