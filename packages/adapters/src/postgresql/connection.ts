import type { CallSignal } from '@auction/domain/store'
import { StoreUnavailableError } from '@auction/domain/store-unavailable'
import { type ClientBase, Pool, type PoolClient, type QueryResult, type QueryResultRow, types } from 'pg'
import { reasonOf } from './address.ts'
import { isConflict } from './failures.ts'
import { schemaName } from './schema.ts'

export type Statement = {
  /** Completes "PostgreSQL could not …". */
  readonly what: string
  readonly text: string
  readonly values: readonly unknown[]
  readonly signal?: CallSignal | undefined
}

/** The way to the database: a pool of connections, each with the settings of this service. */
export type Connection = {
  /** @throws StoreUnavailableError whatever goes wrong */
  query<Row extends QueryResultRow>(statement: Statement): Promise<QueryResult<Row>>
  /** Returns whether it was done; not, when a key is taken. @throws StoreUnavailableError as `query` */
  write(statement: Statement): Promise<boolean>
  /** Does something with one connection. @throws what `use` does, or the driver */
  withClient<Value>(use: (client: ClientBase) => Promise<Value>): Promise<Value>
  /** Lets `close` wait for a call that is under way. */
  during<Value>(call: Promise<Value>): Promise<Value>
  /** Closes all connections, which fails what is under way, and waits for all of that to end. */
  close(): Promise<void>
}

export type ConnectionParts = {
  readonly uri: string
  readonly secrets: readonly string[]
  readonly timeoutMs: number
  readonly maxConnections: number
}

export function createConnection({ uri, secrets, timeoutMs, maxConnections }: ConnectionParts): Connection {
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
  // A connection that breaks would end the process if nobody listened. Who uses it hears of it from the driver, too.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => open.add(client.on('error', () => undefined)))
  pool.on('remove', (client) => open.delete(client))

  const unavailable = (what: string, error: unknown) =>
    // With the text of its cause alone: the server repeats whole rows in some errors, and secrets with them.
    new StoreUnavailableError(`PostgreSQL could not ${what}`, { cause: new Error(reasonOf(error, secrets)) })

  const names = new Map<string, string>()
  /** Under its name, a connection remembers the statement, and its plan. */
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
      client.release(!isConflict(error)) // Any other error may leave an answer on its way, or the connection useless.
      throw error
    }
  }

  const underWay = new Set<Promise<unknown>>()
  function during<Value>(call: Promise<Value>): Promise<Value> {
    const ended: Promise<unknown> = call.catch(() => undefined).finally(() => underWay.delete(ended))
    underWay.add(ended)
    return call
  }

  const run = <Row extends QueryResultRow>({ text, values, signal }: Statement): Promise<QueryResult<Row>> =>
    withClient((client) => {
      if (signal?.aborted) throw new Error('the caller stopped waiting before it was asked')
      return client.query<Row>({ name: nameOf(text), text, values: [...values] })
    })

  let ended: Promise<void> | undefined
  return {
    withClient,
    during,
    query: (statement) =>
      during(run<never>(statement).catch((error) => Promise.reject(unavailable(statement.what, error)))),
    async write(statement) {
      try {
        await run(statement)
        return true
      } catch (error) {
        if (isConflict(error)) return false
        throw unavailable(statement.what, error)
      }
    },
    async close() {
      ended ??= pool.end()
      for (const client of open) client.end().catch(() => undefined)
      await ended
      await Promise.all(underWay)
    },
  }
}

/**
 * Settings that correctness and speed rest on, whatever the server, the role or the connection string say.
 * Without statistics, the planner would sort all auctions of an owner for a page of them, where an index has them in order. It takes
 * another way than an index only where there is none; to compile that, because of its price, never pays.
 */
async function prepareSession(client: ClientBase, timeoutMs: number): Promise<void> {
  const settings = {
    search_path: schemaName,
    synchronous_commit: 'on',
    default_transaction_isolation: "'read committed'",
    statement_timeout: Math.ceil(timeoutMs * 0.5), // A little before the client gives up, which could not know the outcome then.
    enable_seqscan: 'off',
    enable_sort: 'off',
    jit: 'off',
  }
  await client.query(
    Object.entries(settings)
      .map(([name, value]) => `SET ${name} = ${value}`)
      .join(';'),
  )
  const { rows } = await client.query('SELECT pg_is_in_recovery() AS "isStandby"')
  // It may be behind, and what is read has to show every write that was answered.
  if (rows[0]?.isStandby !== false) throw new StoreUnavailableError('the server is a standby')
}
