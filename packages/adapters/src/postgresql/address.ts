import { Client } from 'pg'

/** What a connection string says, as far as it is shown to people, and what of it must never be. */
export type PostgresqlAddress = {
  /** Where the server and the database are; no credentials. */
  readonly description: string
  /** Every text that would give credentials away, as written and decoded. */
  readonly secrets: readonly string[]
}

// An `@` that is not percent-encoded may stand in one place only. Anywhere else it would be part of a password that was not
// encoded, of which the rest would pass for a host, and be shown as one.
const form = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?[^@/?#]*(?:\/[^@/?#]*)?(?:\?([^@#]*))?$/

const malformed =
  'the PostgreSQL URI must have the form postgresql://[user:password@]host[:port]/database[?options], ' +
  'with user, password and options percent-encoded'

/**
 * Reads a connection string; what it leaves out comes from the usual variables, such as `PGPASSWORD`.
 * @throws Error for a text of another form, and repeats nothing of it.
 */
export function parseAddress(uri: string): PostgresqlAddress {
  const match = form.exec(uri)
  if (match === null) throw new Error(malformed)
  const [, userinfo = '', query = ''] = match
  let secrets: readonly string[]
  try {
    secrets = [userinfo, userinfo.slice(userinfo.indexOf(':') + 1), ...querySecrets(query)].flatMap(writtenAndDecoded)
  } catch {
    throw new Error(malformed) // The URIError of a broken percent-encoding.
  }
  try {
    const { host, port, database } = new Client({ connectionString: uri })
    const place = host.startsWith('/') ? `${host}, port ${port}` : `${host}:${port}`
    return { description: `PostgreSQL at ${place}, database ${database}`, secrets }
  } catch (error) {
    throw new Error(error instanceof TypeError ? malformed : reasonOf(error, secrets)) // Such as a missing certificate.
  }
}

const querySecrets = (query: string): readonly string[] =>
  query.split('&').flatMap((option) => {
    const [name = '', ...value] = option.split('=')
    return /password/i.test(name) ? [value.join('=')] : []
  })

const writtenAndDecoded = (text: string): readonly string[] => (text === '' ? [] : [text, decodeURIComponent(text)])

/** The driver's or the server's reason for a failure, on one line, unless it repeats a secret. */
export function reasonOf(error: unknown, secrets: readonly string[]): string {
  const reason = error instanceof Error ? (error.message || error.name).replaceAll(/\s+/g, ' ') : String(error)
  if (secrets.some((secret) => reason.includes(secret))) return 'the reason is not shown, since it repeats credentials'
  return reason
}
