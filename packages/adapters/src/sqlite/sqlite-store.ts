import type { Checkpoints } from '@auction/delivery/checkpoints'
import type { ClosableStore, CompleteStore } from '@auction/domain/store'
import { openWithWorker } from './open-with-worker.ts'
import { startWorker } from './worker-connection.ts'

export type SqliteStore = ClosableStore &
  CompleteStore & {
    /** How far subscribers have received events, for `createDelivery`. */
    readonly checkpoints: Checkpoints
    /** The file, for display. */
    readonly description: string
    /** @throws StoreUnavailableError if the file cannot be read */
    ping(): Promise<void>
  }

export type SqliteStoreOptions = {
  /**
   * The time limit of a read or a transaction in milliseconds, for example if the disk hangs. Default: 3,500. A wait
   * for the lock of another process ends after four fifths of it.
   */
  readonly timeoutMs?: number
}

/**
 * Opens a file of auctions and their ledgers, and creates it and its folder if they are missing. Other processes of
 * this machine may have it open, too. An idle open store does not keep the process alive.
 * @throws Error with the file and the reason on one line, a StoreUnavailableError if another process holds its lock
 */
export const openSqliteStore = (path: string, options: SqliteStoreOptions = {}): Promise<SqliteStore> =>
  openWithWorker(path, options, startWorker)
