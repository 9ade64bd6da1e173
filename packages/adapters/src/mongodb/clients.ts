import { isStoreUnavailable, StoreUnavailableError } from '@auction/domain/store-unavailable'
import { type Db, MongoClient, MongoNetworkError, MongoServerError, MongoServerSelectionError } from 'mongodb'
import { parseAddress, reasonOf } from './address.ts'
import { type Deployment, findDeployment } from './deployment.ts'
import { within } from './driver-call.ts'
import { clientOptions, databaseOptions } from './driver-options.ts'

/** When an operation is given up, unless something else is said. */
export const defaultTimeoutMs = 5_000

/** How clients to the database of a connection string are made. */
export type Clients = {
  /** `answerMs` is how long a server may take to answer, where that is not `timeoutMs`. */
  readonly openWith: (connections: number, answerMs?: number) => MongoClient
  readonly databaseOf: (client: MongoClient) => Db
  readonly description: string
}

/**
 * Does something with a database, for whose clients there is all that is needed.
 * @throws Error that says on one line which hosts can't be used and why, a StoreUnavailableError where that may pass; neither it nor
 *   anything in it holds credentials.
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
    // Without the cause: errors of the driver may hold the connection string, or parts of it.
    const message = `MongoDB at ${hosts} can't be used: ${reasonOf(error, secrets)}`
    throw mayPass(error) ? new StoreUnavailableError(message) : new Error(message)
  }
}

/** Connects, finds out what is there, and uses it. The client is closed then. */
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
    // Not before it is connected: a name that is resolved late would leave a connected client behind.
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

/** Whether what keeps a database from being used may pass by itself, as an outage does and a wrong password does not. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof MongoServerError) return passingCodes.includes(error.code)
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) return true
  // The driver does not export its class. A connection took too long to be made.
  if (error.name === 'MongoWaitQueueTimeoutError') return true
  // A name of mongodb+srv:// that is not known yet.
  const isOfNames = 'syscall' in error && String(error.syscall).startsWith('query')
  return isStoreUnavailable(error) || isOfNames || mayPass(error.cause)
}
