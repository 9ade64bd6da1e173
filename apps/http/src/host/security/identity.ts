import type { FastifyRequest } from 'fastify'
import type { Problem } from '../answers/problem.ts'
import { credentialsOf } from './bearer-token.ts'
import type { Caller } from './caller.ts'
import type { CallerIdentification } from './callers.ts'
import { InvalidTokenError, IssuerUnavailableError, issuerRetrySeconds } from './token-errors.ts'

/** The caller of a request, or the reason why it has none. */
type Identity = { readonly ok: true; readonly caller: Caller } | { readonly ok: false; readonly problem: Problem }

export type Identify = (request: FastifyRequest) => Promise<Identity>

/** Identifies the caller of a request by its token, which is verified unless it is cached. */
export const createIdentify =
  (callers: CallerIdentification): Identify =>
  async (request) => {
    const credentials = credentialsOf(request.raw)
    if (credentials.kind === 'none') return noToken
    if (credentials.kind === 'malformed') return malformedHeader
    const { token } = credentials
    try {
      return { ok: true, caller: callers.find(token) ?? (await callers.verify(token)) }
    } catch (error) {
      return unidentified(error)
    }
  }

function unidentified(error: unknown): Identity {
  if (error instanceof InvalidTokenError) return invalidToken(error.message)
  if (error instanceof IssuerUnavailableError) return issuerUnavailable
  throw error
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
