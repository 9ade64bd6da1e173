import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Store } from '@auction/domain/store'
import { createSqliteAuctionLists } from './auction-lists.ts'
import { createSqliteAuctions } from './auctions.ts'
import type { SqliteContext } from './context.ts'
import { createSqliteEntries } from './entries.ts'
import { createSqliteIdBlocks } from './id-blocks.ts'
import { createReader, type Reader } from './reader.ts'
import { createWorkerConnection, type WorkerConnection } from './worker-connection.ts'

export type SqliteStore = Store & {
  /** Which file, for people. */
  readonly description: string
  /** @throws StoreUnavailableError when the file can't be read */
  ping(): Promise<void>
  /** Finishes what is under way, and closes the file. May be called again. */
  close(): Promise<void>
}

export type SqliteStoreOptions = {
  /** When an operation is given up, in milliseconds. */
  readonly timeoutMs?: number
}

/**
 * Opens a file that keeps auctions and their ledgers; makes it, and its folder, where there is none.
 * @throws Error that says on one line which file can't be used and why
 */
export async function openSqliteStore(path: string, options: SqliteStoreOptions = {}): Promise<SqliteStore> {
  const { timeoutMs = 5_000 } = options
  const file = resolve(path)
  try {
    mkdirSync(dirname(file), { recursive: true })
    const worker = createWorkerConnection({ file, timeoutMs })
    await worker.open()
    return createStore(file, worker, createReader(file))
  } catch (error) {
    throw new Error(`the file ${file} can't be used: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

function createStore(file: string, worker: WorkerConnection, reader: Reader): SqliteStore {
  const context: SqliteContext = {
    find: async (what, sql, params) => reader.find(what, sql, params) ?? worker.read(what, sql, params),
    list: worker.read,
    write: worker.write,
  }
  return {
    partitions: 1,
    partitionOf: () => 0,
    ...createSqliteAuctions(context),
    ...createSqliteAuctionLists(context),
    ...createSqliteEntries(context),
    ...createSqliteIdBlocks(context),
    description: `SQLite file ${file}`,
    async ping() {
      await context.list('answer a ping', 'SELECT count(*) FROM sqlite_schema', [])
    },
    async close() {
      // First: the connection that is closed last empties the log, and this one may not write.
      reader.close()
      await worker.close()
    },
  }
}
