import { StoreUnavailableError } from '@auction/domain/errors'
import { type Db, type DbOptions, MongoClient, type MongoClientOptions, ReadConcern, ReadConcernLevel } from 'mongodb'
import { reasonOf } from '../shared/connection-strings.ts'
import { parseAddress } from './address.ts'
import { type Deployment, findDeployment } from './deployment.ts'
import { withinTime } from './driver-call.ts'
import { mayPass } from './errors.ts'

/** The default time limit of an operation. */
export const defaultTimeoutMs = 5_000

/** The options of clients for a connection string. */
export type Clients = {
  /** `responseMs` is the time limit of a response, if it differs from `timeoutMs`. */
  readonly openWith: (connections: number, responseMs?: number) => MongoClient
  readonly databaseOf: (client: MongoClient) => Db
  readonly description: string
}

/**
 * Runs `use` with the options of a database's clients.
 * @throws Error with the hosts and the reason on one line, a StoreUnavailableError for a temporary failure; it never
 *   contains credentials
 */
export async function withClients<Value>(
  uri: string,
  timeoutMs: number,
  use: (clients: Clients) => Promise<Value>,
): Promise<Value> {
  const { hosts, database: name, secrets } = parseAddress(uri)
  try {
    return await use({
      openWith: (connections, responseMs) => new MongoClient(uri, clientOptions(timeoutMs, connections, responseMs)),
      databaseOf: (client) => client.db(name, databaseOptions(timeoutMs)),
      description: `MongoDB at ${hosts}, database ${name}`,
    })
  } catch (error) {
    // The new error has no cause, because errors of the driver may contain parts of the connection string.
    const message = `MongoDB at ${hosts} cannot be used: ${reasonOf(error, secrets)}`
    throw mayPass(error) ? new StoreUnavailableError(message) : new Error(message)
  }
}

/** Connects, detects the deployment, and runs `use`. Closes the client afterwards. */
export async function withDatabase<Value>(
  client: MongoClient,
  databaseOf: (client: MongoClient) => Db,
  timeoutMs: number,
  use: (database: Db, deployment: Deployment) => Promise<Value>,
): Promise<Value> {
  const connecting = client.connect()
  try {
    const database = databaseOf(client)
    await withinTime(timeoutMs, connecting)
    return await use(database, await findDeployment(database, timeoutMs))
  } finally {
    // The client is closed once it has connected: a late resolution of a name would leave it open.
    connecting.finally(() => client.close()).catch(() => undefined)
  }
}

/** How long the driver looks for a server before it fails. */
export const serverSelectionMs = (timeoutMs: number): number => timeoutMs * 0.4

/**
 * The connections, and the time limits of the steps of an operation: finding the server, getting a connection, and
 * waiting for its response. These options override the connection string.
 *
 * The driver repeats no write. On servers that announce sessions but do not recognize a retry (some gateways of other
 * databases), a retry would find its own document and report a taken key. The domain settles a write with a lost response
 * by the ids that it assigned before. The driver repeats a read once, which is safe and avoids an error when a primary
 * steps down.
 */
export const clientOptions = (
  timeoutMs: number,
  maxConnections: number,
  responseMs = timeoutMs,
): MongoClientOptions => ({
  appName: 'auction-service',
  maxPoolSize: maxConnections,
  serverSelectionTimeoutMS: serverSelectionMs(timeoutMs),
  waitQueueTimeoutMS: timeoutMs * 0.4,
  connectTimeoutMS: timeoutMs * 0.4,
  socketTimeoutMS: responseMs,
  retryWrites: false,
  retryReads: true,
  // Documents have numbers, not bytes, or Long or BigInt objects.
  raw: false,
  promoteValues: true,
  promoteLongs: true,
  useBigInt64: false,
})

/**
 * Options of the database, which override weaker ones of the connection string. The server acknowledges a write when a
 * majority has it in its journals, and a read returns only such writes, so that a new primary has everything that was
 * acknowledged. A standalone server accepts them, too, and is its own majority.
 */
const databaseOptions = (timeoutMs: number): DbOptions => ({
  readPreference: 'primary',
  readConcern: new ReadConcern(ReadConcernLevel.majority),
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: timeoutMs * 0.8 },
})
