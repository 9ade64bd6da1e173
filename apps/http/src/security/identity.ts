import type { FastifyRequest } from 'fastify'
import type { Problem } from '../answers/problem.ts'
import { credentialsOf } from './bearer-token.ts'
import type { Caller, CallerIdentification } from './callers.ts'
import { after, type Eventually } from './eventually.ts'
import { InvalidTokenError } from './invalid-token.ts'
import { IssuerUnavailableError } from './issuer-unavailable.ts'
import type { RateLimit } from './rate-limit/rate-limit.ts'

/** Whose request it is, or why nobody knows. */
export type Identity =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly problem: Problem }

export type Identify = (request: FastifyRequest) => Eventually<Identity>

/** Tells whose request it is by its token, which is verified unless it is known or its address has guessed too much. */
export function createIdentify(callers: CallerIdentification, rateLimit: RateLimit): Identify {
  function verify(token: string): Eventually<Identity> {
    try {
      const caller = callers.verify(token)
      return caller instanceof Promise ? caller.then(identified, unidentified) : identified(caller)
    } catch (error) {
      return unidentified(error)
    }
  }

  return (request) => {
    const credentials = credentialsOf(request.raw)
    if (credentials.kind === 'none') return noToken
    if (credentials.kind === 'malformed') return badToken('There must be one header Authorization, with one token.')
    const { token } = credentials
    const known = callers.find(token)
    if (known !== undefined) return identified(known)
    return after(rateLimit.mayVerify(request), (mayVerify) => (mayVerify ? verify(token) : notVerified))
  }
}

const identified = (caller: Caller): Identity => ({ ok: true, caller })

function unidentified(error: unknown): Identity {
  if (error instanceof InvalidTokenError) return badToken(error.message)
  if (error instanceof IssuerUnavailableError) return { ok: false, problem: issuerUnavailable(error) }
  throw error
}

const howToAuthenticate = 'Send a valid JSON Web Token in the header "Authorization: Bearer <token>".'

const noToken: Identity = {
  ok: false,
  problem: {
    code: 'unauthenticated',
    message: `There is no token. ${howToAuthenticate}`,
    headers: { 'www-authenticate': 'Bearer' },
    reason: 'There is no token.',
  },
}

const badToken = (reason: string): Identity => ({
  ok: false,
  problem: {
    code: 'unauthenticated',
    message: `${reason} ${howToAuthenticate}`,
    headers: { 'www-authenticate': `Bearer error="invalid_token", error_description="${reason}"` },
    reason,
  },
})

const notVerified = badToken('Too many tokens from this address are not valid, so this one was not looked at.')

const issuerUnavailable = ({ retryAfterSeconds }: IssuerUnavailableError): Problem => ({
  code: 'issuer-unavailable',
  message: "The keys of the token's issuer can't be had; nothing was changed, and the request may be sent again.",
  headers: { 'retry-after': String(retryAfterSeconds) },
})
