import { isStoreUnavailable, StoreUnavailableError } from '@auction/domain/errors'
import { type Db, MongoClient, MongoNetworkError, MongoServerError, MongoServerSelectionError } from 'mongodb'
import { reasonOf } from '../shared/connection-strings.ts'
import { parseAddress } from './address.ts'
import { type Deployment, findDeployment } from './deployment.ts'
import { within } from './driver-call.ts'
import { clientOptions, databaseOptions } from './driver-options.ts'

/** The default time limit of an operation. */
export const defaultTimeoutMs = 5_000

/** The options of clients for a connection string. */
export type Clients = {
  /** `answerMs` is the time limit of an answer, if it differs from `timeoutMs`. */
  readonly openWith: (connections: number, answerMs?: number) => MongoClient
  readonly databaseOf: (client: MongoClient) => Db
  readonly description: string
}

/**
 * Runs `use` with the options of a database's clients.
 * @throws Error with the hosts and the reason on one line, a StoreUnavailableError for a temporary failure; it never contains
 *   credentials
 */
export async function withClients<Value>(
  uri: string,
  timeoutMs: number,
  use: (clients: Clients) => Promise<Value>,
): Promise<Value> {
  const { hosts, database: name, secrets } = parseAddress(uri)
  try {
    return await use({
      openWith: (connections, answerMs) => new MongoClient(uri, clientOptions(timeoutMs, connections, answerMs)),
      databaseOf: (client) => client.db(name, databaseOptions(timeoutMs)),
      description: `MongoDB at ${hosts}, database ${name}`,
    })
  } catch (error) {
    // Without the cause, because errors of the driver may contain parts of the connection string.
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
    await within(timeoutMs, connecting)
    return await use(database, await findDeployment(database, timeoutMs))
  } finally {
    // Only after it has connected: a late resolution of a name would leave a connected client open.
    connecting.finally(() => client.close()).catch(() => undefined)
  }
}

/** Codes of servers that start, stop, elect a primary or are overloaded. */
const passingCodes: readonly unknown[] = [
  6, // HostUnreachable
  7, // HostNotFound
  50, // MaxTimeMSExpired
  64, // WriteConcernTimeout
  89, // NetworkTimeout
  91, // ShutdownInProgress
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  262, // ExceededTimeLimit
  9001, // SocketException
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
]

/** Whether a failure may be temporary, such as an outage, but not a wrong password. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof MongoServerError) return passingCodes.includes(error.code)
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) return true
  // The driver does not export the class of this error, a time-out of a new connection.
  if (error.name === 'MongoWaitQueueTimeoutError') return true
  // The DNS does not have the name of a mongodb+srv:// address yet.
  const isOfNames = 'syscall' in error && String(error.syscall).startsWith('query')
  return isStoreUnavailable(error) || isOfNames || mayPass(error.cause)
}
