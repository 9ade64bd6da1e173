import { setImmediate } from 'node:timers/promises'
import { createCallsInFlight } from '@auction/domain/closable'
import { StoreUnavailableError } from '@auction/domain/errors'
import type { CallSignal } from '@auction/domain/store'
import { type ClientBase, Pool, type PoolClient, type QueryResult, type QueryResultRow, types } from 'pg'
import { reasonOf } from '../shared/connection-strings.ts'
import { isConflict } from './errors.ts'
import { schemaName } from './schema.ts'

export type Statement = {
  /** Completes "PostgreSQL could not …". */
  readonly what: string
  readonly text: string
  readonly values: readonly unknown[]
  readonly signal?: CallSignal | undefined
}

/** A pool of connections to the database, each with the settings of this service. */
export type Connection = {
  /** @throws StoreUnavailableError for every failure */
  query<Row extends QueryResultRow>(statement: Statement): Promise<QueryResult<Row>>
  /** Returns the rows, or undefined if a key is taken. @throws StoreUnavailableError like `query` */
  write<Row extends QueryResultRow>(statement: Statement): Promise<readonly Row[] | undefined>
  /** Runs `use` with one connection. @throws the errors of `use` and of the driver */
  withClient<Value>(use: (client: ClientBase) => Promise<Value>): Promise<Value>
  /** The number of connections that have failed. */
  failures(): number
  /** Makes `close` wait for a call. */
  during<Value>(call: Promise<Value>): Promise<Value>
  /** Closes all connections, which fails the calls in flight, and waits until they have ended. */
  close(): Promise<void>
}

export type ConnectionParts = {
  readonly uri: string
  readonly secrets: readonly string[]
  readonly timeoutMs: number
  readonly maxConnections: number
}

export function createConnection(parts: ConnectionParts): Connection {
  const { secrets } = parts
  let failed = 0
  const { pool, open } = createPool(parts, () => {
    failed += 1
  })
  const unavailable = (what: string, error: unknown) =>
    // The cause has only the text of the error: some errors of the server contain whole rows with secrets.
    new StoreUnavailableError(`PostgreSQL could not ${what}`, { cause: new Error(reasonOf(error, secrets)) })

  const names = new Map<string, string>()
  /** A connection caches each named statement with its plan. */
  function nameOf(text: string): string {
    const name = names.get(text) ?? `auctions-${names.size}`
    names.set(text, name)
    return name
  }

  async function withClient<Value>(use: (client: ClientBase) => Promise<Value>): Promise<Value> {
    const client = await pool.connect()
    try {
      const value = await use(client)
      client.release()
      return value
    } catch (error) {
      // A response may still arrive after any other error, or the connection may be unusable.
      client.release(!isConflict(error))
      throw error
    }
  }

  const { during, ended } = createCallsInFlight()
  async function run<Row extends QueryResultRow>({ text, values, signal }: Statement): Promise<QueryResult<Row>> {
    // An error here would close the connection.
    const result = await withClient(async (client) =>
      signal?.aborted ? undefined : client.query<Row>({ name: nameOf(text), text, values: [...values] }),
    )
    if (result === undefined) throw new Error('the caller stopped waiting before the statement was sent')
    return result
  }

  let closed: Promise<void> | undefined
  return {
    withClient,
    failures: () => failed,
    during,
    query: (statement) =>
      during(run<never>(statement).catch((error) => Promise.reject(unavailable(statement.what, error)))),
    async write(statement) {
      try {
        return (await run<never>(statement)).rows
      } catch (error) {
        if (isConflict(error)) return undefined
        throw unavailable(statement.what, error)
      }
    },
    async close() {
      // A pool that ends leaves calls that wait for a connection to their time limit. Those that can have one get it
      // first.
      await setImmediate()
      closed ??= pool.end()
      for (const client of open) client.end().catch(() => undefined)
      await closed
      await ended()
    },
  }
}

/** A pool, and its open connections. */
function createPool({ uri, timeoutMs, maxConnections }: ConnectionParts, onFailed: () => void) {
  const pool = new Pool({
    connectionString: uri,
    max: maxConnections,
    connectionTimeoutMillis: timeoutMs * 0.4,
    query_timeout: timeoutMs * 0.6,
    keepAlive: true,
    fallback_application_name: 'auction-service',
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format),
    },
    onConnect: (client: ClientBase) => prepareSession(client, timeoutMs),
  })
  const open = new Set<PoolClient>()
  // These listeners keep the process alive when a connection breaks. The driver also reports the error to the
  // connection's user.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => open.add(client.on('error', onFailed)))
  pool.on('remove', (client) => open.delete(client))
  return { pool, open }
}

/**
 * Settings that correctness and speed depend on. They override those of the server, the role and the connection string.
 * The planner without statistics would sort all auctions of an owner for one page, although an index has the order.
 * With these settings it always uses an index if one exists; compilation of a plan with another method is never worth
 * its cost. A generic plan is made once; otherwise it would be made for each array of another length.
 */
export const sessionSettings = (timeoutMs: number) => ({
  search_path: schemaName,
  synchronous_commit: 'on',
  default_transaction_isolation: 'read committed',
  // The server's time-out is shorter than the client's, after which the outcome would be unknown.
  statement_timeout: String(Math.ceil(timeoutMs * 0.5)),
  enable_seqscan: 'off',
  enable_sort: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
})

export async function prepareSession(client: ClientBase, timeoutMs: number): Promise<void> {
  await client.query(
    Object.entries(sessionSettings(timeoutMs))
      .map(([name, value]) => `SET ${name} = '${value}'`)
      .join(';'),
  )
  const { rows } = await client.query('SELECT pg_is_in_recovery() AS "isStandby"')
  // A standby may lag, but reads must return every acknowledged write.
  if (rows[0]?.isStandby !== false) throw new StoreUnavailableError('the server is a standby')
}
