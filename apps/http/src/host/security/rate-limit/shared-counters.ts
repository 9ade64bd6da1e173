import type { RateLimitPluginOptions } from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { type Counter, createCounter } from './counter.ts'

/** Creates a counter in a Redis that several servers share. It counts by another one while Redis is unavailable. */
export type CreateSharedCounter = (
  prefix: string,
  options: RateLimitPluginOptions,
  fallback: Counter,
) => Promise<Counter>

/**
 * Connects to Redis. It never rejects, and the client reconnects automatically. During an outage no request waits for Redis, and
 * the log has one line at its start and one at its end.
 */
export async function connectSharedCounters(
  app: FastifyInstance,
  url: URL,
  logger: Logger,
): Promise<CreateSharedCounter> {
  const redis = new Redis(url.href, {
    lazyConnect: true,
    connectTimeout: 1_000,
    // The connection is closed after this time without a reply. It is longer than stalls of this process.
    socketTimeout: 250,
    // Without a connection, a command fails immediately.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  })
  let isOutage = false
  app.addHook('onClose', async () => redis.disconnect())

  function reportOutage(reason: string): void {
    if (isOutage) return
    isOutage = true
    logger.error({ reason }, 'the Redis of RATE_LIMIT_REDIS_URL is unavailable: each server counts requests separately')
  }

  function reportEnd(): void {
    if (!isOutage) return
    isOutage = false
    logger.info('the Redis of RATE_LIMIT_REDIS_URL is available again: servers share their rate limits')
  }

  redis.on('error', (error) => {
    reportOutage(error.message)
    // SELECT was refused: the client would count in another database.
    if (error.name === 'ReplyError') redis.disconnect(true)
  })
  redis.on('reconnecting', () => reportOutage('the connection was closed'))
  // The failure is already reported.
  await redis.connect().catch(() => undefined)

  return async (prefix, options, fallback) => {
    const shared = await createCounter(app, { ...options, redis, nameSpace: `auction-service:rate-limit:${prefix}` })
    return async (request) => {
      try {
        const count = await shared(request)
        reportEnd()
        return count
      } catch (error) {
        // A lost connection is already reported. Other errors are replies of Redis, for example that it is full or read-only.
        if (redis.status === 'ready') reportOutage(String(error))
        return fallback(request)
      }
    }
  }
}
