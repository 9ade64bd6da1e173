import type { Checkpoints } from '@auction/delivery/checkpoints'
import type { ClosableStore, CompleteStore } from '@auction/domain/store'
import type { Db } from 'mongodb'
import { createMongoAppended } from './appended.ts'
import { createMongoAuctionLists } from './auction-lists.ts'
import { createMongoAuctions } from './auctions.ts'
import { createMongoCheckpoints } from './checkpoints.ts'
import { defaultTimeoutMs, serverSelectionMs, withClients, withDatabase } from './clients.ts'
import { indexesOf } from './collections.ts'
import { createConnection } from './connection.ts'
import type { MongoContext } from './context.ts'
import { type Deployment, groupingOf } from './deployment.ts'
import { createDriverCall, limitCalls } from './driver-call.ts'
import { createMongoEntries } from './entries.ts'
import { ensureFormat } from './format.ts'
import { createMongoIdBlocks } from './id-blocks.ts'
import { ensureIndexes, maxIndexBuildMs } from './indexes.ts'

export { type MongoUpgrade, upgradeMongoDatabase } from './upgrade.ts'

export type MongoStore = ClosableStore &
  CompleteStore & {
    /** How far subscribers have received events, for `createDelivery`. */
    readonly checkpoints: Checkpoints
    /** The hosts and the database, for display, without credentials. */
    readonly description: string
    /** @throws StoreUnavailableError if the server does not respond */
    ping(): Promise<void>
  }

export type MongoStoreOptions = {
  /** The time limit of an operation, in milliseconds. */
  readonly timeoutMs?: number
  /** The maximum number of connections, in addition to those for appends: 34, on a sharded cluster 576. Default: 20. */
  readonly maxConnections?: number
  /**
   * Receives, on one line, what this server does not support and the consequence, or the index that a start waits for.
   */
  readonly onNotice?: (text: string) => void
}

const shardedKeysNotice =
  'MongoDB: on a sharded cluster an Idempotency-Key is unique within an auction only, ' +
  'so a client that uses one key for bids on two auctions may get two bids'

/**
 * Connects to the database in the path of a connection string, or to `auctions` without one. Records the format of its
 * data and creates the missing indexes, with a notice if that takes long. Refuses data of another format and unreliable
 * routers. Except for builds of indexes, it takes at most a few times `timeoutMs`.
 * @throws Error with the hosts and the reason on one line, a StoreUnavailableError for a temporary failure; it never
 *   contains credentials
 */
export async function connectMongoStore(uri: string, options: MongoStoreOptions = {}): Promise<MongoStore> {
  const { timeoutMs = defaultTimeoutMs, maxConnections = 20, onNotice = () => undefined } = options
  return withClients(uri, timeoutMs, async ({ openWith, databaseOf, description }) => {
    const start = async (database: Db, deployment: Deployment): Promise<Deployment> => {
      await ensureFormat(database, timeoutMs)
      for (const [collection, indexes] of indexesOf(deployment)) {
        await ensureIndexes(database, collection, indexes, timeoutMs, onNotice)
      }
      return deployment
    }
    const deployment = await withDatabase(openWith(1, maxIndexBuildMs), databaseOf, timeoutMs, start)
    if (deployment === 'sharded-cluster') onNotice(shardedKeysNotice)
    const { groups, maxWrites, maxContendedWrites, maxReads } = groupingOf(deployment)
    const connection = createConnection({
      // Appends to a shard that hangs, and reads of it, keep their connections, so they have separate ones.
      open: () => openWith(maxConnections + groups * (maxWrites + maxContendedWrites + maxReads)),
      databaseOf,
      // The time of two searches for a server.
      renewAfterMs: serverSelectionMs(timeoutMs),
      nowMs: () => performance.now(),
    })
    // The store waits for the first search: until then, a failed operation would close the client and fail all calls.
    await connection.opened()
    const driverCall = createDriverCall(timeoutMs, connection)
    // The remaining connections are for other operations.
    const readsAtOnce = Math.ceil(maxConnections / 2)
    const context = {
      connection,
      driverCall,
      listCall: deployment === 'sharded-cluster' ? limitCalls(driverCall, connection, readsAtOnce) : driverCall,
      deployment,
      maxReadMs: timeoutMs,
      readsAtOnce,
    }
    return createStore(context, description)
  })
}

/**
 * Connects to a database, and changes nothing. Returns its description, for display, without credentials.
 * @throws Error like `connectMongoStore`
 */
export const pingMongoDatabase = (
  uri: string,
  { timeoutMs = defaultTimeoutMs }: Pick<MongoStoreOptions, 'timeoutMs'> = {},
): Promise<string> =>
  withClients(uri, timeoutMs, ({ openWith, databaseOf, description }) =>
    withDatabase(openWith(1), databaseOf, timeoutMs, async () => description),
  )

function createStore(context: MongoContext, description: string): MongoStore {
  const { connection, driverCall } = context
  return {
    ...createMongoAuctions(context),
    ...createMongoAuctionLists(context),
    ...createMongoEntries(context),
    ...createMongoIdBlocks(context),
    checkpoints: createMongoCheckpoints(context),
    ...createMongoAppended(context),
    description,
    async ping() {
      await driverCall('respond to a ping', () => connection.database().command({ ping: 1 }))
    },
    close: () => connection.close(),
  }
}
