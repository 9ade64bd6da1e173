import { isStoreUnavailable, StoreUnavailableError } from '@auction/domain/store-unavailable'
import { createSqliteAuctionLists } from './auction-lists.ts'
import { createSqliteAuctions } from './auctions.ts'
import { openConnections, type SqliteContext } from './context.ts'
import { createSqliteEntries } from './entries.ts'
import { createSqliteIdBlocks } from './id-blocks.ts'
import { explainFailure, prepareFile, resolveFile } from './paths.ts'
import { createRowParser } from './row-parser.ts'
import { parseEntry, parseListedAuction } from './rows.ts'
import type { SqliteStore, SqliteStoreOptions } from './sqlite-store.ts'
import type { StartWorker } from './worker-connection.ts'

/** As `openSqliteStore`, with a thread that a test may end. Apart from that, whose types name nothing of Node.js. */
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
