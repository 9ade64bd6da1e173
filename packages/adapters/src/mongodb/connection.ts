import { createCallsInFlight } from '@auction/domain/closable'
import type { Collection, Db, Document, MongoClient } from 'mongodb'

/** The connection to the database, which replaces the driver's client if necessary. */
export type Connection = {
  collection<Stored extends Document>(name: string): Collection<Stored>
  database(): Db
  /** Waits until the first search for a server has ended, with or without success. */
  opened(): Promise<void>
  /** Records a response of the server. */
  noteReached(): void
  /** Records that the client knows no server. */
  noteUnreachable(): void
  /** Makes `close` wait for a call. */
  during<Value>(call: Promise<Value>): Promise<Value>
  /** Closes the client, which fails the calls in flight, and waits until they have ended. */
  close(): Promise<void>
}

export type ConnectionParts = {
  /** Creates a client, which need not be connected. */
  readonly open: () => MongoClient
  readonly databaseOf: (client: MongoClient) => Db
  /** How long a client may know no server before a new client replaces it. */
  readonly renewAfterMs: number
  readonly nowMs: () => number
}

/**
 * Replaces an unusable client. Clients of the driver (7.8) never find a recovered server again in two cases:
 * - A client whose first search for a server failed closes itself. The next operation creates another one.
 * - A heartbeat that starts at the moment in which its socket closes waits without a time limit for the socket to
 *   drain, and blocks the next heartbeat. So a client that knows no server for too long is replaced.
 *
 * A new client costs little, even during an outage.
 */
export function createConnection({ open, databaseOf, renewAfterMs, nowMs }: ConnectionParts): Connection {
  let current = openNext()
  let unreachableSinceMs: number | undefined
  let isClosed = false
  const { during, ended } = createCallsInFlight()

  function openNext() {
    const client = open()
    const searched = client.connect().then(
      () => undefined,
      () => {
        opened.isDead = true
      },
    )
    const opened = { client, database: databaseOf(client), isDead: false, searched }
    return opened
  }

  function renew(): void {
    const old = current
    current = openNext()
    unreachableSinceMs = undefined
    // Calls in flight on it fail, and are settled like other failures.
    old.client.close().catch(() => undefined)
  }

  function database(): Db {
    if (current.isDead && !isClosed) renew()
    return current.database
  }

  return {
    collection: (name) => database().collection(name),
    database,
    opened: () => current.searched,
    noteReached() {
      unreachableSinceMs = undefined
    },
    noteUnreachable() {
      unreachableSinceMs ??= nowMs()
      if (!isClosed && nowMs() - unreachableSinceMs >= renewAfterMs) renew()
    },
    during,
    async close() {
      isClosed = true
      await current.client.close()
      await ended()
    },
  }
}
