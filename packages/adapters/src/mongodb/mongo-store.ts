import type { Store } from '@auction/domain/store'
import type { Db } from 'mongodb'
import { createMongoAuctionLists } from './auction-lists.ts'
import { auctionIndexes, auctionsCollection, createMongoAuctions } from './auctions.ts'
import { defaultTimeoutMs, withClients, withDatabase } from './clients.ts'
import { createConnection } from './connection.ts'
import type { MongoContext } from './context.ts'
import { type Deployment, groupingOf } from './deployment.ts'
import { createDriverCall } from './driver-call.ts'
import { serverSelectionMs } from './driver-options.ts'
import { createMongoEntries, entriesCollection, entryIndexes } from './entries.ts'
import { ensureFormat } from './format.ts'
import { createMongoIdBlocks, idBlockIndexes, idBlocksCollection } from './id-blocks.ts'
import { ensureIndexes, type Index, maxIndexBuildMs } from './indexes.ts'
import { auctionListIndexes } from './list-plans.ts'

export type MongoStore = Store & {
  /** Which hosts and which database, for people; no credentials. */
  readonly description: string
  /** @throws StoreUnavailableError when the server does not answer. */
  ping(): Promise<void>
  /** Closes all connections at once, and resolves when what was under way has failed. May be called again. */
  close(): Promise<void>
}

export type MongoStoreOptions = {
  /** When an operation is given up, in milliseconds. */
  readonly timeoutMs?: number
  /** How many connections there are at the most, beside those for appends: 34, on a sharded cluster 320. 20 if left out. */
  readonly maxConnections?: number
  /** Is told, on one line, what this server can't do and what comes of it, and which index a start waits for. */
  readonly onNotice?: (text: string) => void
}

const shardedKeysNotice =
  'MongoDB: on a sharded cluster an Idempotency-Key is unique among the auctions of one bucket only, ' +
  'so a client that uses one key for bids on two auctions may get two bids'

/**
 * Connects to the database in the path of a connection string, or to `auctions` when it names none. Records the format of its data
 * and makes the indexes that it lacks; a notice says when that takes long. Refuses data of another format, and a router that can't
 * be relied on.
 * @throws Error that says on one line which hosts can't be used and why, a StoreUnavailableError where that may pass; neither it nor
 *   anything in it holds credentials. But for the builds of indexes, it takes a few times `timeoutMs` at the most.
 */
export async function connectMongoStore(uri: string, options: MongoStoreOptions = {}): Promise<MongoStore> {
  const { timeoutMs = defaultTimeoutMs, maxConnections = 20, onNotice = () => undefined } = options
  return withClients(uri, timeoutMs, async ({ openWith, databaseOf, description }) => {
    const start = async (database: Db, found: Deployment): Promise<Deployment> => {
      await ensureFormat(database, timeoutMs)
      for (const [collection, indexes] of indexesOf(found)) {
        await ensureIndexes(database, collection, indexes, timeoutMs, onNotice)
      }
      return found
    }
    const deployment = await withDatabase(openWith(1, maxIndexBuildMs), databaseOf, timeoutMs, start)
    if (deployment === 'sharded-cluster') onNotice(shardedKeysNotice)
    const { groups, maxWrites, maxContendedWrites } = groupingOf(deployment)
    const connection = createConnection({
      // Appends to a shard that hangs keep their connections, and nobody else may lack one for it.
      open: () => openWith(maxConnections + groups * (maxWrites + maxContendedWrites)),
      databaseOf,
      // Two searches for a server in a row that find none.
      renewAfterMs: serverSelectionMs(timeoutMs),
      nowMs: () => performance.now(),
    })
    // Until then, an operation that fails would take the client with it, and all that is under way.
    await connection.opened()
    const context = {
      connection,
      driverCall: createDriverCall(timeoutMs, connection),
      deployment,
      maxReadMs: timeoutMs,
      // The others are for other operations.
      readsAtOnce: Math.ceil(maxConnections / 2),
    }
    return createStore(context, description)
  })
}

/** The indexes that each collection must have. */
export const indexesOf = (
  deployment: Deployment,
): readonly (readonly [collection: string, indexes: readonly Index[]])[] => [
  [auctionsCollection, [...auctionIndexes, ...auctionListIndexes]],
  [entriesCollection, entryIndexes(deployment)],
  [idBlocksCollection, idBlockIndexes],
]

function createStore(context: MongoContext, description: string): MongoStore {
  const { connection, driverCall } = context
  return {
    ...createMongoAuctions(context),
    ...createMongoAuctionLists(context),
    ...createMongoEntries(context),
    ...createMongoIdBlocks(context),
    description,
    async ping() {
      await driverCall('answer a ping', () => connection.database().command({ ping: 1 }))
    },
    close: () => connection.close(),
  }
}
