import type { Collection, Db, Document, MongoClient } from 'mongodb'

/** The way to the database, which outlives the driver's client. */
export type Connection = {
  collection<Stored extends Document>(name: string): Collection<Stored>
  database(): Db
  /** Waits until the first search for a server has ended, whatever it has found. */
  opened(): Promise<void>
  /** Is told that the server has answered. */
  noteReached(): void
  /** Is told that the client knows of no server to ask. */
  noteUnreachable(): void
  /** Lets `close` wait for a call that is under way. */
  during<Value>(call: Promise<Value>): Promise<Value>
  /** Closes the client, which fails what is under way, and waits for all of that to end. */
  close(): Promise<void>
}

export type ConnectionParts = {
  /** Makes a client, which need not be connected. */
  readonly open: () => MongoClient
  readonly databaseOf: (client: MongoClient) => Db
  /** How long a client may know of no server before another takes its place. */
  readonly renewAfterMs: number
  readonly nowMs: () => number
}

/**
 * Replaces a client that is of no use any more. Two kinds of the driver's clients (7.8) never find their server again, even when
 * it is back:
 * - One whose first search for a server failed has closed itself. The next operation takes another one.
 * - One that was connected may wait for ever: a heartbeat that begins in the very moment in which its socket is closed waits for
 *   that socket to drain, without a time limit, and no other begins before it has ended. So a client that knows of no server
 *   for too long is replaced.
 *
 * A new client costs little, also while the server really is away.
 */
export function createConnection({ open, databaseOf, renewAfterMs, nowMs }: ConnectionParts): Connection {
  let current = openNext()
  let unreachableSinceMs: number | undefined
  let isClosed = false
  const underWay = new Set<Promise<unknown>>()

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
    // What is still under way on it fails, and is settled as after any failure.
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
    during(call) {
      const ended: Promise<unknown> = call.catch(() => undefined).finally(() => underWay.delete(ended))
      underWay.add(ended)
      return call
    },
    async close() {
      isClosed = true
      await current.client.close()
      await Promise.all(underWay)
    },
  }
}
