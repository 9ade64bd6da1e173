import type { Checkpoints } from '@auction/delivery/checkpoints'
import { StoreUnavailableError } from '@auction/domain/errors'
import type { ClosableStore, CompleteStore } from '@auction/domain/store'
import { reasonOf } from '../shared/connection-strings.ts'
import { parseAddress } from './address.ts'
import { type Connection, createConnection } from './connection.ts'
import { mayPass } from './errors.ts'
import { refusePooler } from './pooler.ts'
import { ensureSchema } from './schema.ts'
import { createStatements } from './statements.ts'

export type PostgresqlStore = ClosableStore &
  CompleteStore & {
    /** How far subscribers have received events, for `createDelivery`. */
    readonly checkpoints: Checkpoints
    /** The server and the database, for display, without credentials. */
    readonly description: string
    /** @throws StoreUnavailableError if the server does not respond */
    ping(): Promise<void>
  }

export type PostgresqlStoreOptions = {
  /** The time limit of a connection and a statement together, in milliseconds. */
  readonly timeoutMs?: number
  /** The maximum number of connections. */
  readonly maxConnections?: number
}

/**
 * Connects to the database of a connection string, and creates the schema `auctions` in it if it is missing. Refuses
 * data of another format. It takes at most a few times `timeoutMs`.
 * @throws Error with the server and the reason on one line, a StoreUnavailableError for a temporary failure; it never
 *   contains credentials
 */
export async function connectPostgresqlStore(
  uri: string,
  options: PostgresqlStoreOptions = {},
): Promise<PostgresqlStore> {
  const { connection, description } = await connect(uri, options, async (connection) => {
    await connection.withClient(ensureSchema)
  })
  return {
    ...createStatements(connection),
    description,
    async ping() {
      await connection.query({ what: 'respond to a ping', text: 'SELECT', values: [] })
    },
    close: connection.close,
  }
}

/**
 * Connects to a database, and changes nothing. Returns its description, for display, without credentials.
 * @throws Error like `connectPostgresqlStore`
 */
export async function pingPostgresqlDatabase(
  uri: string,
  options: Pick<PostgresqlStoreOptions, 'timeoutMs'> = {},
): Promise<string> {
  const { connection, description } = await connect(uri, { ...options, maxConnections: 2 }, async ({ withClient }) => {
    await withClient((client) => client.query('SELECT'))
  })
  await connection.close()
  return description
}

async function connect(
  uri: string,
  { timeoutMs = 5_000, maxConnections = 20 }: PostgresqlStoreOptions,
  begin: (connection: Connection) => Promise<void>,
): Promise<{ readonly connection: Connection; readonly description: string }> {
  const { description, secrets } = parseAddress(uri)
  const connection = createConnection({ uri, secrets, timeoutMs, maxConnections })
  try {
    if (maxConnections > 1) await refusePooler(connection, timeoutMs)
    await begin(connection)
    return { connection, description }
  } catch (error) {
    await connection.close()
    // The new error has no cause, which may contain more of the connection string.
    const message = `${description} cannot be used: ${reasonOf(error, secrets)}`
    throw mayPass(error) ? new StoreUnavailableError(message) : new Error(message)
  }
}
