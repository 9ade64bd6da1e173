import type { FastifyRequest } from 'fastify'
import type { Problem } from '../answers/problem.ts'
import type { Caller, CallerIdentification } from './callers.ts'
import { InvalidTokenError, IssuerUnavailableError, issuerRetrySeconds } from './token-errors.ts'

/** The caller of a request, or the reason why it has none. */
type Identity = { readonly ok: true; readonly caller: Caller } | { readonly ok: false; readonly problem: Problem }

// RFC 6750, section 2.1. The scheme is case-insensitive (RFC 9110, section 11.1).
const bearer = /^bearer(?: +(.*))?$/i
const b64token = /^[\w.~+/-]+=*$/

/**
 * Identifies the caller of a request by `Authorization: Bearer <token>`. The token is verified unless it is cached. Other schemes count
 * as no token.
 */
export async function identify({ raw }: FastifyRequest, callers: CallerIdentification): Promise<Identity> {
  // Node's `headers` keeps only the first of several, but a proxy may have used another one.
  const [authorization, ...more] = raw.headersDistinct['authorization'] ?? []
  const match = bearer.exec(authorization ?? '')
  if (match === null && more.length === 0) return noToken
  const token = match?.[1] ?? ''
  if (more.length > 0 || !b64token.test(token)) return malformedHeader
  try {
    return { ok: true, caller: callers.find(token) ?? (await callers.verify(token)) }
  } catch (error) {
    if (error instanceof InvalidTokenError) return invalidToken(error.message)
    if (error instanceof IssuerUnavailableError) return issuerUnavailable
    throw error
  }
}

const unauthenticated = (reason: string, challenge: string): Identity => ({
  ok: false,
  problem: {
    code: 'unauthenticated',
    message: `${reason} Send a valid JSON Web Token in the header "Authorization: Bearer <token>".`,
    headers: { 'www-authenticate': challenge },
    reason,
  },
})

const invalidToken = (reason: string): Identity =>
  unauthenticated(reason, `Bearer error="invalid_token", error_description="${reason}"`)

const noToken = unauthenticated('The request has no token.', 'Bearer')
const malformedHeader = invalidToken('The request must have one Authorization header with one token.')

const issuerUnavailable: Identity = {
  ok: false,
  problem: {
    code: 'issuer-unavailable',
    message: "The keys of the token's issuer are not available. Nothing was changed; send the request again later.",
    headers: { 'retry-after': String(issuerRetrySeconds) },
  },
}
