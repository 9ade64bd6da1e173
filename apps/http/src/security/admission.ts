import type { Permission } from '@auction/domain/permissions'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { type Problem, sendProblem } from '../answers/problem.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { after, type Eventually } from './eventually.ts'
import { forbidden } from './forbidden.ts'
import type { Identify, Identity } from './identity.ts'
import type { RateLimit } from './rate-limit/rate-limit.ts'

/**
 * Makes the hook that decides whether a request may ask for what a route does: 401, then 403, then 429. A request with a valid
 * token counts against its caller's limit, one without against its address's, where 429 takes the place of 401. It is an
 * `onRequest` hook, so it decides before anything of the body is read.
 */
export type Admission = (permission: Permission) => onRequestHookHandler

export function createAdmission(
  identify: Identify,
  rateLimit: RateLimit,
  permissionValues: Configuration['permissionValues'],
): Admission {
  function refusal(request: FastifyRequest, reply: FastifyReply, permission: Permission, identity: Identity) {
    if (!identity.ok) return refusalOfStranger(request, reply, identity.problem)
    const { caller } = identity
    request.caller = caller
    return after(rateLimit.count(request, reply), (exceeded) =>
      // Before the 429, which would promise that waiting helps.
      caller.permissions.has(permission) ? exceeded : lacks(permission),
    )
  }

  function refusalOfStranger(request: FastifyRequest, reply: FastifyReply, problem: Problem): Eventually<Problem> {
    // Where the keys can't be had, nobody knows whether the token is valid.
    if (problem.code !== 'unauthenticated') return problem
    return after(rateLimit.count(request, reply), (exceeded) => exceeded ?? problem)
  }

  function lacks(permission: Permission): Problem {
    const scope = permissionValues[permission]
    return forbidden(scope, `This needs a token with the permission ${permission}, that is, ${scope}.`)
  }

  return (permission) => (request, reply, done) => {
    const refused = after(identify(request), (identity) => refusal(request, reply, permission, identity))
    if (refused instanceof Promise) refused.then(decide, done)
    else decide(refused)

    function decide(problem: Problem | undefined): void {
      if (problem === undefined) done()
      else sendProblem(reply, problem)
    }
  }
}
