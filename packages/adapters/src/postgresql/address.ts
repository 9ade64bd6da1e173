import { Client } from 'pg'
import { reasonOf, secretsOf } from '../shared/connection-strings.ts'

/** The parts of a connection string that may be shown, and its secrets. */
type PostgresqlAddress = {
  /** The server and the database, without credentials. */
  readonly description: string
  /** Every text that contains credentials, as written and decoded. */
  readonly secrets: readonly string[]
}

// The form has only one unencoded `@`. A second one would be part of an unencoded password, and the rest of the
// password would be shown as a host.
const form = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?[^@/?#]*(?:\/[^@/?#]*)?(?:\?([^@#]*))?$/

const malformed =
  'the PostgreSQL URI must have the form postgresql://[user:password@]host[:port]/database[?options], ' +
  'with user, password and options percent-encoded'

/**
 * Reads a connection string. Missing parts come from the usual variables, such as `PGPASSWORD`.
 * @throws Error for a text of another form, without any part of it
 */
export function parseAddress(uri: string): PostgresqlAddress {
  const match = form.exec(uri)
  if (match === null) throw new Error(malformed)
  const [, userinfo = '', query = ''] = match
  let secrets: readonly string[]
  try {
    secrets = secretsOf(userinfo, query)
  } catch {
    throw new Error(malformed) // The URIError of a broken percent-encoding.
  }
  try {
    const { host, port, database } = new Client({ connectionString: uri })
    const server = host.startsWith('/') ? `${host}, port ${port}` : `${host}:${port}`
    return { description: `PostgreSQL at ${server}, database ${database}`, secrets }
  } catch (error) {
    // Other errors are, for example, about a missing certificate.
    throw new Error(error instanceof TypeError ? malformed : reasonOf(error, secrets))
  }
}
