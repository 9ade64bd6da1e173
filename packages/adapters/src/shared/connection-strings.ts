// Secrets are in `password`, `tlsCertificateKeyFilePassword`, and in MongoDB's `authMechanismProperties` (a session
// token).
const secretOption = /password|authMechanismProperties/i

/**
 * The password and the secret options of a connection string, as written and decoded. A user name is no secret.
 * @throws URIError for a broken percent-encoding
 */
export function secretsOf(userinfo: string, query: string): readonly string[] {
  const options = query.split('&').flatMap((option) => {
    const [name = '', ...value] = option.split('=')
    return secretOption.test(name) ? [value.join('=')] : []
  })
  const [, ...password] = userinfo.split(':')
  const written = [password.join(':'), ...options].filter((text) => text !== '')
  return written.flatMap((text) => [text, decodeURIComponent(text)])
}

/** The driver's or the server's reason for a failure, on one line, unless it repeats a secret. */
export function reasonOf(error: unknown, secrets: readonly string[]): string {
  const reason = error instanceof Error ? (error.message || error.name).replaceAll(/\s+/g, ' ') : String(error)
  if (secrets.some((secret) => reason.includes(secret)))
    return 'the reason is not shown because it contains credentials'
  return reason
}
