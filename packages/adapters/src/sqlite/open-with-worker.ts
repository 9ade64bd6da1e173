import { createSqliteAuctionLists } from './auction-lists.ts'
import { createSqliteAuctions } from './auctions.ts'
import { openConnections, type SqliteContext } from './context.ts'
import { createSqliteEntries } from './entries.ts'
import { createSqliteIdBlocks } from './id-blocks.ts'
import { explainFailure, prepareFolder, resolveFile } from './paths.ts'
import { createRowParser } from './row-parser.ts'
import { parseAuction, parseEntry } from './rows.ts'
import type { SqliteStore, SqliteStoreOptions } from './sqlite-store.ts'
import type { StartWorker } from './worker-connection.ts'

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
    prepareFolder(file)
    return createStore(await openConnections(file, timeoutMs, start), `SQLite file ${file}`)
  } catch (error) {
    throw new Error(`the file ${file} can't be used: ${explainFailure(file, error)}`, { cause: error })
  }
}

/** How many auctions and how many entries that were read are remembered: with the longest descriptions, some 40 MB. */
const maxAuctions = 2_000
const maxEntries = 5_000

function createStore(context: SqliteContext, description: string): SqliteStore {
  const auctions = createRowParser(parseAuction, maxAuctions)
  const entries = createRowParser(parseEntry, maxEntries)
  return {
    // All writes of all processes have one lock.
    partitions: 1,
    partitionOf: () => 0,
    ...createSqliteAuctions(context, auctions),
    ...createSqliteAuctionLists(context, auctions),
    ...createSqliteEntries(context, entries),
    ...createSqliteIdBlocks(context),
    description,
    async ping() {
      await context.list('answer a ping', 'SELECT id FROM auctions LIMIT 1', [])
    },
    close: () => context.close(),
  }
}
