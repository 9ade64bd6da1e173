import type { IncomingMessage } from 'node:http'
import { isRepeated } from '../requests/repeated-header.ts'

/** The credentials of a request. Schemes other than Bearer count as none. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'token'; readonly token: string }

const none: Credentials = { kind: 'none' }
const malformed: Credentials = { kind: 'malformed' }

// RFC 6750, section 2.1. The scheme is case-insensitive (RFC 9110, section 11.1).
const bearer = /^bearer(?: +(.*))?$/i
const b64token = /^[\w.~+/-]+=*$/

/** Reads `Authorization: Bearer <token>`. */
export function credentialsOf(message: IncomingMessage): Credentials {
  const { authorization } = message.headers
  if (authorization === undefined) return none
  if (isRepeated(message.rawHeaders, 'authorization')) return malformed
  const match = bearer.exec(authorization)
  if (match === null) return none
  const token = match[1] ?? ''
  return b64token.test(token) ? { kind: 'token', token } : malformed
}
