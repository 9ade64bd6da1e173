import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Logger } from 'pino'
import type { Problem } from '../responses/problem.ts'
import { clientAddress } from '../server/requests.ts'
import type { SettingNames } from '../setting-names.ts'
import { type Buckets, createMemoryBuckets } from './buckets.ts'

/** Counts a request, sets the headers of its limit, and returns the 429 if the limit is exceeded. */
export type RateLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<Problem | undefined>

export type RateLimits = Awaited<ReturnType<typeof createRateLimits>>

type RateLimitOptions = {
  /** The quota of a caller, and that of an address for public reads. */
  readonly max: number
  /** The quota of an address for requests without a valid token, and that for documents. */
  readonly anonymousMax: number
  readonly windowSeconds: number
  /** The Redis in which several servers count together; undefined if each counts separately. */
  readonly redisUrl: URL | undefined
  /** What the keys in Redis begin with. */
  readonly redisKeyPrefix: string
}

type Limit = {
  /** The name of the policy in the headers. */
  readonly name: string
  readonly max: number
  readonly keyOf: (request: FastifyRequest) => string
  /** What counts, for the message of a 429. */
  readonly counted: string
}

const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD'])

export async function createRateLimits(
  app: FastifyInstance,
  { max, anonymousMax, windowSeconds, redisUrl, redisKeyPrefix }: RateLimitOptions,
  logger: Logger,
  names: SettingNames,
) {
  await app.register(rateLimit, { global: false, store: StoreOfLimits })
  const connectSharedBuckets = async (url: URL) =>
    (await import('./shared-buckets.ts')).connectSharedBuckets(app, url, logger, names)
  const share = redisUrl && (await connectSharedBuckets(redisUrl))
  const inMemory = (limit: Limit) => createRateLimit(app, windowSeconds, limit, createMemoryBuckets())
  // Windows of different lengths have separate buckets.
  const prefixOf = ({ name }: Limit) => `${redisKeyPrefix}${windowSeconds}:${name}:`
  const shared = (limit: Limit) =>
    share === undefined
      ? inMemory(limit)
      : createRateLimit(app, windowSeconds, limit, share(prefixOf(limit), createMemoryBuckets()))

  // The key is a hash, because a subject may be long.
  const perCaller = { max, keyOf: ({ caller }: FastifyRequest) => caller?.storedAs ?? '' }
  const perAddress = { max: anonymousMax, keyOf: clientAddress }
  const reads = shared({ name: 'reads', counted: 'reads', ...perCaller })
  const writes = shared({ name: 'writes', counted: 'writes', ...perCaller })
  const callers: RateLimit = (request, reply) => (readMethods.has(request.method) ? reads : writes)(request, reply)
  return {
    /** Per caller: requests with a valid token, over all operations. Reads and writes have separate quotas. */
    callers,
    /** Per address: requests without a valid token. */
    anonymous: shared({
      name: 'anonymous',
      counted: 'requests without a valid token from this address',
      ...perAddress,
    }),
    /** Per address: reads for which no token is needed, and none is sent. */
    publicReads: shared({ name: 'public', counted: 'reads without a token from this address', ...perAddress, max }),
    /**
     * Per address: the documents that need no token. Each server counts separately, because the limit protects its
     * bandwidth.
     */
    documents: inMemory({ name: 'documents', counted: 'documents for this address', ...perAddress }),
  }
}

type LimitOptions = RouteOptions & { readonly path: string; readonly prefix: string; readonly buckets: Buckets }

/** The library constructs one store, and calls `child` with the options of each limit. */
class StoreOfLimits implements FastifyRateLimitStore {
  incr = () => undefined
  child = ({ buckets }: LimitOptions): FastifyRateLimitStore => ({ incr: buckets.incr, child: this.child })
}

/**
 * The library counts. It writes the headers of older drafts only; these are those of
 * draft-ietf-httpapi-ratelimit-headers-10.
 */
function createRateLimit(
  app: FastifyInstance,
  windowSeconds: number,
  { name, max, keyOf, counted }: Limit,
  buckets: Buckets,
): RateLimit {
  const options = { max, timeWindow: windowSeconds * 1000, keyGenerator: keyOf, buckets }
  const count = app.createRateLimit(options)
  const policy = `"${name}";q=${max};w=${windowSeconds}`

  return async (request, reply) => {
    const usage = await count(request)
    // The library returns no count only with an allow list.
    if (usage.isAllowed) return undefined
    const { remaining, ttlInSeconds, isExceeded } = usage
    reply.header('ratelimit-policy', policy).header('ratelimit', `"${name}";r=${remaining};t=${ttlInSeconds}`)
    if (!isExceeded) return undefined
    return {
      code: 'rate-limited',
      message: `The quota of ${max} ${counted} in ${windowSeconds} s is used up; try again in ${ttlInSeconds} s.`,
      headers: { 'retry-after': String(ttlInSeconds) },
    }
  }
}
