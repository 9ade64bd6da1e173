import type { AuctionId, BidId } from '@auction/domain/ids'
import type { AuctionStore } from '@auction/domain/ports/auction-store'
import type { IdempotencyStore } from '@auction/domain/ports/idempotency-store'
import type { Ledger } from '@auction/domain/ports/ledger'
import { type Db, MongoClient } from 'mongodb'
import { type BlockIds, blockIds } from '../system/block-ids.ts'
import { parseAddress, reasonOf } from './address.ts'
import { asking, within } from './asking.ts'
import { auctionIndexes, auctionsCollection, mongoAuctions } from './auctions.ts'
import { type Connection, renewedConnection } from './connection.ts'
import { clientOptions, databaseOptions, serverSelectionMs } from './driver-options.ts'
import { idBlockIndexes, idBlocksCollection, mongoIdBlocks } from './id-blocks.ts'
import { idempotencyKeyIndexes, idempotencyKeysCollection, mongoIdempotencyKeys } from './idempotency-keys.ts'
import { ensureIndexes, type Index } from './indexes.ts'
import { bidIndexes, bidsCollection, mongoLedger } from './ledger.ts'
import { refuseLossyRouter } from './routers.ts'

/** Everything the use cases ask of a store, named as their ports are. */
export type MongoStore = {
  readonly auctions: AuctionStore
  readonly ledger: Ledger
  readonly auctionIds: BlockIds<AuctionId>
  readonly bidIds: BlockIds<BidId>
  readonly idempotencyKeys: IdempotencyStore
  /** Which hosts and which database, for people; no credentials. */
  readonly description: string
  /** @throws StoreUnavailableError when the server does not answer. */
  ping(): Promise<void>
  /** Closes all connections at once, waiting for no operation; those under way fail. May be called again. */
  close(): Promise<void>
}

export type MongoStoreOptions = {
  /** When an operation is given up, in milliseconds. */
  readonly timeoutMs?: number
  /** How many connections there are at the most. */
  readonly maxConnections?: number
  /** Is told, on one line, what this server can't do and what comes of it. */
  readonly onNotice?: (text: string) => void
}

// A bid is far more frequent than an auction. What is left of a block is lost at each restart, so blocks are small enough
// for ids to stay short, and large enough to last longer than the claim of the next one takes.
const auctionIdsPerBlock = 100
const bidIdsPerBlock = 1_000

const indexes: readonly (readonly [collection: string, indexes: readonly Index[]])[] = [
  [auctionsCollection, auctionIndexes],
  [bidsCollection, bidIndexes],
  [idBlocksCollection, idBlockIndexes],
  [idempotencyKeysCollection, idempotencyKeyIndexes],
]

/**
 * Connects to the database in the path of a connection string, or to `auctions` when it names none, and makes the indexes
 * that it lacks. A router that can't be relied on is refused.
 * @throws Error, within a few times `timeoutMs`, that says on one line which hosts can't be used and why; neither it nor
 *   anything in it holds credentials.
 */
export async function connectMongoStore(uri: string, options: MongoStoreOptions = {}): Promise<MongoStore> {
  const { timeoutMs = 5_000, maxConnections = 20, onNotice = () => undefined } = options
  const { hosts, database: name, secrets } = parseAddress(uri)
  try {
    const open = () => new MongoClient(uri, clientOptions(timeoutMs, maxConnections))
    const databaseOf = (client: MongoClient) => client.db(name, databaseOptions(timeoutMs))
    const client = open()
    await connect(client, databaseOf(client), timeoutMs, onNotice)
    // Two searches for a server in a row that find none.
    const renewAfterMs = serverSelectionMs(timeoutMs)
    const connection = renewedConnection({ open, databaseOf, renewAfterMs, nowMs: () => performance.now() }, client)
    return storeOf(connection, timeoutMs, `MongoDB at ${hosts}, database ${name}`)
  } catch (error) {
    // Without the cause: errors of the driver may hold the connection string, or parts of it.
    throw new Error(`MongoDB at ${hosts} can't be used: ${reasonOf(error, secrets)}`)
  }
}

async function connect(
  client: MongoClient,
  database: Db,
  timeoutMs: number,
  onNotice: (text: string) => void,
): Promise<void> {
  const connecting = client.connect()
  try {
    await within(timeoutMs, connecting)
    await refuseLossyRouter(database, timeoutMs)
    for (const [collection, wanted] of indexes) {
      await ensureIndexes(database, collection, wanted, { timeoutMs, onNotice })
    }
  } catch (error) {
    // A name that is resolved late would otherwise leave a connected client behind.
    connecting.finally(() => client.close()).catch(() => undefined)
    throw error
  }
}

function storeOf(connection: Connection, timeoutMs: number, description: string): MongoStore {
  const ask = asking(timeoutMs, connection)
  const context = { connection, ask, maxReadMs: timeoutMs }
  return {
    auctions: mongoAuctions(context),
    ledger: mongoLedger(context),
    auctionIds: blockIds<AuctionId>(mongoIdBlocks(context, 'auctions'), auctionIdsPerBlock),
    bidIds: blockIds<BidId>(mongoIdBlocks(context, 'bids'), bidIdsPerBlock),
    idempotencyKeys: mongoIdempotencyKeys(context),
    description,
    async ping() {
      await ask('answer a ping', () => connection.database().command({ ping: 1 }))
    },
    close: () => connection.close(),
  }
}
