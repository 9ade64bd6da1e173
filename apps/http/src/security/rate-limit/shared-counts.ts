import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Allowance } from './budget.ts'
import { connectRedis } from './redis-connection.ts'

/** What all servers have counted of a key, this request included. */
type SharedCount = { readonly requests: number; readonly endsInMs: number }

export type SharedCounts = {
  /** Counts a request together with the other servers. Undefined when that can't be done, which is known at once or soon. */
  count(request: FastifyRequest): Promise<SharedCount | undefined> | undefined
}

type SharedCountsOptions = {
  readonly url: URL
  readonly windowSeconds: number
  readonly budgetOf: (request: FastifyRequest) => Allowance
  readonly logger: Logger
}

const tryAgainAfterMs = 1_000

/**
 * Counts in a Redis, by @fastify/rate-limit. From a failure on nothing waits for it: one request a second is counted there
 * without being waited for, until that succeeds. The log gets one line for the outage and one for its end.
 */
export async function openSharedCounts(app: FastifyInstance, options: SharedCountsOptions): Promise<SharedCounts> {
  const { url, windowSeconds, budgetOf, logger } = options
  // Neither the client nor the plugin is loaded when it is not used.
  const [connection, { default: rateLimit }] = await Promise.all([connectRedis(url), import('@fastify/rate-limit')])
  const { redis, fault, reasonOf } = connection
  await app.register(rateLimit, {
    global: false,
    redis,
    // Counts of a window of another length are others.
    nameSpace: `auction-service:rate-limit:${windowSeconds}:`,
    max: (request: FastifyRequest) => budgetOf(request).max,
    timeWindow: windowSeconds * 1000,
    keyGenerator: (request) => `${budgetOf(request).name}:${budgetOf(request).keyOf(request)}`,
  })
  let isClosing = false
  app.addHook('onClose', async () => {
    isClosing = true
    redis.disconnect()
  })
  const countInRedis = app.createRateLimit()
  let outage: { readonly sinceMs: number; retryAtMs: number } | undefined

  async function tryToCount(request: FastifyRequest): Promise<SharedCount | undefined> {
    try {
      const counted = await countInRedis(request)
      // Only an allow list makes the plugin answer without a count, and there is none.
      if (counted.isAllowed) return undefined
      succeeded()
      const { isExceeded, max, remaining, ttl } = counted
      return { requests: isExceeded ? max + 1 : max - remaining, endsInMs: ttl }
    } catch (error) {
      failed(error)
      return undefined
    }
  }

  function succeeded(): void {
    if (outage === undefined) return
    const outageSeconds = Math.round((performance.now() - outage.sinceMs) / 1000)
    outage = undefined
    logger.info({ outageSeconds }, 'the Redis of RATE_LIMIT_REDIS_URL is used again: servers share their rate limits')
  }

  function failed(error: unknown): void {
    if (outage !== undefined || isClosing) return
    const nowMs = performance.now()
    outage = { sinceMs: nowMs, retryAtMs: nowMs + tryAgainAfterMs }
    logger.error(
      { reason: reasonOf(error) },
      'the Redis of RATE_LIMIT_REDIS_URL can not be used: each server counts for itself',
    )
  }

  if (fault !== undefined) failed(fault)
  return {
    count(request) {
      if (outage === undefined) return tryToCount(request)
      if (performance.now() >= outage.retryAtMs) {
        outage.retryAtMs = performance.now() + tryAgainAfterMs
        void tryToCount(request)
      }
      return undefined
    },
  }
}
