import { type DbOptions, type MongoClientOptions, ReadConcern, ReadConcernLevel } from 'mongodb'

/** How long the driver looks for a server before it fails. */
export const serverSelectionMs = (timeoutMs: number): number => timeoutMs * 0.4

/**
 * The connections, and the time limits of the steps of an operation: finding the server, getting a connection, and waiting for
 * its answer. These options override the connection string.
 *
 * The driver repeats no write. On servers that announce sessions but do not recognize a retry (some gateways of other databases),
 * a retry would find its own document and report a taken key. The domain settles a write with a lost answer by the ids that it
 * assigned before. The driver repeats a read once, which is safe and avoids an error when a primary steps down.
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
 * Options of the database, which override weaker ones of the connection string. The server acknowledges a write when a majority
 * has it in its journals, and a read returns only such writes, so that a new primary has everything that was acknowledged.
 * A standalone server accepts them, too, and is its own majority.
 */
export const databaseOptions = (timeoutMs: number): DbOptions => ({
  readPreference: 'primary',
  readConcern: new ReadConcern(ReadConcernLevel.majority),
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: timeoutMs * 0.8 },
})
