import type { Store } from '@auction/domain/store'
import { isStoreUnavailable, StoreUnavailableError } from '@auction/domain/store-unavailable'
import { createSqliteAuctionLists } from './auction-lists.ts'
import { createSqliteAuctions } from './auctions.ts'
import { openConnections, type SqliteContext } from './context.ts'
import { createSqliteEntries } from './entries.ts'
import { createSqliteIdBlocks } from './id-blocks.ts'
import { explainFailure, prepareFile, resolveFile } from './paths.ts'
import { createRowParser } from './row-parser.ts'
import { parseEntry, parseListedAuction } from './rows.ts'
import { type StartWorker, startWorker } from './worker-connection.ts'

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

/** As `openSqliteStore`, with a thread that a test may end. */
export async function openWithWorker(
  path: string,
  options: SqliteStoreOptions,
  start: StartWorker,
): Promise<SqliteStore> {
  // Less than the domain waits: so the reason is told, too.
  const { timeoutMs = 3_500 } = options
  const file = resolveFile(path)
  try {
    prepareFile(file)
    return createStore(await openConnections(file, timeoutMs, start), `SQLite file ${file}`)
  } catch (error) {
    const message = `the file ${file} can't be used: ${explainFailure(file, error)}`
    throw isStoreUnavailable(error) ? new StoreUnavailableError(message) : new Error(message, { cause: error })
  }
}

/** How much is remembered of auctions and of entries that were read, in bytes: some thousands of each. */
const maxAuctionBytes = 8 * 1024 * 1024
const maxEntryBytes = 16 * 1024 * 1024

function createStore(context: SqliteContext, description: string): SqliteStore {
  const auctions = createRowParser(parseListedAuction, maxAuctionBytes)
  const entries = createRowParser(parseEntry, maxEntryBytes)
  return {
    ...createSqliteAuctions(context, auctions),
    ...createSqliteAuctionLists(context, auctions),
    ...createSqliteEntries(context, entries),
    ...createSqliteIdBlocks(context),
    description,
    ping: () => context.ping(),
    close: () => context.close(),
  }
}
