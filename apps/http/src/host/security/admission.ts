import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { type HostProblem, type Problem, sendProblem } from '../answers/problem.ts'
import type { CallerIdentification } from './callers.ts'
import { identify } from './identity.ts'
import type { RateLimits } from './rate-limit/rate-limit.ts'

/**
 * Creates the hook that decides whether a request may use a route: 401, then 403, then 429. A request with a valid token counts
 * for its caller, one without for its address, where 429 takes the place of 401. On a public route, a request without a token needs
 * none. It is an `onRequest` hook, so it decides before the body is read.
 */
export type Admission = (required: RequiredPermissions) => onRequestAsyncHookHandler

type RequiredPermissions = {
  readonly permission: string
  readonly isPublic: boolean
  /** Admits as `permission` does. */
  readonly alternative?: string | undefined
  /** Is required too. */
  readonly second?: string | undefined
}

export function createAdmission(
  callers: CallerIdentification,
  limits: Pick<RateLimits, 'callers' | 'anonymous' | 'publicReads'>,
  permissionValues: Readonly<Record<string, string | undefined>>,
): Admission {
  async function refusal(
    request: FastifyRequest,
    reply: FastifyReply,
    { permission, isPublic, alternative, second }: RequiredPermissions,
  ): Promise<Problem | undefined> {
    if (isPublic && request.headers.authorization === undefined) {
      request.caller = callers.anonymous
      return limits.publicReads(request, reply)
    }
    const identity = await identify(request, callers)
    if (!identity.ok) {
      const { problem } = identity
      // Without the issuer's keys, the token may be valid.
      return problem.code === 'unauthenticated' ? ((await limits.anonymous(request, reply)) ?? problem) : problem
    }
    request.caller = identity.caller
    const exceeded = await limits.callers(request, reply)
    const { permissions } = identity.caller
    const isAdmitted = permissions.has(permission) || (alternative !== undefined && permissions.has(alternative))
    const missing = isAdmitted ? second : permission
    if (missing === undefined || (isAdmitted && permissions.has(missing))) return exceeded
    // Before the 429, which would suggest that waiting helps.
    const scope = permissionValues[missing]
    return forbidden(scope, `This needs a token with the permission ${missing}, that is, ${scope}.`)
  }

  return (required) => async (request, reply) => {
    const problem = await refusal(request, reply, required)
    if (problem !== undefined) return sendProblem(reply, problem)
  }
}

/** A 403, with the scope that the operation requires (RFC 6750, section 3). */
function forbidden(scope: string | undefined, message: string): HostProblem {
  const parameter = scope === undefined ? '' : `, scope="${scope}"`
  return {
    code: 'forbidden',
    message,
    headers: { 'www-authenticate': `Bearer error="insufficient_scope"${parameter}` },
  }
}
