import { type DbOptions, type MongoClientOptions, ReadConcern, ReadConcernLevel } from 'mongodb'

/** How long the driver looks for a server before it says that there is none. */
export const serverSelectionMs = (timeoutMs: number): number => timeoutMs * 0.4

/**
 * The connections, and how long each step of an operation may take: finding the server, getting a connection, and waiting for
 * its answer. Options given here win over the connection string.
 *
 * The driver repeats no write. A server that announces sessions and does not tell a retry from a first try (gateways of other
 * databases do that) would let it find its own document, and call that a taken key. A write whose answer is lost is the
 * domain's to settle, by the ids that it has taken before. Repeating a read changes nothing, and spares clients an error when
 * a primary steps down: the driver does it once.
 */
export const clientOptions = (timeoutMs: number, maxConnections: number, answerMs = timeoutMs): MongoClientOptions => ({
  appName: 'auction-service',
  maxPoolSize: maxConnections,
  serverSelectionTimeoutMS: serverSelectionMs(timeoutMs),
  waitQueueTimeoutMS: timeoutMs * 0.4,
  connectTimeoutMS: timeoutMs * 0.4,
  socketTimeoutMS: answerMs,
  retryWrites: false,
  retryReads: true,
})

/**
 * Given to the database, where they win over a connection string that asks for less: a write is answered when a majority has
 * it in its journals, and a read sees only such writes, so that nothing is ever answered that a new primary may not know.
 * A standalone server takes them too, and is its own majority.
 */
export const databaseOptions = (timeoutMs: number): DbOptions => ({
  readPreference: 'primary',
  readConcern: new ReadConcern(ReadConcernLevel.majority),
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: timeoutMs * 0.8 },
})
