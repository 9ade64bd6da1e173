import type { Store } from '@auction/domain/store'
import { openWithWorker } from './open-with-worker.ts'
import { startWorker } from './worker-connection.ts'

export type SqliteStore = Store & {
  /** Which file, for people. */
  readonly description: string
  /** @throws StoreUnavailableError when the file can't be read */
  ping(): Promise<void>
  /** Finishes what is under way, and closes the file; what is asked for after that fails. May be called again. */
  close(): Promise<void>
}

export type SqliteStoreOptions = {
  /**
   * When a read or a transaction is given up, in milliseconds, 3,500 if not given: because the disk hangs, or, after four fifths
   * of the time, because another process holds the file's lock.
   */
  readonly timeoutMs?: number
}

/**
 * Opens a file that keeps auctions and their ledgers; makes it, and its folder, where there is none. Other processes of this
 * machine may have it open, too. A store that nobody closes does not keep the process alive while it is idle.
 * @throws Error that says on one line which file can't be used and why, a StoreUnavailableError where another process holds its lock
 */
export const openSqliteStore = (path: string, options: SqliteStoreOptions = {}): Promise<SqliteStore> =>
  openWithWorker(path, options, startWorker)
