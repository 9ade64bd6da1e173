import type { FastifyRateLimitStore } from '@fastify/rate-limit'
import { LRUCache } from 'lru-cache'

/**
 * Token buckets, one for each key, as a store of @fastify/rate-limit. A bucket starts whole and refills evenly: a
 * window refills `max` requests.
 *
 * They are kept in the form of GCRA (ITU-T I.371): the state of a key is one number, the time when its bucket is whole.
 * A request moves it by `window / max`, and is refused if it would then be more than a window away.
 */
export type Buckets = Pick<FastifyRateLimitStore, 'incr'>

/** The maximum number of keys, about 200 bytes each. The least recently counted key is removed first. */
const maxKeys = 100_000

/**
 * About a thousandth of a request, because sums of times are inexact. It is an odd number, because common times are
 * multiples of 0.001.
 */
export const tolerance = 0.00137

/** Creates buckets in memory. They use a monotonic clock, so that changes of the system's time have no effect. */
export function createMemoryBuckets(): Buckets {
  // The size limits the keys, because `max` would allocate all of them at once.
  const wholeAtMs = new LRUCache<string, number>({ maxSize: maxKeys, sizeCalculation: () => 1 })
  return {
    incr(key, done, windowMs, max) {
      const nowMs = performance.now()
      const costMs = windowMs / max
      const nextMs = Math.max(wholeAtMs.get(key) ?? 0, nowMs) + costMs
      const spent = Math.ceil((nextMs - nowMs) / costMs - tolerance)
      if (spent <= max) wholeAtMs.set(key, nextMs)
      // `ttl` is the time until one more request is available.
      done(null, { current: spent, ttl: Math.min(costMs, nextMs - nowMs - (spent - 1) * costMs) })
    },
  }
}
