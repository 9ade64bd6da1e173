import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Configuration } from '../../../configuration/configuration.ts'
import type { Problem } from '../../answers/problem.ts'
import { clientAddress } from './client-address.ts'
import { createCounter } from './counter.ts'
import type { CreateSharedCounter } from './shared-counters.ts'

/** Counts a request, sets the headers of its limit, and returns the 429 if the limit is exceeded. */
export type RateLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<Problem | undefined>

export type RateLimits = {
  /** Per caller: requests with a valid token, over all operations. */
  readonly callers: RateLimit
  /** Per address: requests without a valid token. */
  readonly anonymous: RateLimit
  /** Per address: reads for which no token is needed, and none is sent. */
  readonly publicReads: RateLimit
  /** Per address: the documents that need no token. */
  readonly documents: RateLimit
}

type Limit = {
  /** The name of the policy in the headers. */
  readonly name: string
  readonly max: number
  readonly keyOf: (request: FastifyRequest) => string
  /** The first part of the message of a 429. */
  readonly exceeded: string
}

export async function createRateLimits(
  app: FastifyInstance,
  { max, anonymousMax, windowSeconds, redisUrl }: Configuration['rateLimit'],
  logger: Logger,
): Promise<RateLimits> {
  const shared = redisUrl && (await (await import('./shared-counters.ts')).connectSharedCounters(app, redisUrl, logger))
  return {
    callers: await createRateLimit(app, windowSeconds, shared, {
      name: 'default',
      max,
      // A hash: a subject may be long.
      keyOf: ({ caller }) => caller?.storedAs ?? '',
      exceeded: `More than ${max} requests`,
    }),
    anonymous: await createRateLimit(app, windowSeconds, shared, {
      name: 'anonymous',
      max: anonymousMax,
      keyOf: clientAddress,
      exceeded: `More than ${anonymousMax} requests without a valid token from this address`,
    }),
    publicReads: await createRateLimit(app, windowSeconds, shared, {
      name: 'public',
      max,
      keyOf: clientAddress,
      exceeded: `More than ${max} reads without a token from this address`,
    }),
    // Each server counts separately, because the limit protects its bandwidth.
    documents: await createRateLimit(app, windowSeconds, undefined, {
      name: 'documents',
      max: anonymousMax,
      keyOf: clientAddress,
      exceeded: `More than ${anonymousMax} documents for this address`,
    }),
  }
}

/**
 * The library counts. It writes the headers of older drafts only; these are those of draft-ietf-httpapi-ratelimit-headers-10.
 */
async function createRateLimit(
  app: FastifyInstance,
  windowSeconds: number,
  shared: CreateSharedCounter | undefined,
  { name, max, keyOf, exceeded }: Limit,
): Promise<RateLimit> {
  const options = { max, timeWindow: windowSeconds * 1000, keyGenerator: keyOf }
  const inMemory = await createCounter(app, options)
  // Windows of different lengths have separate counts.
  const count = shared ? await shared(`${windowSeconds}:${name}:`, options, inMemory) : inMemory
  const policy = `"${name}";q=${max};w=${windowSeconds}`

  return async (request, reply) => {
    const counted = await count(request)
    const { remaining, ttlInSeconds, isExceeded } = counted
    reply.header('ratelimit-policy', policy).header('ratelimit', `"${name}";r=${remaining};t=${ttlInSeconds}`)
    if (!isExceeded) return undefined
    return {
      code: 'rate-limited',
      message: `${exceeded} in ${windowSeconds} s; try again in ${ttlInSeconds} s.`,
      headers: { 'retry-after': String(ttlInSeconds) },
    }
  }
}
