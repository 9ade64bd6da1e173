import { randomUUID } from 'node:crypto'
import { Client, type QueryResultRow } from 'pg'
import { afterAll } from 'vitest'
import { describeWith, provided } from './needs.ts'
import { type PostgresqlCluster, startCluster } from './postgresql-cluster.ts'

/** A separate database for a test or a suite: empty, with a unique name. */
export type OwnDatabase = {
  /** A connection string with the database in its path. */
  readonly uri: string
  readonly drop: () => Promise<unknown>
}

/**
 * A suite that needs PostgreSQL, with a database that is dropped after it. Without PostgreSQL its tests are skipped, and the run
 * reports that at its end.
 * @param body declares the tests; `database` returns the connection string, only in tests and hooks
 */
export function describePostgresql(name: string, body: (database: () => Promise<string>) => void): void {
  describeWith('postgresql', name, () => {
    let own: Promise<OwnDatabase> | undefined
    afterAll(async () => (await own)?.drop())
    body(async () => {
      own ??= ownPostgresql()
      return (await own).uri
    })
  })
}

/** For tests that each need a separate one; call it within `describePostgresql`. */
export async function ownPostgresql(): Promise<OwnDatabase> {
  const { uri } = provided('postgresql')
  const name = `auction-test-${randomUUID()}`
  await execute(uri, `CREATE DATABASE "${name}"`)
  const own = new URL(uri)
  own.pathname = name
  return { uri: own.href, drop: () => execute(uri, `DROP DATABASE "${name}" WITH (FORCE)`) }
}

/** Starts a server that a test may kill; undefined if its programs are not installed. */
export async function ownPostgresqlServer(): Promise<PostgresqlCluster | undefined> {
  const { programs } = provided('postgresql')
  return programs === undefined ? undefined : startCluster(programs)
}

/** Executes SQL on a separate connection, and returns the rows of a single statement. */
export async function execute(connectionString: string, sql: string): Promise<readonly QueryResultRow[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
