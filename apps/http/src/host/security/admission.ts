import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { type Problem, sendProblem } from '../answers/problem.ts'
import { forbidden } from './forbidden.ts'
import type { Identify } from './identity.ts'
import type { RateLimits } from './rate-limit/rate-limit.ts'

/**
 * Creates the hook that decides whether a request may use a route: 401, then 403, then 429. A request with a valid token counts
 * for its caller, one without for its address, where 429 takes the place of 401. It is an `onRequest` hook, so it decides before
 * the body is read.
 */
export type Admission = (permission: string) => onRequestAsyncHookHandler

export function createAdmission(
  identify: Identify,
  limits: Pick<RateLimits, 'callers' | 'anonymous'>,
  permissionValues: Readonly<Record<string, string | undefined>>,
): Admission {
  async function refusal(request: FastifyRequest, reply: FastifyReply, permission: string) {
    const identity = await identify(request)
    if (!identity.ok) return refusalOfAnonymous(request, reply, identity.problem)
    const { caller } = identity
    request.caller = caller
    const exceeded = await limits.callers(request, reply)
    // Before the 429, which would suggest that waiting helps.
    return caller.permissions.has(permission) ? exceeded : lacks(permission)
  }

  async function refusalOfAnonymous(request: FastifyRequest, reply: FastifyReply, problem: Problem): Promise<Problem> {
    // Without the issuer's keys, the token may be valid.
    if (problem.code !== 'unauthenticated') return problem
    return (await limits.anonymous(request, reply)) ?? problem
  }

  function lacks(permission: string): Problem {
    const scope = permissionValues[permission]
    return forbidden(scope, `This needs a token with the permission ${permission}, that is, ${scope}.`)
  }

  return (permission) => async (request, reply) => {
    const problem = await refusal(request, reply, permission)
    if (problem !== undefined) return sendProblem(reply, problem)
  }
}
