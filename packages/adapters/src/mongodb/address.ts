import { secretsOf } from '../shared/connection-strings.ts'

/** The parts of a connection string that may be shown, and its secrets. */
type MongoAddress = {
  /** One or more of `host:port` as written, separated by commas. */
  readonly hosts: string
  readonly database: string
  /** Every text that contains credentials, as written and decoded. */
  readonly secrets: readonly string[]
}

const defaultDatabase = 'auctions'

// The form has only one unencoded `@`. A second one would be part of an unencoded password, and the rest of the
// password would be shown as a host.
const form = /^mongodb(?:\+srv)?:\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^@?#]*))?(?:\?([^@#]*))?$/

/**
 * Reads the parts of a connection string that are shown to people. The driver validates it.
 * @throws Error for a text of another form, without any part of it
 */
export function parseAddress(uri: string): MongoAddress {
  const match = form.exec(uri)
  if (match === null) throw new Error(malformed)
  const [, userinfo = '', hosts = '', path = '', query = ''] = match
  try {
    const database = decodeURIComponent(path) || defaultDatabase
    return { hosts, database, secrets: secretsOf(userinfo, query) }
  } catch {
    throw new Error(malformed) // The URIError of a broken percent-encoding.
  }
}

const malformed =
  'the MongoDB URI must have the form mongodb://[user:password@]host[:port][/database][?options], ' +
  'with user, password and options percent-encoded'
