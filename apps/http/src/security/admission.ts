import type { Permission } from '@auction/domain/permissions'
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { type Problem, sendProblem } from '../answers/problem.ts'
import type { Configuration } from '../configuration/read-configuration.ts'
import { credentialsOf } from './bearer-token.ts'
import type { Caller, IdentifyCaller } from './callers.ts'
import { forbidden } from './forbidden.ts'
import { InvalidTokenError } from './invalid-token.ts'
import { IssuerUnavailableError } from './key-set/key-set.ts'
import type { CountRequest } from './rate-limit.ts'

/**
 * Makes the hook that decides whether a request may ask for what a route does: 401, then 403, then 429. Every request with a
 * valid token is counted. It is an `onRequest` hook, so it decides before anything of the body is read.
 */
export type Admission = (permission: Permission) => onRequestAsyncHookHandler

export function createAdmission(
  identifyCaller: IdentifyCaller,
  countRequest: CountRequest,
  permissionValues: Configuration['permissionValues'],
): Admission {
  return (permission) => {
    const scope = permissionValues[permission]
    return async (request, reply) => {
      const identity = identify(request, identifyCaller)
      // Nearly every caller is known already; waiting for nothing would cost each request a turn of the queue.
      const caller = identity instanceof Promise ? await identity : identity
      if ('code' in caller) return sendProblem(reply, caller)
      request.caller = caller
      const exceeded = await countRequest(request, reply)
      // Before the 429, which would promise that waiting helps.
      if (!caller.permissions.has(permission)) {
        const message = `This needs a token with the permission ${permission}, that is, ${scope}.`
        return sendProblem(reply, forbidden(scope, message))
      }
      if (exceeded !== undefined) return sendProblem(reply, exceeded)
    }
  }
}

type Identity = Caller | Problem

function identify(request: FastifyRequest, identifyCaller: IdentifyCaller): Identity | Promise<Identity> {
  const credentials = credentialsOf(request.raw)
  if (credentials.kind === 'none') return noToken
  if (credentials.kind === 'malformed') return badToken('There must be one header Authorization, with one token.')
  try {
    const caller = identifyCaller(credentials.token)
    return caller instanceof Promise ? caller.catch(tokenProblem) : caller
  } catch (error) {
    return tokenProblem(error)
  }
}

function tokenProblem(error: unknown): Problem {
  if (error instanceof InvalidTokenError) return badToken(error.message)
  if (error instanceof IssuerUnavailableError) return issuerUnavailable(error)
  throw error
}

const howToAuthenticate = 'Send a valid JSON Web Token in the header "Authorization: Bearer <token>".'

const noToken: Problem = {
  code: 'unauthenticated',
  message: `There is no token. ${howToAuthenticate}`,
  headers: { 'www-authenticate': 'Bearer' },
  reason: 'There is no token.',
}

const badToken = (reason: string): Problem => ({
  code: 'unauthenticated',
  message: `${reason} ${howToAuthenticate}`,
  headers: { 'www-authenticate': `Bearer error="invalid_token", error_description="${reason}"` },
  reason,
})

const issuerUnavailable = ({ retryAfterSeconds }: IssuerUnavailableError): Problem => ({
  code: 'issuer-unavailable',
  message: "The keys of the token's issuer can't be had; nothing was changed, and the request may be sent again.",
  headers: { 'retry-after': String(retryAfterSeconds) },
})
