import type { Store } from '@auction/domain/store'
import { StoreUnavailableError } from '@auction/domain/store-unavailable'
import { parseAddress, reasonOf } from './address.ts'
import { createPostgresqlAuctionLists } from './auction-lists.ts'
import { createPostgresqlAuctions } from './auctions.ts'
import { type Connection, createConnection } from './connection.ts'
import { createPostgresqlEntries } from './entries.ts'
import { mayPass } from './failures.ts'
import { createPostgresqlIdBlocks } from './id-blocks.ts'
import { ensureSchema, hasSchema, schemaName } from './schema.ts'

export type PostgresqlStore = Store & {
  /** Which server and which database, for people; no credentials. */
  readonly description: string
  /** @throws StoreUnavailableError when the server does not answer. */
  ping(): Promise<void>
  /** Closes all connections at once, and resolves when what was under way has failed. May be called again. */
  close(): Promise<void>
}

export type PostgresqlStoreOptions = {
  /** When a connection and a statement together are given up, in milliseconds. */
  readonly timeoutMs?: number
  /** How many connections there are at the most. */
  readonly maxConnections?: number
}

/**
 * Connects to the database of a connection string, and makes the schema `auctions` in it where there is none. Data of another format
 * is refused.
 * @throws Error, otherwise within a few times `timeoutMs`, that says on one line which server can't be used and why, a
 *   StoreUnavailableError where that may pass; neither it nor anything in it holds credentials.
 */
export async function connectPostgresqlStore(
  uri: string,
  options: PostgresqlStoreOptions = {},
): Promise<PostgresqlStore> {
  const { connection, description } = await connect(uri, options, async (connection) => {
    await connection.withClient(ensureSchema)
  })
  return {
    ...createPostgresqlAuctions(connection),
    ...createPostgresqlAuctionLists(connection),
    ...createPostgresqlEntries(connection),
    ...createPostgresqlIdBlocks(connection),
    description,
    async ping() {
      await connection.query({ what: 'answer a ping', text: 'SELECT', values: [] })
    },
    close: connection.close,
  }
}

/** What `connectPostgresqlStore` would find. */
export type PostgresqlInspection = {
  /** Which server and which database, for people; no credentials. */
  readonly description: string
  /** What it would make before it is ready, for people; empty where nothing. */
  readonly wouldMake: readonly string[]
}

/**
 * Looks whether a database can be used, and makes and changes nothing in it.
 * @throws Error as `connectPostgresqlStore`
 */
export async function inspectPostgresqlDatabase(
  uri: string,
  options: Pick<PostgresqlStoreOptions, 'timeoutMs'> = {},
): Promise<PostgresqlInspection> {
  let wouldMake: readonly string[] = []
  const { connection, description } = await connect(uri, { ...options, maxConnections: 1 }, async ({ withClient }) => {
    if (!(await withClient(hasSchema))) wouldMake = [`the schema ${schemaName}`]
  })
  await connection.close()
  return { description, wouldMake }
}

async function connect(
  uri: string,
  { timeoutMs = 5_000, maxConnections = 20 }: PostgresqlStoreOptions,
  begin: (connection: Connection) => Promise<void>,
): Promise<{ readonly connection: Connection; readonly description: string }> {
  const { description, secrets } = parseAddress(uri)
  const connection = createConnection({ uri, secrets, timeoutMs, maxConnections })
  try {
    await begin(connection)
    return { connection, description }
  } catch (error) {
    await connection.close()
    // Without the cause, which may hold more of the connection string.
    const message = `${description} can't be used: ${reasonOf(error, secrets)}`
    throw mayPass(error) ? new StoreUnavailableError(message) : new Error(message)
  }
}
