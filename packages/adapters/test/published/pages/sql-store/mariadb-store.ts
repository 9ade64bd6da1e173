import { createSqlStore, join, type Sql, sql, sqlTypes, tableStatements } from '@auction/adapters/sql'
import { closable } from '@auction/domain/closable'
import { createPool, type PoolConnection, SqlError } from 'mariadb'

/** The version of the tables. Rows have other versions. */
const format = 1

/** A duplicate key and a deadlock: both undo the transaction. After any other error, the connection is destroyed. */
const isConflict = (error: unknown) => error instanceof SqlError && [1062, 1213].includes(error.errno)

const run = (connection: PoolConnection, { texts, values }: Sql) => connection.query(texts.join('?'), [...values])

/** One message, which saves round trips. */
const together = ([first, ...others]: readonly [Sql, ...Sql[]]) =>
  others.length === 0 ? first : sql`BEGIN NOT ATOMIC START TRANSACTION; ${join([first, ...others], '; ')}; COMMIT; END`

const poolOf = ({ hostname, port, username, password, pathname }: URL, timeoutMs: number, maxConnections: number) =>
  createPool({
    host: hostname,
    port: Number(port || 3306),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    connectionLimit: maxConnections,
    acquireTimeout: timeoutMs * 0.4,
    connectTimeout: timeoutMs * 0.4,
    socketTimeout: timeoutMs * 0.6,
    bigIntAsNumber: true,
    sessionVariables: {
      tx_isolation: 'READ-COMMITTED',
      innodb_lock_wait_timeout: 1,
      max_statement_time: timeoutMs / 2_000,
      sql_mode: 'STRICT_ALL_TABLES',
    },
  })

/** Connects to a database of MariaDB 10.6 or later, and creates missing tables. */
export async function connectMariadbStore(uri: string, { timeoutMs = 3_500, maxConnections = 20 } = {}) {
  const pool = poolOf(new URL(uri), timeoutMs, maxConnections)

  async function withConnection<Value>(use: (connection: PoolConnection) => Promise<Value>) {
    const connection = await pool.getConnection()
    try {
      const value = await use(connection)
      await connection.release()
      return value
    } catch (error) {
      connection.destroy() // Its response may still arrive, or its transaction be open.
      throw error
    }
  }

  async function prepare(connection: PoolConnection) {
    const [server] = await connection.query(
      'SELECT @@innodb_flush_log_at_trx_commit AS flush, @@log_bin AS log, @@sync_binlog AS sync, @@read_only AS replica',
    )
    if (server.flush !== 1 || (server.log === 1 && server.sync !== 1)) throw new Error('commits are not durable')
    if (server.replica === 1) throw new Error('the server is read-only, as a replica is, which may lag')
    await connection.query('CREATE TABLE IF NOT EXISTS format (id INT PRIMARY KEY, version INT NOT NULL)')
    // It locks one row for itself. Two starts that both read the missing row before they insert it would deadlock.
    await connection.query('INSERT INTO format VALUES (1, ?) ON DUPLICATE KEY UPDATE version = version', [format])
    const [{ version }] = await connection.query('SELECT version FROM format')
    if (version !== format) throw new Error(`the tables have format ${version}, and this program has ${format}`)
    for (const statement of tableStatements(sqlTypes.mariadb)) await connection.query(statement)
  }

  const store = createSqlStore({
    name: 'MariaDB',

    query: ({ sql, signal }) =>
      withConnection((connection) => {
        if (signal?.aborted) throw new Error('the caller stopped waiting')
        return run(connection, sql)
      }),

    tryWrite: ({ statements }) =>
      withConnection(async (connection) => {
        try {
          await run(connection, together(statements))
          return true
        } catch (error) {
          if (!isConflict(error)) throw error
          await connection.rollback()
          return false
        }
      }),
  })

  try {
    await withConnection(prepare)
  } catch (error) {
    await pool.end()
    throw error
  }
  return closable(() => pool.end(), store)
}
