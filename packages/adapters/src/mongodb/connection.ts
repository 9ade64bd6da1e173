import type { Collection, Db, Document, MongoClient } from 'mongodb'

/** The way to the database, which outlives the driver's client. */
export type Connection = {
  collection<Stored extends Document>(name: string): Collection<Stored>
  database(): Db
  /** Is told that the server has answered. */
  answered(): void
  /** Is told that the client knows of no server to ask. */
  unreachable(): void
  close(): Promise<void>
}

export type ConnectionParts = {
  /** Makes a client, which connects by itself when it is first used. */
  readonly open: () => MongoClient
  readonly databaseOf: (client: MongoClient) => Db
  /** How long a client may know of no server before another takes its place. */
  readonly renewAfterMs: number
  readonly nowMs: () => number
}

/**
 * Replaces a client that knows of no server for too long. The driver's client (7.8) may never find its server again: a
 * heartbeat that begins in the very moment in which its socket is closed waits for that socket to drain, without a time
 * limit, and no other begins before it has ended. A new client costs little, also while the server really is away.
 */
export function renewedConnection(
  { open, databaseOf, renewAfterMs, nowMs }: ConnectionParts,
  first = open(),
): Connection {
  let client = first
  let database = databaseOf(client)
  let unreachableSinceMs: number | undefined
  let isClosed = false

  function renew(): void {
    const old = client
    client = open()
    database = databaseOf(client)
    unreachableSinceMs = undefined
    // What is still under way on it fails, and is settled as after any failure.
    old.close().catch(() => undefined)
  }

  return {
    collection: (name) => database.collection(name),
    database: () => database,
    answered() {
      unreachableSinceMs = undefined
    },
    unreachable() {
      unreachableSinceMs ??= nowMs()
      if (!isClosed && nowMs() - unreachableSinceMs >= renewAfterMs) renew()
    },
    close() {
      isClosed = true
      return client.close()
    },
  }
}
