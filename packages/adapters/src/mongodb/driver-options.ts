import { type DbOptions, type MongoClientOptions, ReadConcern, ReadConcernLevel } from 'mongodb'

/** How long the driver looks for a server before it says that there is none. */
export const serverSelectionMs = (timeoutMs: number): number => timeoutMs * 0.4

/**
 * The connections, and how long each step of an operation may take: finding the server, getting a connection, and waiting for
 * its answer. `retryReads` and `retryWrites` stay as the connection string has them, on unless it says otherwise (Amazon
 * DocumentDB needs them off): on a replica set the driver then sends a write once more when a primary steps down, and the
 * server knows what it has done already. Nothing rests on it, as ids and unique keys make every write safe to repeat.
 */
export const clientOptions = (timeoutMs: number, maxConnections: number): MongoClientOptions => ({
  appName: 'auction-service',
  maxPoolSize: maxConnections,
  serverSelectionTimeoutMS: serverSelectionMs(timeoutMs),
  waitQueueTimeoutMS: timeoutMs * 0.4,
  connectTimeoutMS: timeoutMs * 0.4,
  socketTimeoutMS: timeoutMs,
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
