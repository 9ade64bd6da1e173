import rateLimit, { type FastifyRateLimitStore, type RateLimitPluginOptions } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Configuration } from '../../../configuration/configuration.ts'
import type { Problem } from '../../answers/problem.ts'
import { type Buckets, createMemoryBuckets } from './buckets.ts'
import { clientAddress } from './client-address.ts'
import type { CreateSharedBuckets } from './shared-buckets.ts'

/** Counts a request, sets the headers of its limit, and returns the 429 if the limit is exceeded. Most of a 304 is given back. */
export type RateLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<Problem | undefined>

export type RateLimits = {
  /** Per caller: requests with a valid token, over all operations. Reads and writes have separate quotas. */
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
  /** What counts, for the message of a 429. */
  readonly counted: string
}

export async function createRateLimits(
  app: FastifyInstance,
  { max, anonymousMax, windowSeconds, redisUrl }: Configuration['rateLimit'],
  logger: Logger,
): Promise<RateLimits> {
  const shared = redisUrl && (await (await import('./shared-buckets.ts')).connectSharedBuckets(app, redisUrl, logger))
  // A hash: a subject may be long.
  const perCaller = { max, keyOf: ({ caller }: FastifyRequest) => caller?.storedAs ?? '' }
  const perAddress = { max: anonymousMax, keyOf: clientAddress }

  const reads = await createRateLimit(app, windowSeconds, shared, { name: 'reads', counted: 'reads', ...perCaller })
  const writes = await createRateLimit(app, windowSeconds, shared, { name: 'writes', counted: 'writes', ...perCaller })
  return {
    callers: (request, reply) => (readMethods.has(request.method) ? reads : writes)(request, reply),
    anonymous: await createRateLimit(app, windowSeconds, shared, {
      name: 'anonymous',
      counted: 'requests without a valid token from this address',
      ...perAddress,
    }),
    publicReads: await createRateLimit(app, windowSeconds, shared, {
      name: 'public',
      max,
      keyOf: clientAddress,
      counted: 'reads without a token from this address',
    }),
    // Each server counts separately, because the limit protects its bandwidth.
    documents: await createRateLimit(app, windowSeconds, undefined, {
      name: 'documents',
      counted: 'documents for this address',
      ...perAddress,
    }),
  }
}

/** The part of a request that a 304 costs at least: it needs the same read as a 200, so it cannot be free. */
const costOf304 = 0.1

const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/**
 * The library counts. It writes the headers of older drafts only; these are those of draft-ietf-httpapi-ratelimit-headers-10.
 */
async function createRateLimit(
  app: FastifyInstance,
  windowSeconds: number,
  shared: CreateSharedBuckets | undefined,
  { name, max, keyOf, counted }: Limit,
): Promise<RateLimit> {
  const windowMs = windowSeconds * 1000
  const inMemory = createMemoryBuckets()
  // Windows of different lengths have separate buckets.
  const buckets = shared ? shared(`${windowSeconds}:${name}:`, inMemory) : inMemory
  const count = await createCounter(app, buckets, { max, timeWindow: windowMs, keyGenerator: keyOf })
  const policy = `"${name}";q=${max};w=${windowSeconds}`

  return async (request, reply) => {
    const startMs = performance.now()
    const { key, remaining, ttlInSeconds, isExceeded } = await count(request)
    reply.header('ratelimit-policy', policy).header('ratelimit', `"${name}";r=${remaining};t=${ttlInSeconds}`)
    if (isExceeded) {
      return {
        code: 'rate-limited',
        message: `The quota of ${max} ${counted} in ${windowSeconds} s is used up; try again in ${ttlInSeconds} s.`,
        headers: { 'retry-after': String(ttlInSeconds) },
      }
    }
    if (request.headers['if-none-match'] !== undefined) {
      reply.raw.once('close', () => {
        // Not what has been refilled since then, because a client that delays its responses would get that twice.
        const unfilledMs = ((1 - costOf304) * windowMs) / max - (performance.now() - startMs)
        if (reply.raw.statusCode === 304 && unfilledMs > 0) buckets.giveBack(key, unfilledMs)
      })
    }
    return undefined
  }
}

/** What a request leaves in the bucket of its key. */
type Count = {
  readonly key: string
  readonly remaining: number
  /** Until one more request is available. */
  readonly ttlInSeconds: number
  readonly isExceeded: boolean
}

/** Counts a request under its key. */
type Counter = (request: FastifyRequest) => Promise<Count>

/** Creates a counter of @fastify/rate-limit, which has one in each Fastify context. */
async function createCounter(
  app: FastifyInstance,
  buckets: Buckets,
  options: RateLimitPluginOptions,
): Promise<Counter> {
  // The library constructs its store. These buckets exist before, because requests are given back to them.
  class Store implements FastifyRateLimitStore {
    incr = buckets.incr
    child = () => this
  }
  const { promise, resolve } = Promise.withResolvers<Counter>()
  await app.register(async (context) => {
    await context.register(rateLimit, { global: false, store: Store, ...options })
    // The cast: only an allow list makes the library return no count.
    resolve(context.createRateLimit() as Counter)
  })
  return promise
}
