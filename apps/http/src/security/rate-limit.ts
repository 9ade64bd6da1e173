import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../answers/problem.ts'
import type { Configuration } from '../configuration/read-configuration.ts'
import { callerOf } from './request-caller.ts'

/** Counts a request against its caller's limit, sets the headers that tell of it, and returns the 429 if it is exceeded. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<Problem | undefined>

// How many callers are counted at once, the most recent ones.
const maxCallers = 100_000

/**
 * One limit for each caller over all routes. The headers are those of draft-ietf-httpapi-ratelimit-headers-10; the plugin
 * counts, but would write the names of older drafts.
 */
export async function createRateLimiter(
  app: FastifyInstance,
  limit: Configuration['rateLimit'],
): Promise<CountRequest> {
  const { max, windowSeconds } = limit
  await app.register(rateLimit, {
    global: false,
    max,
    timeWindow: windowSeconds * 1000,
    cache: maxCallers,
    keyGenerator: (request) => callerOf(request).key,
  })
  const count = app.createRateLimit()
  const policy = `"default";q=${max};w=${windowSeconds}`

  return async (request, reply) => {
    const counted = await count(request)
    // Only an allow list makes the plugin answer without a count, and there is none.
    if (counted.isAllowed) return undefined
    const { remaining, ttlInSeconds, isExceeded } = counted
    reply.header('ratelimit-policy', policy).header('ratelimit', `"default";r=${remaining};t=${ttlInSeconds}`)
    if (!isExceeded) return undefined
    return {
      code: 'rate-limited',
      message: `More than ${max} requests in ${windowSeconds} s; there will be room again in ${ttlInSeconds} s.`,
      headers: { 'retry-after': String(ttlInSeconds) },
    }
  }
}
