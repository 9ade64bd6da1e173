import type { FastifyInstance } from 'fastify'
import { Redis, type Result } from 'ioredis'
import type { Logger } from 'pino'
import { createOutageLog } from '../log/log.ts'
import type { SettingNames } from '../setting-names.ts'
import { type Buckets, tolerance } from './buckets.ts'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeFromBucket(key: string, windowMs: number, max: number): Result<[spent: number, ttlMs: number], Context>
  }
}

/**
 * Counts as in memory, by the clock of Redis. If that clock is set back, a bucket takes no longer to refill than an
 * empty one. A key expires when its bucket is whole.
 */
const takeFromBucket = `
  local time = redis.call('TIME')
  local nowMs = time[1] * 1000 + time[2] / 1000
  local windowMs, max = tonumber(ARGV[1]), tonumber(ARGV[2])
  local costMs = windowMs / max
  local wholeAtMs = tonumber(redis.call('GET', KEYS[1]) or 0)
  local nextMs = math.min(math.max(wholeAtMs, nowMs), nowMs + windowMs) + costMs
  local spent = math.ceil((nextMs - nowMs) / costMs - ${tolerance})
  if spent <= max then
    -- At least 1, because a request may cost less than the clock resolves.
    local leftMs = math.max(1, math.ceil(nextMs - nowMs))
    redis.call('SET', KEYS[1], string.format('%.17g', nextMs), 'PX', string.format('%.0f', leftMs))
  end
  return { spent, math.ceil(math.min(costMs, nextMs - nowMs - (spent - 1) * costMs)) }
`

/** Connects to Redis. It never rejects, the client reconnects automatically, and during an outage no request waits. */
export async function connectSharedBuckets(app: FastifyInstance, url: URL, logger: Logger, { redisUrl }: SettingNames) {
  const redis = new Redis(url.href, {
    lazyConnect: true,
    connectTimeout: 1_000,
    // The connection is closed after this time without a reply. It is longer than stalls of this process.
    socketTimeout: 250,
    // A command fails immediately without a connection.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  })
  redis.defineCommand('takeFromBucket', { numberOfKeys: 1, lua: takeFromBucket })
  const outage = createOutageLog(logger, {
    level: 'error',
    begin: `the Redis of ${redisUrl} is unavailable: each server counts requests separately`,
    end: `the Redis of ${redisUrl} is available again: servers share their rate limits`,
  })
  app.addHook('onClose', async () => redis.disconnect())

  redis.on('error', (error) => {
    outage.begin({ reason: error.message })
    // SELECT was refused: the client would count in another database.
    if (error.name === 'ReplyError') redis.disconnect(true)
  })
  redis.on('reconnecting', () => outage.begin({ reason: 'the connection was closed' }))
  // The failure is already reported.
  await redis.connect().catch(() => undefined)

  /**
   * Creates buckets that several servers share, in keys that begin with `prefix`. They use the fallback while Redis is
   * unavailable.
   */
  return (prefix: string, fallback: Buckets): Buckets => ({
    incr(key, done, windowMs, max) {
      redis.takeFromBucket(prefix + key, windowMs, max).then(
        ([spent, ttlMs]) => {
          outage.end()
          done(null, { current: spent, ttl: ttlMs })
        },
        (error) => {
          // A lost connection is already reported. Other errors are replies of Redis, for example that it is full or
          // read-only.
          if (redis.status === 'ready') outage.begin({ reason: String(error) })
          fallback.incr(key, done, windowMs, max)
        },
      )
    },
  })
}
