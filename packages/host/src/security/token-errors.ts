/** A token that is not valid. Clients get its message, so it reveals nothing about keys. */
export class InvalidTokenError extends Error {
  override readonly name = 'InvalidTokenError'
}

/**
 * The reasons why a token is refused. A header quotes these texts, so they contain no quotation mark and no backslash.
 */
export const tokenMessages = {
  expired: 'The token has expired.',
  notYet: 'The token is not valid yet.',
  claims: 'The token has the wrong issuer or audience.',
  signature: 'The token is not signed with an accepted key and algorithm.',
  malformed: 'The token is not a well-formed JSON Web Token.',
  subject: 'The subject of the token must be a string, or an integer of at most 2^53 - 1.',
}

/** No current key set of the issuer is available. */
export class IssuerUnavailableError extends Error {
  override readonly name = 'IssuerUnavailableError'
}

/** The time between attempts to reach an issuer. */
export const issuerRetrySeconds = 5
