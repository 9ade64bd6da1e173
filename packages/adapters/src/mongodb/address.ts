/** What a connection string says of the way to a database, and what of it must never be shown. */
export type MongoAddress = {
  /** As written: `host:port` one or more times, with commas between them. */
  readonly hosts: string
  readonly database: string
  /** Every text that would give credentials away, as written and decoded. */
  readonly secrets: readonly string[]
}

const defaultDatabase = 'auctions'

// An `@` that is not percent-encoded may stand in one place only. Anywhere else it would be part of a password that was not
// encoded, of which the rest would pass for a host, and be shown as one.
const form = /^mongodb(?:\+srv)?:\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^@?#]*))?(?:\?([^@#]*))?$/

/**
 * Reads a connection string as far as it is shown to people; what is right in it, the driver judges.
 * @throws Error for a text of another form, and repeats nothing of it.
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
  if (secrets.some((secret) => reason.includes(secret))) return 'the reason is not shown, since it repeats credentials'
  return reason
}
