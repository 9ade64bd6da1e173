import { isStoreUnavailable, StoreUnavailableError } from '@auction/domain/errors'
import { createSqliteAppended } from './appended.ts'
import { createSqliteAuctionLists } from './auction-lists.ts'
import { createSqliteAuctions } from './auctions.ts'
import { createSqliteCheckpoints } from './checkpoints.ts'
import { openConnections, type SqliteContext } from './context.ts'
import { createSqliteEntries } from './entries.ts'
import { createSqliteIdBlocks } from './id-blocks.ts'
import { explainFailure, prepareFile, resolveFile } from './paths.ts'
import { createRowParser } from './row-parser.ts'
import { parseEntry, parseListedAuction } from './rows.ts'
import type { StartWorker } from './worker-connection.ts'

/** The default is less than the domain's time limit, so that the caller receives the reason. */
const defaultTimeoutMs = 3_500

/**
 * Opens a store like `openSqliteStore`, with a thread that a test may end. It is separate, so that the public types do
 * not depend on Node.js.
 */
export async function openWithWorker(
  path: string,
  { timeoutMs = defaultTimeoutMs }: { readonly timeoutMs?: number },
  start: StartWorker,
) {
  const file = resolveFile(path)
  try {
    prepareFile(file)
    return createStore(await openConnections(file, timeoutMs, start), `SQLite file ${file}`)
  } catch (error) {
    const message = `the file ${file} cannot be used: ${explainFailure(file, error)}`
    throw isStoreUnavailable(error) ? new StoreUnavailableError(message) : new Error(message, { cause: error })
  }
}

/** The size of the caches of parsed auctions and entries, in bytes: some thousands of each. */
const maxAuctionBytes = 8 * 1024 * 1024
const maxEntryBytes = 16 * 1024 * 1024

function createStore(context: SqliteContext, description: string) {
  const auctions = createRowParser(parseListedAuction, maxAuctionBytes)
  const entries = createRowParser(parseEntry, maxEntryBytes)
  return {
    ...createSqliteAuctions(context, auctions),
    ...createSqliteAuctionLists(context, auctions),
    ...createSqliteEntries(context, entries),
    ...createSqliteIdBlocks(context),
    ...createSqliteAppended(context),
    checkpoints: createSqliteCheckpoints(context),
    description,
    ping: () => context.ping(),
    close: () => context.close(),
  }
}
