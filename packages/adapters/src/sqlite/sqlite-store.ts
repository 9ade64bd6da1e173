import type { Store } from '@auction/domain/store'
import { createSqliteAuctionLists } from './auction-lists.ts'
import { createSqliteAuctions } from './auctions.ts'
import { openConnections, type SqliteContext } from './context.ts'
import { createSqliteEntries } from './entries.ts'
import { createSqliteIdBlocks } from './id-blocks.ts'
import { explainFailure, prepareFolder, resolveFile } from './paths.ts'
import { createRowParser } from './row-parser.ts'
import { parseAuction, parseEntry } from './rows.ts'

export type SqliteStore = Store & {
  /** Which file, for people. */
  readonly description: string
  /** @throws StoreUnavailableError when the file can't be read */
  ping(): Promise<void>
  /** Finishes what is under way, and closes the file; what is asked for after that fails. May be called again. */
  close(): Promise<void>
}

export type SqliteStoreOptions = {
  /** When an operation is given up, in milliseconds: because another process holds the file's lock, or because the disk hangs. */
  readonly timeoutMs?: number
}

/**
 * Opens a file that keeps auctions and their ledgers; makes it, and its folder, where there is none. Other processes of this
 * machine may have it open, too. A store that nobody closes does not keep the process alive while it is idle.
 * @throws Error that says on one line which file can't be used and why
 */
export async function openSqliteStore(path: string, options: SqliteStoreOptions = {}): Promise<SqliteStore> {
  const { timeoutMs = 5_000 } = options
  const file = resolveFile(path)
  try {
    prepareFolder(file)
    return createStore(await openConnections(file, timeoutMs), `SQLite file ${file}`)
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
