/** A token that is not valid. Its message is for people, and tells nothing of keys. */
export class InvalidTokenError extends Error {
  override readonly name = 'InvalidTokenError'
}

/** What is told of a token that is refused. A header quotes it, so it holds no quotation mark and no backslash. */
export const tokenFaults = {
  expired: 'The token has expired.',
  notYet: 'The token is not valid yet.',
  claims: 'The token is not of the expected issuer or for the expected audience.',
  signature: 'The token is not signed with a key and an algorithm that are accepted here.',
  malformed: 'The token is not a well-formed JSON Web Token.',
  subject: 'The token must name its subject by a text, or by an integer of at most 2^53 - 1.',
}
