/** The parts of a connection string that may be shown, and its secrets. */
export type MongoAddress = {
  /** As written: one or more of `host:port`, separated by commas. */
  readonly hosts: string
  readonly database: string
  /** Every text that contains credentials, as written and decoded. */
  readonly secrets: readonly string[]
}

const defaultDatabase = 'auctions'

// Only one unencoded `@` is valid. A second one would be part of an unencoded password, and the rest of the password would be
// shown as a host.
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
    return { hosts, database, secrets: [...userinfoSecrets(userinfo), ...querySecrets(query)] }
  } catch {
    throw new Error(malformed) // The URIError of a broken percent-encoding.
  }
}

const malformed =
  'the MongoDB URI must have the form mongodb://[user:password@]host[:port][/database][?options], ' +
  'with user, password and options percent-encoded'

function userinfoSecrets(userinfo: string): readonly string[] {
  const colon = userinfo.indexOf(':')
  // A user name without a password may be a token.
  return [userinfo, userinfo.slice(colon + 1)].flatMap(writtenAndDecoded)
}

// Such as `tlsCertificateKeyFilePassword`, or the session token among `authMechanismProperties`.
const secretOption = /password|authMechanismProperties/i

const querySecrets = (query: string): readonly string[] =>
  query.split('&').flatMap((option) => {
    const [name = '', ...value] = option.split('=')
    return secretOption.test(name) ? writtenAndDecoded(value.join('=')) : []
  })

const writtenAndDecoded = (text: string): readonly string[] => (text === '' ? [] : [text, decodeURIComponent(text)])

/** The driver's reason for a failure, on one line, unless it repeats a secret. */
export function reasonOf(error: unknown, secrets: readonly string[]): string {
  const reason = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error)
  if (secrets.some((secret) => reason.includes(secret)))
    return 'the reason is not shown because it contains credentials'
  return reason
}
