import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Problem } from '../../answers/problem.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import type { Eventually } from '../eventually.ts'
import { type Budget, createBudget } from './budget.ts'
import { clientAddress } from './client-address.ts'
import { createVerificationTurns } from './verification-turns.ts'

export type RateLimit = {
  /**
   * Counts a request for its caller, or for its address if it has none, tells of it in the answer's headers, and returns the 429 if
   * it is one too many. That is known at once, unless servers share their counts.
   */
  count(request: FastifyRequest, reply: FastifyReply): Eventually<Problem | undefined>
  /**
   * Whether a token that was never seen may be verified. From an address that has used up what it may send without a valid token, it
   * has to wait for its turn, if it gets one.
   */
  mayVerify(request: FastifyRequest): Eventually<boolean>
}

/** One limit for each caller over all routes, and one for each address from which come requests without a valid token. */
export async function createRateLimit(
  app: FastifyInstance,
  { max, anonymousMax, windowSeconds, redisUrl }: Configuration['rateLimit'],
  logger: Logger,
): Promise<RateLimit> {
  const callers = createBudget({
    name: 'default',
    max,
    windowSeconds,
    // A hash: a subject may be long.
    keyOf: ({ caller }) => caller?.storedAs ?? '',
    limit: `More than ${max} requests`,
  })
  const addresses = createBudget({
    name: 'anonymous',
    max: anonymousMax,
    windowSeconds,
    keyOf: clientAddress,
    limit: `More than ${anonymousMax} requests without a valid token from this address`,
  })
  const budgetOf = ({ caller }: FastifyRequest): Budget => (caller === undefined ? addresses : callers)
  const nextTurn = createVerificationTurns()

  function mayVerify(request: FastifyRequest): Eventually<boolean> {
    const address = clientAddress(request)
    return addresses.isUsedUp(address) ? nextTurn(address, request.socket) : true
  }

  if (redisUrl === undefined) {
    const count: RateLimit['count'] = (request, reply) => {
      const budget = budgetOf(request)
      return budget.spend(budget.keyOf(request), reply)
    }
    return { count, mayVerify }
  }

  // Nothing of it is loaded where it is not used.
  const { openSharedCounts } = await import('./shared-counts.ts')
  const shared = await openSharedCounts(app, { url: redisUrl, windowSeconds, budgetOf, logger })
  return {
    mayVerify,
    async count(request, reply) {
      const budget = budgetOf(request)
      const key = budget.keyOf(request)
      // What is used up stays so until the window ends, so a flood asks Redis nothing.
      const counted = budget.isUsedUp(key) ? undefined : await shared.count(request)
      if (counted === undefined) return budget.spend(key, reply)
      // Known here as well, for the time that Redis can't be had.
      return budget.follow(key, counted.requests, counted.endsInMs, reply)
    },
  }
}
