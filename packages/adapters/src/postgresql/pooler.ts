import { randomUUID } from 'node:crypto'
import type { ClientBase } from 'pg'
import { type Connection, sessionSettings } from './connection.ts'

/**
 * A pooler such as PgBouncer in transaction mode runs consecutive transactions of a connection in different sessions of the server.
 * Then each session needs the prepared statements and the settings of this service, whatever earlier starts left in it.
 * @throws Error with what is missing, and what would work
 */
export async function refusePooler({ withClient }: Pick<Connection, 'withClient'>, timeoutMs: number): Promise<void> {
  await withClient((client) =>
    withClient(async (other) => {
      // No session has a statement of this name, which the connection prepares at its first use as all statements of the store.
      const name = `auctions-probe-${randomUUID()}`
      const first = await readSession(client, name)
      // A pooler gives the session that is free to the next transaction, so the first connection gets another one.
      await other.query('BEGIN')
      try {
        const { id, settings } = await readSession(client, name)
        if (id !== first.id) refuseSettings(settings, timeoutMs)
      } finally {
        await other.query('ROLLBACK')
      }
    }),
  )
}

async function readSession(client: ClientBase, name: string) {
  // The values after a reset are those that a new session has too; the others may be left by an earlier start.
  const text =
    'SELECT pg_backend_pid() AS id, json_object_agg(name, reset_val) AS settings FROM pg_settings WHERE name = ANY($1::text[])'
  const values = [Object.keys(sessionSettings(0))]
  const { rows } = await client.query({ name, text, values }).catch((error: unknown) => {
    throw isOfOtherSession(error) ? new Error(lacksStatements) : error
  })
  return rows[0] as { readonly id: number; readonly settings: Settings }
}

type Settings = Readonly<Record<string, string>>

/** Whether the error has the code of a prepared statement that does not exist. */
const isOfOtherSession = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '26000'

const lacksStatements =
  'a pooler between this program and the server runs statements in sessions that lack its prepared statements; ' +
  'use PgBouncer 1.21 or later with max_prepared_statements, or pool_mode = session'

/** @throws Error that names the settings that differ, and how to set them */
function refuseSettings(actual: Settings, timeoutMs: number): void {
  const expected = Object.entries(sessionSettings(timeoutMs))
  const wrong = expected.filter(([name, value]) => actual[name] !== value)
  if (wrong.length === 0) return
  const assignments = wrong.map(([name, value]) => `${name} = '${value}'`).join(', ')
  throw new Error(
    'a pooler between this program and the server runs statements in sessions that lack its settings; ' +
      `use ALTER ROLE … SET for ${assignments}, or pool_mode = session`,
  )
}
