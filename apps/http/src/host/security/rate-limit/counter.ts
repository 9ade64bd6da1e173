import rateLimit, { type FastifyRateLimitStore, type RateLimitPluginOptions } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Buckets } from './buckets.ts'

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
export async function createCounter(
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
