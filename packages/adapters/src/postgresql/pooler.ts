import type { ClientBase } from 'pg'
import { type Connection, sessionSettings } from './connection.ts'

/** A statement that a connection prepares at its first use, as all statements of the store. */
const probe = {
  name: 'auctions-probe',
  text: 'SELECT name, setting FROM pg_settings WHERE name = ANY($1::text[])',
}

/**
 * A pooler such as PgBouncer in transaction mode runs consecutive transactions of a connection in different sessions of the server.
 * Then each session needs the prepared statements and the settings of this service.
 * @throws Error with what is missing, and what would work
 */
export async function refusePooler({ withClient }: Connection, timeoutMs: number): Promise<void> {
  await withClient((client) =>
    withClient(async (other) => {
      await readSettings(client)
      // A pooler gives the session that is free to the next transaction, so the first connection gets another one.
      await other.query('BEGIN')
      try {
        refuseSettings(await readSettings(client), timeoutMs)
      } finally {
        await other.query('ROLLBACK')
      }
    }),
  )
}

async function readSettings(client: ClientBase): Promise<ReadonlyMap<string, string>> {
  const names = Object.keys(sessionSettings(0))
  const { rows } = await client.query({ ...probe, values: [names] }).catch((error: unknown) => {
    throw isOfOtherSession(error) ? new Error(lacksStatements) : error
  })
  return new Map(rows.map(({ name, setting }) => [name, setting]))
}

/** The codes of a prepared statement that does not exist, and of one that exists already. */
const isOfOtherSession = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '26000' || error.code === '42P05')

const lacksStatements =
  'a pooler between this program and the server runs statements in sessions that lack its prepared statements; ' +
  'use PgBouncer 1.21 or later with max_prepared_statements, or pool_mode = session'

/** @throws Error that names the settings that differ, and how to set them */
export function refuseSettings(actual: ReadonlyMap<string, string>, timeoutMs: number): void {
  const expected = Object.entries(sessionSettings(timeoutMs))
  const wrong = expected.filter(([name, value]) => actual.get(name) !== value)
  if (wrong.length === 0) return
  const assignments = wrong.map(([name, value]) => `${name} = '${value}'`).join(', ')
  throw new Error(
    'a pooler between this program and the server runs statements in sessions that lack its settings; ' +
      `use ALTER ROLE … SET for ${assignments}, or pool_mode = session`,
  )
}
